# The server for CI: pages under test send what they do, `gasoline report` tells why tests failed.
#
#   docker build -t gasoline .
#   docker run --rm --network host -e GASOLINE_TOKEN=… gasoline
#
# The server listens on loopback only, so tests have to share its network: the host's, or that of a pod.

FROM node:22-bookworm-slim AS browser
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY browser browser
RUN npm ci --no-audit --no-fund && npm run build

FROM rust:1-bookworm AS binary
WORKDIR /src
COPY Cargo.toml Cargo.lock package.json ./
COPY .cargo .cargo
COPY crates crates
COPY xtask xtask
COPY fixtures fixtures
COPY --from=browser /src/browser browser
RUN cargo build --release --locked --package gasoline

FROM debian:bookworm-slim
COPY --from=binary /src/target/release/gasoline /usr/local/bin/gasoline
RUN useradd --create-home --uid 10001 gasoline
USER gasoline
ENV GASOLINE_STATE_DIR=/home/gasoline/state
STOPSIGNAL SIGTERM
ENTRYPOINT ["gasoline"]
CMD ["serve", "--ci"]
