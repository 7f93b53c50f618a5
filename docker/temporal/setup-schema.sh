#!/bin/sh
# Creates Temporal's two databases and brings their tables to the version of this image. Safe to run again.
# SQL_PASSWORD holds the password.
set -eu

# The port opens before the image's own initialisation is over, so failures are left to the restart policy.
for database in temporal temporal_visibility; do
  schema=${database#temporal_}
  tool="temporal-sql-tool --plugin postgres12 --ep postgres --port 5432 --user fermata --db $database"
  $tool create
  $tool setup-schema --version 0.0
  $tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$schema/versioned"
done
