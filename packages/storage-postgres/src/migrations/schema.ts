import { listedCodes, stateCodes } from "@inlethq/storage/columns/codes"
import { sqlEvidence } from "@inlethq/storage/rows/partRows"
import { indexedDecision, indexedName } from "../tables/indexedColumns.ts"
import { destinations } from "./destinations.ts"
import { installation } from "./installation.ts"

/*
 * The tables of the first format. Texts that are compared have the collation "C", which compares code points and does
 * not depend on the libraries of the server's operating system.
 *
 * `workspace` has one type everywhere and comes first in every primary key and index of a workspace's data, so that
 * workspaces can be spread over databases.
 *
 * Rows of `heads`, `subjects` and some others are updated often. Their pages keep some free space, so that PostgreSQL
 * can store an updated row on the same page and need not change the indexes. It can do so only if no column of any
 * index changes, even of an index that does not contain the row. Therefore no index has the column `updated`, which
 * changes with each update of a person. The column `seen` equals `updated` for anonymous visitors, and is null for
 * everything else.
 */

const isListed = `state IN (${listedCodes.join(", ")})`
const isErased = `state IN (${stateCodes.erased}, ${stateCodes.stillNamed})`

/**
 * The activity log of each workspace. `heads` has the next key and position. The row of a deleted workspace is deleted
 * after all its other rows.
 */
const log: ReadonlyArray<string> = [
  `CREATE TABLE heads (
    next_key BIGINT NOT NULL DEFAULT 1,
    next_sequence BIGINT NOT NULL DEFAULT 1,
    latest_receipt BIGINT,
    pruned_to BIGINT NOT NULL DEFAULT 0,
    counted_to BIGINT NOT NULL DEFAULT 0,
    records BIGINT NOT NULL DEFAULT 0,
    rules_version BIGINT NOT NULL DEFAULT 0,
    deleted_at BIGINT,
    workspace INTEGER PRIMARY KEY
  ) WITH (fillfactor = 20)`,
  `CREATE INDEX heads_deleted ON heads (workspace) WHERE deleted_at IS NOT NULL`,
  `CREATE INDEX heads_with_rules ON heads (workspace) WHERE rules_version > 0`,

  `CREATE TABLE activity (
    sequence BIGINT NOT NULL,
    subject BIGINT,
    at BIGINT NOT NULL,
    received BIGINT NOT NULL,
    processed BIGINT,
    workspace INTEGER NOT NULL,
    parts INTEGER,
    kind SMALLINT,
    source SMALLINT NOT NULL,
    outcome SMALLINT NOT NULL,
    rule_code SMALLINT,
    reason_code SMALLINT,
    anonymous_code SMALLINT,
    sender SMALLINT,
    context SMALLINT,
    name TEXT COLLATE "C",
    claim TEXT COLLATE "C",
    long_claim TEXT COLLATE "C",
    detail TEXT NOT NULL,
    PRIMARY KEY (workspace, sequence)
  )`,
  `CREATE UNIQUE INDEX activity_claim ON activity (workspace, claim) WHERE claim IS NOT NULL`,
  `CREATE INDEX activity_subject ON activity (workspace, subject, sequence) WHERE subject IS NOT NULL`,
  `CREATE INDEX activity_decision ON activity (workspace, ${indexedDecision}, sequence)`,
  `CREATE INDEX activity_name ON activity (workspace, ${indexedName}, sequence) WHERE name IS NOT NULL`,
  `CREATE INDEX activity_reason ON activity (workspace, reason_code, sequence) WHERE reason_code IS NOT NULL`,
  `CREATE INDEX activity_anonymous ON activity (workspace, anonymous_code, sequence) WHERE anonymous_code IS NOT NULL`,

  `CREATE TABLE entry_parts (
    sequence BIGINT NOT NULL,
    subject BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    place INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, sequence, subject, place)
  )`,
  `CREATE INDEX entry_parts_subject ON entry_parts (workspace, subject, sequence)`,
  `CREATE INDEX entry_parts_evidence ON entry_parts (workspace, sequence) WHERE ${sqlEvidence}`,
  `CREATE INDEX entry_parts_evidence_subject ON entry_parts (workspace, subject, sequence) WHERE ${sqlEvidence}`,

  `CREATE TABLE rejected_calls (
    sequence BIGINT NOT NULL,
    received BIGINT NOT NULL,
    characters BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, sequence)
  )`,
  `CREATE INDEX rejected_calls_received ON rejected_calls (workspace, received)`,
  `CREATE TABLE senders (
    id BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    doc TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, id)
  )`,
  `CREATE UNIQUE INDEX senders_by_doc ON senders (workspace, doc)`,
  `CREATE TABLE contexts (
    workspace INTEGER NOT NULL,
    number SMALLINT NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (workspace, number)
  )`,
  `CREATE UNIQUE INDEX contexts_by_digest ON contexts (workspace, digest)`,
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
  `CREATE INDEX log_counts_latest ON log_counts (workspace, latest, block)`,
  `CREATE TABLE log_cursors (
    token BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    destination TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, destination)
  ) WITH (fillfactor = 50)`,
]

