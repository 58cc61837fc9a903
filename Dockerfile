# syntax=docker/dockerfile:1

# Build: the toolchain image has the C compiler that SQLite and other libraries in C need.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /build
COPY Cargo.toml Cargo.lock ./
COPY src src
COPY migrations migrations
COPY openapi openapi
# Not compiled here, but Cargo wants every target of the manifest to exist.
COPY benches benches
COPY tests/it tests/it
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    cargo build --locked --release --bin fleetplane \
    && cp target/release/fleetplane /usr/local/bin/fleetplane

# Run: the binary alone, as a user without rights, writing nowhere but in /data (the default SQLite file).
FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin fleetplane \
    && install --directory --owner=fleetplane --group=fleetplane /data
COPY --from=build /usr/local/bin/fleetplane /usr/local/bin/fleetplane
USER fleetplane
WORKDIR /data
VOLUME /data
ENV FLEETPLANE_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["fleetplane"]
CMD ["serve"]
