import { Schema } from "effect"
import { read, type Management } from "./Management.ts"

const Created = Schema.Struct({ webhook_id: Schema.String, signing_secret: Schema.String })

const Attempts = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      attempt_id: Schema.String,
      event_id: Schema.String,
      operation_id: Schema.String,
      number: Schema.Int,
      status: Schema.String,
      response_status: Schema.NullOr(Schema.Int),
      response_excerpt: Schema.NullOr(Schema.String),
      next_at: Schema.NullOr(Schema.String),
    }),
  ),
})

const Webhooks = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      webhook_id: Schema.String,
      blocked_by: Schema.NullOr(Schema.Struct({ operation_id: Schema.String, attempts: Schema.Int })),
    }),
  ),
})

/** Returns the webhooks of a workspace, newest first. */
export const listWebhooks = async (management: Management) =>
  read(Webhooks, (await management.call("GET", management.pathOf("/webhooks"))).json).items

/** Creates a webhook. Throws if the answer is not 201. */
export const createWebhook = async (management: Management, settings: object) => {
  const answer = await management.call("POST", management.pathOf("/webhooks"), settings)
  if (answer.status !== 201) throw new Error(`cannot create a webhook: ${answer.status} ${answer.text}`)
  return read(Created, answer.json)
}

/** Calls an action of a webhook, such as `recover`. */
export const actOnWebhook = (management: Management, webhookId: string, action: string, body: object = {}) =>
  management.call("POST", management.pathOf(`/webhooks/${webhookId}/${action}`), body)

/** Returns the newest attempts of a webhook, newest first. */
export const attemptsOf = async (management: Management, webhookId: string, query = "") => {
  const path = management.pathOf(`/webhooks/${webhookId}/attempts?limit=1000${query}`)
  return read(Attempts, (await management.call("GET", path)).json).items
}
