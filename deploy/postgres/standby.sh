#!/bin/bash
# Copies the primary on the first start, and then runs as its synchronous standby.
set -euo pipefail

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown postgres:postgres "$PGDATA"
  chmod 0700 "$PGDATA"
  source="host=$PRIMARY port=5432 user=replication password=$REPLICATION_PASSWORD application_name=standby"
  until gosu postgres pg_basebackup --pgdata "$PGDATA" --dbname "$source" --slot standby --write-recovery-conf; do
    # An interrupted copy leaves files behind, and pg_basebackup needs an empty folder.
    rm -rf "${PGDATA:?}"/*
    sleep 2
  done
fi
exec gosu postgres "$@"
