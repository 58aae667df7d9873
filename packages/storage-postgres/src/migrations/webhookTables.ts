import { heldStateCodes } from "@inlet/storage/tables/webhooks/webhookRows"

const retrying = `state = ${heldStateCodes.retrying}`

/**
 * The tables of webhooks. If a webhook is removed, its progress row is first only marked as removed. The row is deleted
 * after all other rows of the webhook have been deleted in bounded steps.
 */
export const webhookTables: ReadonlyArray<string> = [
  `CREATE TABLE webhooks (
    workspace INTEGER NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  )`,
  `CREATE TABLE webhook_progress (
    workspace INTEGER NOT NULL,
    webhook TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    ahead TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    first_tries BIGINT NOT NULL,
    removed BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (workspace, webhook)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE webhook_held (
    workspace INTEGER NOT NULL,
    webhook TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    subject BIGINT,
    state SMALLINT NOT NULL,
    attempts BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    in_order SMALLINT NOT NULL,
    received_at BIGINT NOT NULL,
    held_at BIGINT NOT NULL,
    PRIMARY KEY (workspace, webhook, position)
  )`,
  `CREATE INDEX webhook_retrying ON webhook_held (workspace, webhook, in_order DESC, position) WHERE ${retrying}`,
  `CREATE INDEX webhook_given_up ON webhook_held (workspace, webhook, held_at) WHERE NOT ${retrying}`,
  `CREATE TABLE webhook_attempts (
    workspace INTEGER NOT NULL,
    webhook TEXT COLLATE "C" NOT NULL,
    key BIGINT NOT NULL,
    position BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    status SMALLINT NOT NULL,
    first_try BIGINT,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, webhook, key)
  )`,
  `CREATE INDEX webhook_attempts_by_status ON webhook_attempts (workspace, webhook, status, key)`,
  `CREATE INDEX webhook_attempts_by_event ON webhook_attempts (workspace, webhook, position)`,
  `CREATE INDEX webhook_first_tries ON webhook_attempts (workspace, webhook, first_try) WHERE first_try IS NOT NULL`,
  `CREATE INDEX webhook_attempts_by_age ON webhook_attempts (workspace, webhook, at) WHERE first_try IS NULL`,
]
