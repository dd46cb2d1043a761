# The server, from the sources. Its settings are environment variables; docs/server.md lists them.
#
#   docker build -t svc .
#   docker run -p 127.0.0.1:8080:8080 -e API_ACCESS_KEY -e DATABASE_URL svc
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
WORKDIR /app
COPY --from=build /build/package.json /build/oclif.manifest.json /build/CHANGELOG.md /build/LICENSE ./
COPY --from=build /build/bin/run.js bin/
COPY --from=build /build/dist dist
COPY --from=build /build/node_modules node_modules
RUN ln -s /app/bin/run.js /usr/local/bin/svc && mkdir /data && chown node:node /data
# Other containers connect to it, so loopback would not do. /data is used without DATABASE_URL, and for journals of collections.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 SVC_DATA_DIR=/data XDG_STATE_HOME=/data
USER node
VOLUME /data
EXPOSE 8080
# The port is that of `serve --port`, if the command of the container has it.
HEALTHCHECK --interval=30s --timeout=7s --start-period=60s CMD ["node", "-e", "const [, port = process.env.PORT] = /\\0--port[\\0=](\\d+)/.exec(require('fs').readFileSync('/proc/1/cmdline', 'utf8')) ?? []; fetch('http://127.0.0.1:' + port + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/run.js"]
CMD ["serve"]
