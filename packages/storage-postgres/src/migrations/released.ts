import { recordCodes, stateCodes } from "@inlet/storage/codes"
import { indexedDecision } from "../tables/indexedColumns.ts"
import { webhookTables } from "./webhookTables.ts"
import { workspaceData } from "./workspaceData.ts"

/** A change of the tables from one format to the next. `id` is the number of the new format. */
export interface Migration {
  readonly id: number
  readonly name: string
  /** The statements of the migration, which run in order in one transaction. */
  readonly statements: ReadonlyArray<string>
}

/**
 * The migrations in order. A migration that was released is never edited.
 *
 * Nodes of the previous format keep running while a new node migrates, so a migration only adds: tables, indexes, and
 * columns that are nullable or have a default. A column is removed at the earliest two releases after the last version
 * of Inlet that uses the column. A column becomes mandatory at the earliest two releases after the last version that
 * leaves the column empty. Statements name the columns that they read and write.
 *
 * `workspace` comes first in every primary key and index of a workspace's data, so that workspaces can be spread over
 * databases.
 */
export const released: ReadonlyArray<Migration> = [
  {
    id: 1,
    name: "installation, workspaces and keys",
    statements: [
      // A writer runs one transaction at a time and numbers its transactions. `number` is the number of its last
      // committed transaction (see commitOutcome.ts). `workspace` is 0 for transactions of the whole installation.
      `CREATE TABLE writers (
        workspace BIGINT NOT NULL,
        writer BIGINT NOT NULL,
        number BIGINT NOT NULL,
        at TIMESTAMPTZ NOT NULL,
        PRIMARY KEY (workspace, writer)
      ) WITH (fillfactor = 50)`,
      `CREATE TABLE installation (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
      `CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        token BIGINT NOT NULL,
        until TIMESTAMPTZ NOT NULL
      )`,
      `CREATE TABLE workspaces (id BIGINT PRIMARY KEY, doc TEXT NOT NULL)`,
      `CREATE TABLE keys (
        workspace BIGINT NOT NULL,
        number BIGINT GENERATED ALWAYS AS IDENTITY,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        site_id TEXT UNIQUE,
        digest TEXT NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, number)
      )`,
      `CREATE UNIQUE INDEX keys_digest ON keys (digest) WHERE kind = 'pipelines'`,
      `CREATE TABLE uploads (
        workspace BIGINT NOT NULL,
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        at BIGINT NOT NULL,
        PRIMARY KEY (workspace, name)
      )`,
      `CREATE INDEX uploads_at ON uploads (workspace, at)`,
    ],
  },
  { id: 2, name: "people, objects and activity", statements: workspaceData },
  { id: 3, name: "webhooks", statements: webhookTables },
  {
    id: 4,
    name: "Kafka cursors",
    statements: ["CREATE TABLE kafka_cursors (workspace BIGINT PRIMARY KEY, sequence BIGINT NOT NULL)"],
  },
  {
    id: 5,
    name: "attempts by position",
    statements: ["CREATE INDEX webhook_attempts_by_position ON webhook_attempts (workspace, position)"],
  },
  {
    id: 6,
    name: "nodes",
    statements: [
      `CREATE TABLE nodes (
        id TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        version TEXT NOT NULL,
        started_at BIGINT NOT NULL,
        seen TIMESTAMPTZ NOT NULL,
        clock_ahead_ms BIGINT NOT NULL
      )`,
    ],
  },
  {
    id: 7,
    name: "number of records",
    statements: [
      "ALTER TABLE heads ADD COLUMN records BIGINT NOT NULL DEFAULT 0",
      `UPDATE heads SET records = counted.records
      FROM (
        SELECT workspace, count(*) AS records FROM subjects WHERE state IN (${recordCodes.join(", ")}) GROUP BY 1
      ) AS counted
      WHERE counted.workspace = heads.workspace`,
    ],
  },
  {
    id: 8,
    name: "last use of keys",
    statements: ["ALTER TABLE keys ADD COLUMN last_used BIGINT"],
  },
  {
    id: 9,
    name: "signed-out sessions",
    statements: [
      "CREATE TABLE signed_out_sessions (digest TEXT PRIMARY KEY, expires BIGINT NOT NULL)",
      "CREATE INDEX signed_out_sessions_expires ON signed_out_sessions (expires)",
    ],
  },
  {
    id: 10,
    name: "deleted workspaces",
    statements: [
      // The row in `heads` of a deleted workspace is deleted after all other rows of the workspace.
      "ALTER TABLE heads ADD COLUMN deleted_at BIGINT",
      "CREATE INDEX heads_deleted ON heads (workspace) WHERE deleted_at IS NOT NULL",
    ],
  },
  {
    id: 11,
    name: "management tokens",
    statements: [
      `CREATE TABLE management_tokens (
        workspace BIGINT NOT NULL,
        id TEXT NOT NULL,
        created BIGINT NOT NULL,
        used BIGINT,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, id)
      )`,
    ],
  },
  {
    id: 12,
    name: "signed-out sessions in copies",
    // Sessions belong to the installation, which has the workspace 0.
    statements: ["ALTER TABLE signed_out_sessions ADD COLUMN workspace BIGINT NOT NULL DEFAULT 0"],
  },
  {
    id: 13,
    name: "audit log",
    statements: [
      // The rows of a workspace stay when it is deleted. Those of the installation have the workspace 0.
      `CREATE TABLE audit_log (
        workspace BIGINT NOT NULL,
        position BIGINT NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, position)
      )`,
      "CREATE INDEX audit_log_by_position ON audit_log (position, workspace)",
    ],
  },
  {
    id: 14,
    name: "cursors of all readers of the log",
    // This migration may drop a table, because no version that uses the table was ever released.
    statements: [
      `CREATE TABLE log_cursors (
        workspace BIGINT NOT NULL,
        destination TEXT COLLATE "C" NOT NULL,
        token BIGINT NOT NULL,
        sequence BIGINT NOT NULL,
        PRIMARY KEY (workspace, destination)
      ) WITH (fillfactor = 50)`,
      `INSERT INTO log_cursors (workspace, destination, token, sequence)
        SELECT workspace, 'kafka', 0, sequence FROM kafka_cursors`,
      "DROP TABLE kafka_cursors",
    ],
  },
  {
    id: 15,
    name: "states of leaves of rules",
    statements: [
      "ALTER TABLE heads ADD COLUMN rules_version BIGINT NOT NULL DEFAULT 0",
      `CREATE TABLE leaf_states (
        subject BIGINT NOT NULL,
        leaf BIGINT NOT NULL,
        due BIGINT,
        workspace INTEGER NOT NULL,
        ring TEXT NOT NULL,
        PRIMARY KEY (workspace, subject, leaf)
      ) WITH (fillfactor = 80)`,
      "CREATE INDEX leaf_states_due ON leaf_states (workspace, due) WHERE due IS NOT NULL",
    ],
  },
  {
    id: 16,
    name: "rejected calls",
    statements: [
      `CREATE TABLE rejected_calls (
        workspace BIGINT NOT NULL,
        sequence BIGINT NOT NULL,
        received BIGINT NOT NULL,
        characters BIGINT NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, sequence)
      )`,
    ],
  },
  {
    id: 17,
    name: "workspaces with rules",
    statements: ["CREATE INDEX heads_with_rules ON heads (workspace) WHERE rules_version > 0"],
  },
  {
    id: 18,
    name: "entries by rule, reason and anonymous id",
    // The index by kind, outcome and rule replaces the one by kind and outcome. No version that uses that was released.
    statements: [
      "ALTER TABLE activity ADD COLUMN rule_code SMALLINT, ADD COLUMN reason_code SMALLINT, ADD COLUMN anonymous_code SMALLINT",
      `CREATE INDEX activity_decision ON activity (workspace, ${indexedDecision}, sequence)`,
      "CREATE INDEX activity_reason ON activity (workspace, reason_code, sequence) WHERE reason_code IS NOT NULL",
      "CREATE INDEX activity_anonymous ON activity (workspace, anonymous_code, sequence) WHERE anonymous_code IS NOT NULL",
      "DROP INDEX activity_outcome",
    ],
  },
  {
    id: 19,
    name: "rejected calls by receipt",
    statements: ["CREATE INDEX rejected_calls_received ON rejected_calls (workspace, received)"],
  },
  {
    id: 20,
    name: "builds of rules",
    statements: [
      "CREATE INDEX leaf_states_by_leaf ON leaf_states (workspace, leaf)",
      `CREATE INDEX rule_builds ON subjects (workspace) WHERE state = ${stateCodes.ruleBuild}`,
    ],
  },
  {
    id: 21,
    name: "senders of operations",
    statements: [
      "ALTER TABLE activity ADD COLUMN sender SMALLINT",
      `CREATE TABLE senders (
        workspace BIGINT NOT NULL,
        id BIGINT NOT NULL,
        doc TEXT COLLATE "C" NOT NULL,
        PRIMARY KEY (workspace, id)
      )`,
      "CREATE UNIQUE INDEX senders_by_doc ON senders (workspace, doc)",
    ],
  },
  {
    id: 22,
    name: "erasure ledger",
    statements: [
      `CREATE TABLE erasures (
        workspace BIGINT NOT NULL,
        at BIGINT NOT NULL,
        position BIGINT NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, at, position)
      )`,
    ],
  },
  {
    id: 23,
    name: "files of the lake",
    statements: [
      `CREATE TABLE lake_files (
        workspace BIGINT NOT NULL,
        path TEXT COLLATE "C" NOT NULL,
        replaced BIGINT,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, path)
      )`,
      `CREATE TABLE lake_erasures (
        workspace BIGINT NOT NULL,
        position BIGINT NOT NULL,
        subject BIGINT NOT NULL,
        received BIGINT NOT NULL,
        PRIMARY KEY (workspace, position)
      )`,
    ],
  },
  {
    id: 24,
    name: "columns of keys",
    // This migration may drop a column, because no version that uses the column was ever released.
    statements: [
      "ALTER TABLE keys ADD COLUMN name TEXT, ADD COLUMN created BIGINT, ADD COLUMN prefix TEXT, ADD COLUMN expires BIGINT",
      `UPDATE keys SET name = doc::json ->> 'name', created = (doc::json ->> 'createdAt')::bigint,
        prefix = doc::json ->> 'prefix', expires = (doc::json ->> 'expiresAt')::bigint`,
      "ALTER TABLE keys ALTER COLUMN name SET NOT NULL, ALTER COLUMN created SET NOT NULL, DROP COLUMN doc",
    ],
  },
  {
    id: 25,
    name: "receipts of erasures",
    // A receipt without a document is not sealed.
    statements: [
      `CREATE TABLE erasure_receipts (
        workspace BIGINT NOT NULL,
        at BIGINT NOT NULL,
        position BIGINT NOT NULL,
        doc TEXT,
        PRIMARY KEY (workspace, at, position)
      )`,
      "CREATE INDEX erasure_receipts_unsealed ON erasure_receipts (at) WHERE doc IS NULL",
    ],
  },
  {
    id: 26,
    name: "pairs of people who may be one",
    // The condition of the indexes is that of `sqlEvidence`.
    statements: [
      "CREATE INDEX entry_parts_evidence ON entry_parts (workspace, sequence) WHERE (place >= 1000000 OR place < -1000000)",
      `CREATE INDEX entry_parts_evidence_subject ON entry_parts (workspace, subject, sequence)
        WHERE (place >= 1000000 OR place < -1000000)`,
      `CREATE TABLE dismissals (
        workspace BIGINT NOT NULL,
        subject BIGINT NOT NULL,
        other BIGINT NOT NULL,
        at BIGINT NOT NULL,
        PRIMARY KEY (workspace, subject, other)
      )`,
    ],
  },
  {
    id: 27,
    name: "files of the lake without the rows of a deletion",
    statements: [
      `CREATE TABLE lake_rewrites (
        workspace BIGINT NOT NULL,
        position BIGINT NOT NULL,
        path TEXT COLLATE "C" NOT NULL,
        doc TEXT NOT NULL,
        PRIMARY KEY (workspace, position, path)
      )`,
    ],
  },
  {
    id: 28,
    name: "counted blocks of the log",
    statements: [
      "ALTER TABLE heads ADD COLUMN counted_to BIGINT NOT NULL DEFAULT 0",
      `CREATE TABLE log_counts (
        block BIGINT NOT NULL,
        earliest BIGINT NOT NULL,
        latest BIGINT NOT NULL,
        workspace INTEGER NOT NULL,
        entries INTEGER NOT NULL,
        kind SMALLINT NOT NULL,
        outcome SMALLINT NOT NULL,
        PRIMARY KEY (workspace, block, kind, outcome)
      )`,
      "CREATE INDEX log_counts_latest ON log_counts (workspace, latest, block)",
    ],
  },
  {
    id: 29,
    name: "counts of what is erased",
    statements: [
      `ALTER TABLE erasure_receipts ADD COLUMN events BIGINT NOT NULL DEFAULT 0,
        ADD COLUMN entries BIGINT NOT NULL DEFAULT 0, ADD COLUMN mentions BIGINT NOT NULL DEFAULT 0,
        ADD COLUMN deliveries BIGINT NOT NULL DEFAULT 0, ADD COLUMN answers BIGINT NOT NULL DEFAULT 0,
        ADD COLUMN first_entry BIGINT, ADD COLUMN last_entry BIGINT`,
    ],
  },
  {
    id: 30,
    name: "people who are alike",
    statements: [
      "ALTER TABLE heads ADD COLUMN likeness BIGINT NOT NULL DEFAULT 0",
      `CREATE TABLE likeness (
        workspace BIGINT NOT NULL,
        kind BIGINT NOT NULL,
        digest TEXT COLLATE "C" NOT NULL,
        subject BIGINT NOT NULL,
        PRIMARY KEY (workspace, kind, digest, subject)
      )`,
      `CREATE TABLE likeness_shared (
        workspace BIGINT NOT NULL,
        kind BIGINT NOT NULL,
        digest TEXT COLLATE "C" NOT NULL,
        PRIMARY KEY (workspace, kind, digest)
      )`,
      `CREATE TABLE likeness_work (
        workspace BIGINT NOT NULL,
        kind BIGINT NOT NULL,
        state BIGINT NOT NULL,
        filled_to BIGINT NOT NULL,
        PRIMARY KEY (workspace, kind)
      )`,
    ],
  },
  {
    id: 31,
    name: "receipts that wait, in their order",
    statements: [
      "CREATE INDEX erasure_receipts_waiting ON erasure_receipts (at, workspace, position) WHERE doc IS NULL",
      "DROP INDEX erasure_receipts_unsealed",
    ],
  },
]
