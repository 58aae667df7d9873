import { listedCodes, stateCodes } from "@inlet/storage/codes"
import { sqlWorkspace } from "../engine/rowIds.ts"

/**
 * For a query with `state = 1`, SQLite uses a partial index only if the condition of the index is written as
 * comparisons joined by OR, such as `state = 1 OR state = 6`.
 */
const isListed = listedCodes.map((code) => `state = ${code}`).join(" OR ")

/** The first tables, with the data of workspaces and their keys. */
export const workspaceData = `
  CREATE TABLE heads (
    workspace INTEGER PRIMARY KEY,
    next_key INTEGER NOT NULL,
    next_sequence INTEGER NOT NULL,
    latest_receipt INTEGER,
    pruned_to INTEGER NOT NULL DEFAULT 0,
    timeline_runs INTEGER NOT NULL DEFAULT 0,
    indexed_runs INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE activity (
    id INTEGER PRIMARY KEY,
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
  CREATE UNIQUE INDEX activity_claim ON activity (${sqlWorkspace("id")}, claim) WHERE claim IS NOT NULL;

  CREATE TABLE entry_parts (
    workspace INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    place INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, sequence, subject, place)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE timeline (
    workspace INTEGER NOT NULL,
    run INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (workspace, run, subject, sequence)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE facets (
    workspace INTEGER NOT NULL,
    run INTEGER NOT NULL,
    facet INTEGER NOT NULL,
    value ANY NOT NULL,
    positions BLOB NOT NULL,
    PRIMARY KEY (workspace, run, facet, value)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE identifiers (
    workspace INTEGER NOT NULL,
    text TEXT NOT NULL,
    subject INTEGER NOT NULL,
    PRIMARY KEY (workspace, text)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE subjects (
    id INTEGER PRIMARY KEY,
    state INTEGER NOT NULL,
    owner INTEGER,
    name TEXT,
    created INTEGER,
    updated INTEGER,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX listed ON subjects (state, id) WHERE ${isListed};
  CREATE INDEX named ON subjects (state, name, id) WHERE name IS NOT NULL;
  CREATE INDEX anonymous ON subjects (updated) WHERE state = ${stateCodes.anonymous};
  CREATE INDEX erased ON subjects (${sqlWorkspace("id")}, state, id)
    WHERE state = ${stateCodes.erased} OR state = ${stateCodes.stillNamed};

  CREATE TABLE links (
    workspace INTEGER NOT NULL,
    target INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    cleaned INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, target, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE addressed (
    workspace INTEGER NOT NULL,
    address TEXT NOT NULL,
    delivery INTEGER NOT NULL,
    cleaned INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, address, delivery)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE erased_addresses (
    workspace INTEGER NOT NULL,
    address TEXT NOT NULL,
    subject INTEGER NOT NULL,
    before INTEGER NOT NULL,
    PRIMARY KEY (workspace, address, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sizes (id INTEGER PRIMARY KEY, size INTEGER NOT NULL) STRICT;

  CREATE TABLE suppressions (
    workspace INTEGER NOT NULL,
    digest TEXT NOT NULL,
    group_key INTEGER NOT NULL,
    PRIMARY KEY (workspace, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX suppressed_together ON suppressions (workspace, group_key);

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
`
