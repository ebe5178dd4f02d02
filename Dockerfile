# syntax=docker/dockerfile:1
# One image for release, web and worker; the Procfile's commands choose. Debian with glibc: the HTTP server's and the
# picture library's binaries are built for it.

FROM node:22-bookworm-slim AS release
WORKDIR /app
COPY package.json package-lock.json .npmrc .env.example CHANGELOG.md LICENSE Procfile ./
RUN npm ci
COPY i18n ./i18n
COPY machines ./machines
COPY persistence ./persistence
COPY supervisors ./supervisors
COPY clients ./clients
COPY src ./src
COPY ops ./ops
COPY docs/runbooks ./docs/runbooks
RUN npm run release -- --without-node

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# Root owns the code, so a process that is taken over cannot rewrite it.
COPY --from=release /app/dist/release ./
USER node
STOPSIGNAL SIGTERM
# Ready when database, key-value store and object store answer and no migration is pending.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "ops/cli/ready.ts"]
CMD ["node", "--experimental-async-context-frame", "--v8-pool-size=1", "--max-semi-space-size=8", "src/web.ts"]
