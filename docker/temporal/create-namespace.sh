#!/bin/sh
# Creates the namespace $NAMESPACE with the retention $RETENTION at $TEMPORAL_ADDRESS. Safe to run again.
set -eu

# The port answers a little before the frontend does, so failures are left to the restart policy.
temporal operator cluster health
temporal operator namespace describe --namespace "$NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$NAMESPACE" --retention "$RETENTION"
echo "Namespace $NAMESPACE is ready."
