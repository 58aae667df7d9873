import { listedCodes, stateCodes } from "@inlethq/storage/columns/codes"
import { sqlEvidence } from "@inlethq/storage/rows/partRows"
import { heldStateCodes } from "@inlethq/storage/tables/webhooks/webhookRows"
import { sqlWorkspace } from "../engine/rowIds.ts"

/**
 * For a query with `state = 1`, SQLite uses a partial index only if the condition of the index is written as
 * comparisons joined by OR, such as `state = 1 OR state = 6`.
 */
const isListed = listedCodes.map((code) => `state = ${code}`).join(" OR ")

const retrying = `state = ${heldStateCodes.retrying}`

/** The installation: workspaces, their keys, and who may sign in. */
const installation = `
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE probe (content BLOB NOT NULL) STRICT;

  CREATE TABLE workspaces (id INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
  CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    site_id TEXT UNIQUE,
    digest TEXT NOT NULL,
    prefix TEXT,
    created INTEGER NOT NULL,
    last_used INTEGER,
    expires INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX keys_digest ON keys (digest) WHERE kind = 'pipelines';

  CREATE TABLE management_tokens (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    used INTEGER,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
  -- Sessions belong to the installation, which has the workspace 0.
  CREATE TABLE console_sessions (
    id TEXT PRIMARY KEY,
    workspace INTEGER NOT NULL DEFAULT 0,
    principal TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX console_sessions_by_age ON console_sessions (created, id);
  CREATE INDEX console_sessions_by_principal ON console_sessions (principal, created, id);
  CREATE INDEX console_sessions_expires ON console_sessions (expires);
  CREATE TABLE spent_sign_ins (
    digest TEXT PRIMARY KEY,
    workspace INTEGER NOT NULL DEFAULT 0,
    expires INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX spent_sign_ins_expires ON spent_sign_ins (expires);

  -- The rows of a workspace stay when it is deleted. Those of the installation have the workspace 0.
  CREATE TABLE audit_log (
    workspace INTEGER NOT NULL,
    position INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_log_by_position ON audit_log (position, workspace);

  CREATE TABLE uploads (
    workspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uploads_at ON uploads (at);

  CREATE TABLE imports (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    ended INTEGER NOT NULL,
    version INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX imports_ended ON imports (ended, id);

  CREATE TABLE import_errors (
    workspace INTEGER NOT NULL,
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    line INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (workspace, job, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE import_error_names (
    workspace INTEGER NOT NULL,
    digest TEXT NOT NULL,
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (workspace, digest, job, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX import_error_names_by_job ON import_error_names (workspace, job, number);
`

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

/**
 * What leaves: webhooks and lakes. If a webhook is removed, its progress row is first only marked as removed. The row is
 * deleted after all other rows of the webhook have been deleted in bounded steps.
 */
const destinations = `
  CREATE TABLE webhooks (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE webhook_progress (
    workspace INTEGER NOT NULL,
    webhook TEXT NOT NULL,
    position INTEGER NOT NULL,
    ahead TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    first_tries INTEGER NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, webhook)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhook_removed ON webhook_progress (removed) WHERE removed = 1;

  CREATE TABLE webhook_held (
    workspace INTEGER NOT NULL,
    webhook TEXT NOT NULL,
    position INTEGER NOT NULL,
    subject INTEGER,
    state INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    in_order INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    held_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, webhook, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhook_retrying ON webhook_held (workspace, webhook, in_order DESC, position) WHERE ${retrying};
  CREATE INDEX webhook_given_up ON webhook_held (held_at) WHERE NOT ${retrying};

  CREATE TABLE webhook_attempts (
    workspace INTEGER NOT NULL,
    webhook TEXT NOT NULL,
    key INTEGER NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    status INTEGER NOT NULL,
    first_try INTEGER,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, webhook, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhook_attempts_by_status ON webhook_attempts (workspace, webhook, status, key);
  CREATE INDEX webhook_first_tries ON webhook_attempts (workspace, webhook, first_try) WHERE first_try IS NOT NULL;
  CREATE INDEX webhook_attempts_by_age ON webhook_attempts (at) WHERE first_try IS NULL;
  CREATE INDEX webhook_attempts_by_position ON webhook_attempts (workspace, position);

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
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE lake_rewrites (
    workspace INTEGER NOT NULL,
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, position, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE type_summaries (
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    doc TEXT NOT NULL,
    shape TEXT NOT NULL,
    PRIMARY KEY (workspace, kind, name)
  ) STRICT;
  CREATE TABLE cause_summaries (
    workspace INTEGER NOT NULL,
    cause TEXT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, cause)
  ) STRICT;
`

/** All tables of the first released format. */
export const schema = [installation, log, subjects, erasures, destinations].join("")
