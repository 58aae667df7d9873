import { listedCodes, stateCodes } from "@inlethq/storage/columns/codes"
import { sqlEvidence } from "@inlethq/storage/rows/partRows"
import { sqlWorkspace } from "../engine/rowIds.ts"
import { destinations } from "./destinations.ts"
import { installation } from "./installation.ts"

/**
 * For a query with `state = 1`, SQLite uses a partial index only if the condition of the index is written as
 * comparisons joined by OR, such as `state = 1 OR state = 6`.
 */
const isListed = listedCodes.map((code) => `state = ${code}`).join(" OR ")

/**
 * The activity log of each workspace. `heads` has the next key and position; the row of a deleted workspace goes after
 * all its other rows, and the counter `last_workspace` is the largest id of a deleted workspace.
 */
const log = `
  CREATE TABLE heads (
    workspace INTEGER PRIMARY KEY,
    next_key INTEGER NOT NULL,
    next_sequence INTEGER NOT NULL,
    latest_receipt INTEGER,
    pruned_to INTEGER NOT NULL DEFAULT 0,
    timeline_runs INTEGER NOT NULL DEFAULT 0,
    indexed_runs INTEGER NOT NULL DEFAULT 0,
    records INTEGER NOT NULL DEFAULT 0,
    deleted_at INTEGER,
    rules_version INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX heads_deleted ON heads (workspace) WHERE deleted_at IS NOT NULL;
  CREATE INDEX heads_with_rules ON heads (workspace) WHERE rules_version > 0;

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
    rule_code INTEGER,
    reason_code INTEGER,
    anonymous_code INTEGER,
    sender INTEGER,
    context INTEGER,
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
  CREATE INDEX evidence ON entry_parts (workspace, sequence) WHERE ${sqlEvidence};
  CREATE INDEX evidence_subject ON entry_parts (workspace, subject, sequence) WHERE ${sqlEvidence};

  CREATE TABLE rejected_calls (
    workspace INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    received INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rejected_calls_received ON rejected_calls (workspace, received);

  CREATE TABLE senders (
    workspace INTEGER NOT NULL,
    id INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX senders_by_doc ON senders (workspace, doc);

  CREATE TABLE contexts (
    workspace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    digest TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (workspace, number)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX contexts_by_digest ON contexts (workspace, digest);

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
  -- The conditions are those of the facets \`name\` and \`nameHash\`.
  CREATE INDEX facets_name ON facets (workspace, value, run) WHERE facet = 3;
  CREATE INDEX facets_name_hash ON facets (workspace, value, run) WHERE facet = 4;

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

  CREATE TABLE log_cursors (
    workspace INTEGER NOT NULL,
    destination TEXT NOT NULL,
    token INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (workspace, destination)
  ) STRICT, WITHOUT ROWID;
`

/** People, visitors, objects, deliveries, forms and segments, and what refers to them. */
const subjects = `
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
  CREATE INDEX rule_builds ON subjects (id) WHERE state = ${stateCodes.ruleBuild};

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
  CREATE TABLE sizes (id INTEGER PRIMARY KEY, size INTEGER NOT NULL) STRICT;
  CREATE TABLE segment_sizes (
    workspace INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    day INTEGER NOT NULL,
    size INTEGER NOT NULL,
    PRIMARY KEY (workspace, segment, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX segment_sizes_by_day ON segment_sizes (workspace, day);

  CREATE TABLE leaf_states (
    workspace INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    leaf INTEGER NOT NULL,
    ring TEXT NOT NULL,
    due INTEGER,
    PRIMARY KEY (workspace, subject, leaf)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX leaf_states_due ON leaf_states (workspace, due) WHERE due IS NOT NULL;
  CREATE INDEX leaf_states_by_leaf ON leaf_states (workspace, leaf);

  CREATE TABLE dismissals (
    workspace INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    other INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace, subject, other)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE alerts (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    began INTEGER NOT NULL,
    began_mark INTEGER NOT NULL,
    ended INTEGER,
    ended_mark INTEGER,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE saved_views (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    page TEXT NOT NULL,
    name TEXT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
`

/** Suppressions, and what is known of those who were erased. A receipt without a document is not sealed. */
const erasures = `
  CREATE TABLE suppressions (
    workspace INTEGER NOT NULL,
    digest TEXT NOT NULL,
    group_key INTEGER NOT NULL,
    PRIMARY KEY (workspace, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX suppressed_together ON suppressions (workspace, group_key);

  CREATE TABLE erased_addresses (
    workspace INTEGER NOT NULL,
    address TEXT NOT NULL,
    subject INTEGER NOT NULL,
    before INTEGER NOT NULL,
    PRIMARY KEY (workspace, address, subject)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE erasures (
    workspace INTEGER NOT NULL,
    at INTEGER NOT NULL,
    position INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, at, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE erasure_receipts (
    workspace INTEGER NOT NULL,
    at INTEGER NOT NULL,
    position INTEGER NOT NULL,
    doc TEXT,
    events INTEGER NOT NULL DEFAULT 0,
    entries INTEGER NOT NULL DEFAULT 0,
    mentions INTEGER NOT NULL DEFAULT 0,
    deliveries INTEGER NOT NULL DEFAULT 0,
    answers INTEGER NOT NULL DEFAULT 0,
    first_entry INTEGER,
    last_entry INTEGER,
    PRIMARY KEY (workspace, at, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX erasure_receipts_unsealed ON erasure_receipts (at) WHERE doc IS NULL;
`

/** All tables of the first released format. */
export const schema = [installation, log, subjects, erasures, destinations].join("")
