import { heldStateCodes } from "@inlethq/storage/tables/webhooks/webhookRows"

const retrying = `state = ${heldStateCodes.retrying}`

/**
 * What leaves: webhooks, forwards and lakes. Forwards share the tables of webhooks for their progress and attempts. If a webhook is removed, its progress row is first only marked as removed. The row is
 * deleted after all other rows of the webhook have been deleted in bounded steps.
 */
export const destinations = `
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

  CREATE TABLE forwards (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE forward_names (
    workspace INTEGER NOT NULL,
    position INTEGER NOT NULL,
    forward TEXT NOT NULL,
    at INTEGER NOT NULL,
    sealed TEXT NOT NULL,
    PRIMARY KEY (workspace, position, forward)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX forward_names_by_age ON forward_names (at);

  CREATE TABLE destination_hours (
    workspace INTEGER NOT NULL,
    destination TEXT NOT NULL,
    hour INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    lag_entries INTEGER NOT NULL,
    lag_ms INTEGER NOT NULL,
    PRIMARY KEY (workspace, destination, hour)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX destination_hours_by_age ON destination_hours (workspace, hour);

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
