import { webhookTables } from "./webhookTables.ts"
import { workspaceData } from "./workspaceData.ts"
import { recordCodes, stateCodes } from "@inlet/storage/codes"
import { sqlNumber, sqlRowId, sqlWorkspace } from "../engine/rowIds.ts"

/** A change of the tables from one format to the next. `id` is the number of the new format. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}

/** The migrations in order. A migration that was released is never edited. */
export const released: ReadonlyArray<Migration> = [
  { id: 8, name: "subjects, activity and workspaces", sql: workspaceData },
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
  {
    id: 33,
    name: "counted runs of the log",
    // Facet 8 had the counts of some runs.
    sql: `
      CREATE TABLE log_counts (
        workspace INTEGER NOT NULL,
        block INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        outcome INTEGER NOT NULL,
        earliest INTEGER NOT NULL,
        latest INTEGER NOT NULL,
        entries INTEGER NOT NULL,
        PRIMARY KEY (workspace, block, kind, outcome)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX log_counts_latest ON log_counts (workspace, latest, block);
      INSERT INTO log_counts (workspace, block, kind, outcome, earliest, latest, entries)
        SELECT workspace, ${sqlNumber("id")} >> 12, ifnull(kind, 0), outcome, min(received), max(received), count(*)
        FROM heads CROSS JOIN activity
          ON id >= ${sqlRowId("workspace", "0")} AND id < ${sqlRowId("workspace", "(indexed_runs << 12)")}
        GROUP BY 1, 2, 3, 4;
      DELETE FROM facets WHERE facet = 8`,
  },
  {
    id: 34,
    name: "counts of what is erased",
    sql: `
      ALTER TABLE erasure_receipts ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE erasure_receipts ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE erasure_receipts ADD COLUMN mentions INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE erasure_receipts ADD COLUMN deliveries INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE erasure_receipts ADD COLUMN answers INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE erasure_receipts ADD COLUMN first_entry INTEGER;
      ALTER TABLE erasure_receipts ADD COLUMN last_entry INTEGER`,
  },
  {
    id: 35,
    name: "people who are alike",
    sql: `
      ALTER TABLE heads ADD COLUMN likeness INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE likeness (
        workspace INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        digest TEXT NOT NULL,
        subject INTEGER NOT NULL,
        PRIMARY KEY (workspace, kind, digest, subject)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE likeness_shared (
        workspace INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (workspace, kind, digest)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE likeness_work (
        workspace INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        state INTEGER NOT NULL,
        filled_to INTEGER NOT NULL,
        PRIMARY KEY (workspace, kind)
      ) STRICT, WITHOUT ROWID`,
  },
]
