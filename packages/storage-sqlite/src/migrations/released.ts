import { webhookTables } from "./webhookTables.ts"
import { listedCodes, stateCodes } from "@inlet/storage/codes"

/** One step from a format of the database to the next format. Its id is the number of the new format. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}

/** SQLite uses a partial index for `state = 1` only if the condition of the index lists each state, joined by OR. */
const isListed = listedCodes.map((code) => `state = ${code}`).join(" OR ")

/** The migrations in order. A released migration is never edited. */
export const released: ReadonlyArray<Migration> = [
  {
    id: 7,
    name: "subjects, activity and workspaces",
    sql: `
      CREATE TABLE activity (
        sequence INTEGER PRIMARY KEY,
        workspace INTEGER NOT NULL,
        subject INTEGER,
        kind INTEGER,
        name TEXT,
        source INTEGER NOT NULL,
        outcome INTEGER NOT NULL,
        at INTEGER NOT NULL,
        received INTEGER NOT NULL,
        processed INTEGER,
        claim TEXT,
        parts INTEGER,
        detail TEXT NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX activity_claim ON activity (claim) WHERE claim IS NOT NULL;

      CREATE TABLE entry_parts (
        sequence INTEGER NOT NULL,
        subject INTEGER NOT NULL,
        place INTEGER NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (sequence, subject, place)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE timeline (
        run INTEGER NOT NULL,
        subject INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        PRIMARY KEY (run, subject, sequence)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE workspace_runs (
        workspace INTEGER NOT NULL,
        run INTEGER NOT NULL,
        PRIMARY KEY (workspace, run)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE facets (
        run INTEGER NOT NULL,
        workspace INTEGER NOT NULL,
        facet INTEGER NOT NULL,
        value ANY NOT NULL,
        positions BLOB NOT NULL,
        PRIMARY KEY (run, workspace, facet, value)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE identifiers (text TEXT PRIMARY KEY, subject INTEGER NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE subjects (
        key INTEGER PRIMARY KEY,
        workspace INTEGER NOT NULL,
        state INTEGER NOT NULL,
        owner INTEGER,
        name TEXT,
        created INTEGER,
        updated INTEGER,
        doc TEXT NOT NULL
      ) STRICT;
      CREATE INDEX listed ON subjects (workspace, state, key) WHERE ${isListed};
      CREATE INDEX named ON subjects (state, name, workspace, key) WHERE name IS NOT NULL;
      CREATE INDEX anonymous ON subjects (updated) WHERE state = ${stateCodes.anonymous};
      CREATE INDEX erased ON subjects (state, key)
        WHERE state = ${stateCodes.erased} OR state = ${stateCodes.stillNamed};

      CREATE TABLE links (
        target INTEGER NOT NULL,
        subject INTEGER NOT NULL,
        cleaned INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (target, subject)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE addressed (
        address TEXT NOT NULL,
        delivery INTEGER NOT NULL,
        cleaned INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (address, delivery)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE erased_addresses (
        address TEXT NOT NULL,
        subject INTEGER NOT NULL,
        before INTEGER NOT NULL,
        PRIMARY KEY (address, subject)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE sizes (subject INTEGER PRIMARY KEY, size INTEGER NOT NULL) STRICT;

      CREATE TABLE suppressions (
        digest TEXT PRIMARY KEY,
        workspace INTEGER NOT NULL,
        group_key INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX suppressed_together ON suppressions (group_key, workspace);
      CREATE INDEX suppressed_in ON suppressions (workspace);

      CREATE TABLE counters (
        workspace INTEGER NOT NULL,
        name TEXT NOT NULL,
        value INTEGER NOT NULL,
        PRIMARY KEY (workspace, name)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE workspaces (id INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
      CREATE TABLE keys (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        workspace INTEGER NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        site_id TEXT UNIQUE,
        digest TEXT NOT NULL,
        created INTEGER NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX keys_digest ON keys (digest) WHERE kind = 'pipelines';

      CREATE TABLE uploads (
        workspace INTEGER NOT NULL,
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (workspace, name)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX uploads_at ON uploads (at);

      CREATE TABLE probe (content BLOB NOT NULL) STRICT;
    `,
  },
  { id: 8, name: "webhooks", sql: webhookTables },
]