/** People, visitors, objects, deliveries, forms and segments, and what refers to them. */
const subjects: ReadonlyArray<string> = [
  `CREATE TABLE identifiers (
    subject BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, text)
  )`,
  `CREATE TABLE subjects (
    key BIGINT NOT NULL,
    owner BIGINT,
    created BIGINT,
    updated BIGINT,
    workspace INTEGER NOT NULL,
    state SMALLINT NOT NULL,
    name TEXT COLLATE "C",
    doc TEXT NOT NULL,
    seen BIGINT GENERATED ALWAYS AS (CASE WHEN state = ${stateCodes.anonymous} THEN updated END) STORED,
    PRIMARY KEY (workspace, key)
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX subjects_listed ON subjects (workspace, state, key) WHERE ${isListed}`,
  `CREATE INDEX subjects_of_type ON subjects (workspace, ${indexedName}, key) WHERE state = ${stateCodes.object}`,
  `CREATE INDEX subjects_anonymous ON subjects (workspace, seen) WHERE seen IS NOT NULL`,
  `CREATE INDEX subjects_erased ON subjects (workspace, state, key) WHERE ${isErased}`,
  `CREATE INDEX rule_builds ON subjects (workspace) WHERE state = ${stateCodes.ruleBuild}`,

  `CREATE TABLE links (
    target BIGINT NOT NULL,
    subject BIGINT NOT NULL,
    cleaned BIGINT NOT NULL DEFAULT 0,
    workspace INTEGER NOT NULL,
    PRIMARY KEY (workspace, target, subject)
  )`,
  `CREATE TABLE addressed (
    delivery BIGINT NOT NULL,
    cleaned BIGINT NOT NULL DEFAULT 0,
    workspace INTEGER NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, address, delivery)
  )`,
  `CREATE TABLE sizes (
    subject BIGINT NOT NULL,
    size BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    PRIMARY KEY (workspace, subject)
  ) WITH (fillfactor = 80)`,
  `CREATE TABLE segment_sizes (
    segment BIGINT NOT NULL,
    day BIGINT NOT NULL,
    size BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    PRIMARY KEY (workspace, segment, day)
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX segment_sizes_by_day ON segment_sizes (workspace, day)`,

  `CREATE TABLE leaf_states (
    subject BIGINT NOT NULL,
    leaf BIGINT NOT NULL,
    due BIGINT,
    workspace INTEGER NOT NULL,
    ring TEXT NOT NULL,
    PRIMARY KEY (workspace, subject, leaf)
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX leaf_states_due ON leaf_states (workspace, due) WHERE due IS NOT NULL`,
  `CREATE INDEX leaf_states_by_leaf ON leaf_states (workspace, leaf)`,

  `CREATE TABLE dismissals (
    subject BIGINT NOT NULL,
    other BIGINT NOT NULL,
    at BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    PRIMARY KEY (workspace, subject, other)
  )`,

  `CREATE TABLE alerts (
    began BIGINT NOT NULL,
    began_mark BIGINT NOT NULL,
    ended BIGINT,
    ended_mark BIGINT,
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  )`,

  `CREATE TABLE saved_views (
    created BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    page TEXT NOT NULL,
    name TEXT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  )`,
]

/** Suppressions, and what is known of those who were erased. A receipt without a document is not sealed. */
const erasures: ReadonlyArray<string> = [
  `CREATE TABLE suppressions (
    group_key BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, digest)
  )`,
  `CREATE INDEX suppressed_together ON suppressions (workspace, group_key)`,
  `CREATE TABLE erased_addresses (
    subject BIGINT NOT NULL,
    before BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, address, subject)
  )`,
  `CREATE TABLE erasures (
    at BIGINT NOT NULL,
    position BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, at, position)
  )`,
  `CREATE TABLE erasure_receipts (
    at BIGINT NOT NULL,
    position BIGINT NOT NULL,
    events BIGINT NOT NULL DEFAULT 0,
    entries BIGINT NOT NULL DEFAULT 0,
    mentions BIGINT NOT NULL DEFAULT 0,
    deliveries BIGINT NOT NULL DEFAULT 0,
    answers BIGINT NOT NULL DEFAULT 0,
    first_entry BIGINT,
    last_entry BIGINT,
    workspace INTEGER NOT NULL,
    doc TEXT,
    PRIMARY KEY (workspace, at, position)
  )`,
  `CREATE INDEX erasure_receipts_waiting ON erasure_receipts (at, workspace, position) WHERE doc IS NULL`,
]

/** The statements that create all tables of the first released format. */
export const schema: ReadonlyArray<string> = [installation, log, subjects, erasures, destinations].flat()
