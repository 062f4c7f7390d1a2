# The demo storefront with its own mock, from the packed package and the built page:
#
#   npx vite build examples/storefront
#   npm pack --pack-destination examples/deploy
#   docker build -t odd-shelf -f examples/deploy/storefront.Dockerfile examples
#   docker run -p 4020:4020 -e RESOURCE_MOCK_ADMIN_TOKEN=choose-one odd-shelf
FROM node:22-slim
WORKDIR /app
COPY deploy/resource-mock-*.tgz ./
RUN npm install --omit=dev --no-audit --no-fund ./resource-mock-*.tgz
COPY deploy/health-check.mjs ./
COPY storefront/server.mjs ./
COPY storefront/server ./server
COPY storefront/dist ./dist
USER node
ENV HOST=0.0.0.0
ENV PORT=4020
EXPOSE 4020
HEALTHCHECK CMD ["node", "health-check.mjs", "/api"]
ENTRYPOINT ["node", "server.mjs"]
