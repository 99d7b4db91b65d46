# The service in a small image: docs/install.md says how to run it.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/pages/package.json scripts/pages/
RUN npm ci --omit=dev
COPY scripts/ scripts/
COPY docs/ docs/
COPY CHANGELOG.md ./
COPY demonstration/ demonstration/
COPY schema/ schema/
COPY src/ src/
# After the bundles and the pages, what built them can go, and the Node that npm brings: the image
# has its own.
RUN node scripts/bundle.mjs && node scripts/pages.mjs && \
    npm prune --omit=dev --workspaces=false && \
    rm -rf docs CHANGELOG.md node_modules/@scalar node_modules/node-linux-*

FROM node:24.21.0-bookworm-slim
# NODE_OPTIONS is VITRINE_HEAP here, without npm that would read it.
ENV NODE_OPTIONS="--max-semi-space-size=8 --max-old-space-size=512" \
    VITRINE_HOST=0.0.0.0 \
    VITRINE_DATA=/data
WORKDIR /app
COPY --from=build /app/ ./
# Assistants read it from the service.
COPY docs/glossary.md docs/
RUN mkdir -p /data/reports && chown -R 1000:1000 /data && \
    ln -s /app/src/cli/vitrine.ts /usr/local/bin/vitrine
USER 1000:1000
VOLUME /data
EXPOSE 8080
# Whether the process lives. Whether its stores answer is for the proxy to ask, at /readyz: starting
# the process again would not help.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.VITRINE_PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/cli/vitrine.ts"]
CMD ["serve"]
