import { heldStateCodes } from "@inlethq/storage/tables/webhooks/webhookRows"

const retrying = `state = ${heldStateCodes.retrying}`

/**
 * What leaves: webhooks, forwards and lakes. Forwards share the tables of webhooks for their progress and attempts. If a webhook is removed, its progress row is first only marked as removed. The row is
 * deleted after all other rows of the webhook have been deleted in bounded steps.
 */
export const destinations: ReadonlyArray<string> = [
  `CREATE TABLE webhooks (
    created BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  )`,
  `CREATE TABLE webhook_progress (
    position BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    first_tries BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    removed BOOLEAN NOT NULL DEFAULT false,
    webhook TEXT COLLATE "C" NOT NULL,
    ahead TEXT NOT NULL,
    PRIMARY KEY (workspace, webhook)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE webhook_held (
    position BIGINT NOT NULL,
    subject BIGINT,
    attempts BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    held_at BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    state SMALLINT NOT NULL,
    in_order SMALLINT NOT NULL,
    webhook TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, webhook, position)
  )`,
  `CREATE INDEX webhook_retrying ON webhook_held (workspace, webhook, in_order DESC, position) WHERE ${retrying}`,
  `CREATE INDEX webhook_given_up ON webhook_held (workspace, webhook, held_at) WHERE NOT ${retrying}`,
  `CREATE TABLE webhook_attempts (
    key BIGINT NOT NULL,
    position BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    first_try BIGINT,
    workspace INTEGER NOT NULL,
    status SMALLINT NOT NULL,
    webhook TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, webhook, key)
  )`,
  `CREATE INDEX webhook_attempts_by_status ON webhook_attempts (workspace, webhook, status, key)`,
  `CREATE INDEX webhook_attempts_by_event ON webhook_attempts (workspace, webhook, position)`,
  `CREATE INDEX webhook_first_tries ON webhook_attempts (workspace, webhook, first_try) WHERE first_try IS NOT NULL`,
  `CREATE INDEX webhook_attempts_by_age ON webhook_attempts (workspace, webhook, at) WHERE first_try IS NULL`,
  `CREATE INDEX webhook_attempts_by_position ON webhook_attempts (workspace, position)`,

  `CREATE TABLE forwards (
    created BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  )`,
  `CREATE TABLE forward_names (
    position BIGINT NOT NULL,
    at BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    forward TEXT COLLATE "C" NOT NULL,
    sealed TEXT NOT NULL,
    PRIMARY KEY (workspace, position, forward)
  )`,
  `CREATE INDEX forward_names_by_age ON forward_names (workspace, at)`,

  `CREATE TABLE destination_hours (
    hour BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    lag_entries BIGINT NOT NULL,
    lag_ms BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    destination TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, destination, hour)
  )`,
  `CREATE INDEX destination_hours_by_age ON destination_hours (workspace, hour)`,

  `CREATE TABLE lake_files (
    replaced BIGINT,
    workspace INTEGER NOT NULL,
    path TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, path)
  )`,
  `CREATE TABLE lake_erasures (
    position BIGINT NOT NULL,
    subject BIGINT NOT NULL,
    received BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    PRIMARY KEY (workspace, position)
  )`,
  `CREATE TABLE lake_rewrites (
    position BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    path TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, position, path)
  )`,
  `CREATE TABLE type_summaries (
    workspace INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL,
    shape TEXT NOT NULL,
    PRIMARY KEY (workspace, kind, name)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE cause_summaries (
    workspace INTEGER NOT NULL,
    cause TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, cause)
  ) WITH (fillfactor = 50)`,
]
