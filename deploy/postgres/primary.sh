#!/bin/bash
# Runs once, when the image of PostgreSQL makes the database of the primary.
set -euo pipefail

psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('standby');
-- PostgreSQL reads this setting at its next start, so the commits of this script do not wait for the standby.
ALTER SYSTEM SET synchronous_standby_names = 'standby';
-- Without this limit, the log for a standby that is down for long would fill the disk of the primary.
ALTER SYSTEM SET max_slot_wal_keep_size = '10GB';
SQL
echo "host replication replication all scram-sha-256" >> "$PGDATA/pg_hba.conf"
