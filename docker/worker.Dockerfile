# A worker with the handlers of an example. For handlers of your own: an image with your project and `fermata` among its
# dependencies, and your worker file as the command.
#
# Debian, not Alpine: the core of Temporal's SDK is built for glibc.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# TLS to Temporal Cloud and to handlers' own servers.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY --from=build /app/dist ./dist
COPY examples ./examples
COPY docker/worker-health.mjs ./docker/
USER node
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["node", "docker/worker-health.mjs"]
CMD ["node", "--import", "tsx", "examples/lead-onboarding/worker.ts"]
