import { webhookTables } from "./webhookTables.ts"
import { listedCodes, recordCodes, stateCodes } from "@inlet/storage/codes"
import { sqlWorkspace } from "../engine/rowIds.ts"

/** A change of the tables from one format to the next. `id` is the number of the new format. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}

/**
 * For a query with `state = 1`, SQLite uses a partial index only if the condition of the index is written as
 * comparisons joined by OR, such as `state = 1 OR state = 6`.
 */
const isListed = listedCodes.map((code) => `state = ${code}`).join(" OR ")

/** The migrations in order. A migration that was released is never edited. */
export const released: ReadonlyArray<Migration> = [
  {
    id: 8,
    name: "subjects, activity and workspaces",
    sql: `
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
    `,
  },
  { id: 9, name: "webhooks", sql: webhookTables },
  {
    id: 10,
    name: "Kafka cursors",
    sql: "CREATE TABLE kafka_cursors (workspace INTEGER PRIMARY KEY, sequence INTEGER NOT NULL) STRICT",
  },
  {
    id: 11,
    name: "attempts by position",
    sql: "CREATE INDEX webhook_attempts_by_position ON webhook_attempts (workspace, position)",
  },
  {
    id: 12,
    name: "number of records",
    sql: `
      ALTER TABLE heads ADD COLUMN records INTEGER NOT NULL DEFAULT 0;
      UPDATE heads SET records = counted.records
      FROM (
        SELECT ${sqlWorkspace("id")} AS workspace, count(*) AS records FROM subjects
        WHERE state IN (${recordCodes.join(", ")}) GROUP BY 1
      ) AS counted
      WHERE counted.workspace = heads.workspace`,
  },
  {
    id: 13,
    name: "prefix, last use and expiry of keys",
    sql: `
      ALTER TABLE keys ADD COLUMN prefix TEXT;
      ALTER TABLE keys ADD COLUMN last_used INTEGER;
      ALTER TABLE keys ADD COLUMN expires INTEGER`,
  },
  {
    id: 14,
    name: "signed-out sessions",
    sql: `
      CREATE TABLE signed_out_sessions (
        digest TEXT PRIMARY KEY,
        expires INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX signed_out_sessions_expires ON signed_out_sessions (expires)`,
  },
  {
    id: 15,
    name: "deleted workspaces",
    // The row in `heads` of a deleted workspace is deleted after all other rows of the workspace. The counter
    // `last_workspace` is the largest id of a deleted workspace.
    sql: `
      ALTER TABLE heads ADD COLUMN deleted_at INTEGER;
      CREATE INDEX heads_deleted ON heads (workspace) WHERE deleted_at IS NOT NULL`,
  },
  {
    id: 16,
    name: "management tokens",
    sql: `
      CREATE TABLE management_tokens (
        workspace INTEGER NOT NULL,
        id TEXT NOT NULL,
        created INTEGER NOT NULL,
        used INTEGER,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, id)
      ) STRICT, WITHOUT ROWID`,
  },
  {
    id: 17,
    name: "signed-out sessions in copies",
    // Sessions belong to the installation, which has the workspace 0.
    sql: "ALTER TABLE signed_out_sessions ADD COLUMN workspace INTEGER NOT NULL DEFAULT 0",
  },
  {
    id: 18,
    name: "audit log",
    // The rows of a workspace stay when it is deleted. Those of the installation have the workspace 0.
    sql: `
      CREATE TABLE audit_log (
        workspace INTEGER NOT NULL,
        position INTEGER NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, position)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX audit_log_by_position ON audit_log (position, workspace)`,
  },
  {
    id: 19,
    name: "cursors of all readers of the log",
    sql: `
      CREATE TABLE log_cursors (
        workspace INTEGER NOT NULL,
        destination TEXT NOT NULL,
        token INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        PRIMARY KEY (workspace, destination)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO log_cursors (workspace, destination, token, sequence)
        SELECT workspace, 'kafka', 0, sequence FROM kafka_cursors;
      DROP TABLE kafka_cursors`,
  },
  {
    id: 20,
    name: "states of leaves of rules",
    sql: `
      ALTER TABLE heads ADD COLUMN rules_version INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE leaf_states (
        workspace INTEGER NOT NULL,
        subject INTEGER NOT NULL,
        leaf INTEGER NOT NULL,
        ring TEXT NOT NULL,
        due INTEGER,
        PRIMARY KEY (workspace, subject, leaf)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX leaf_states_due ON leaf_states (workspace, due) WHERE due IS NOT NULL`,
  },
  {
    id: 21,
    name: "rejected calls",
    sql: `
      CREATE TABLE rejected_calls (
        workspace INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        received INTEGER NOT NULL,
        characters INTEGER NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, sequence)
      ) STRICT, WITHOUT ROWID`,
  },
  {
    id: 22,
    name: "workspaces with rules",
    sql: "CREATE INDEX heads_with_rules ON heads (workspace) WHERE rules_version > 0",
  },
  {
    id: 23,
    name: "entries by rule, reason and anonymous id",
    // Facet 5 is the rule. Its value 0 marks the entries that every search must look at: here all entries of the runs
    // that are indexed already, 4096 bits each.
    sql: `
      ALTER TABLE activity ADD COLUMN rule_code INTEGER;
      ALTER TABLE activity ADD COLUMN reason_code INTEGER;
      ALTER TABLE activity ADD COLUMN anonymous_code INTEGER;
      INSERT INTO facets (workspace, run, facet, value, positions)
        SELECT DISTINCT workspace, run, 5, 0, unhex('${"ff".repeat(512)}') FROM facets`,
  },
  {
    id: 24,
    name: "rejected calls by receipt",
    sql: "CREATE INDEX rejected_calls_received ON rejected_calls (workspace, received)",
  },
  {
    id: 25,
    name: "builds of rules",
    sql: `
      CREATE INDEX leaf_states_by_leaf ON leaf_states (workspace, leaf);
      CREATE INDEX rule_builds ON subjects (id) WHERE state = ${stateCodes.ruleBuild}`,
  },
  {
    id: 26,
    name: "senders of operations",
    sql: `
      ALTER TABLE activity ADD COLUMN sender INTEGER;
      CREATE TABLE senders (
        workspace INTEGER NOT NULL,
        id INTEGER NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, id)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX senders_by_doc ON senders (workspace, doc)`,
  },
  {
    id: 27,
    name: "erasure ledger",
    sql: `
      CREATE TABLE erasures (
        workspace INTEGER NOT NULL,
        at INTEGER NOT NULL,
        position INTEGER NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, at, position)
      ) STRICT, WITHOUT ROWID`,
  },
  {
    id: 28,
    name: "files of the lake",
    sql: `
      CREATE TABLE lake_files (
        workspace INTEGER NOT NULL,
        path TEXT NOT NULL,
        replaced INTEGER,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, path)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE lake_erasures (
        workspace INTEGER NOT NULL,
        position INTEGER NOT NULL,
        subject INTEGER NOT NULL,
        received INTEGER NOT NULL,
        PRIMARY KEY (workspace, position)
      ) STRICT, WITHOUT ROWID`,
  },
  {
    id: 29,
    name: "receipts of erasures",
    // A receipt without a document is not sealed.
    sql: `
      CREATE TABLE erasure_receipts (
        workspace INTEGER NOT NULL,
        at INTEGER NOT NULL,
        position INTEGER NOT NULL,
        doc TEXT,
        PRIMARY KEY (workspace, at, position)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX erasure_receipts_unsealed ON erasure_receipts (at) WHERE doc IS NULL`,
  },
  {
    id: 30,
    name: "pairs of people who may be one",
    // The condition of the indexes is that of `sqlEvidence`.
    sql: `
      CREATE INDEX evidence ON entry_parts (workspace, sequence) WHERE (place >= 1000000 OR place < -1000000);
      CREATE INDEX evidence_subject ON entry_parts (workspace, subject, sequence)
        WHERE (place >= 1000000 OR place < -1000000);
      CREATE TABLE dismissals (
        workspace INTEGER NOT NULL,
        subject INTEGER NOT NULL,
        other INTEGER NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (workspace, subject, other)
      ) STRICT, WITHOUT ROWID`,
  },
  {
    id: 31,
    name: "files of the lake without the rows of a deletion",
    sql: `
      CREATE TABLE lake_rewrites (
        workspace INTEGER NOT NULL,
        position INTEGER NOT NULL,
        path TEXT NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, position, path)
      ) STRICT, WITHOUT ROWID`,
  },
  {
    id: 32,
    name: "runs of the log by name",
    // The conditions are those of the facets `name` and `nameHash`.
    sql: `
      CREATE INDEX facets_name ON facets (workspace, value, run) WHERE facet = 3;
      CREATE INDEX facets_name_hash ON facets (workspace, value, run) WHERE facet = 4`,
  },
]
