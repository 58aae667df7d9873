import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"

/**
 * The kind of events that a webhook sends: reporting events, entries of the activity log (contract §17), changes of what
 * operations look like, or alerts.
 */
export const WebhookKind = Schema.Literals(["reporting", "activity", "types", "alerts"])
export type WebhookKind = typeof WebhookKind.Type

/**
 * The order in which a webhook sends events. With `strict`, an event waits until every earlier event was delivered,
 * failed or was skipped. With `per_person`, an event waits only for earlier events of the same person or object. With
 * `none`, an event waits for no other event.
 */
export const WebhookOrdering = Schema.Literals(["strict", "per_person", "none"])
export type WebhookOrdering = typeof WebhookOrdering.Type

/**
 * The schedule of waits between attempts. `hosted` is the schedule of the hosted service, and `standard` is the
 * schedule that Standard Webhooks recommends (contract §17).
 */
export const RetrySchedule = Schema.Literals(["hosted", "standard"])
export type RetrySchedule = typeof RetrySchedule.Type

/** The waits between attempts of webhooks and forwards. `quick` begins with a second and doubles up to five minutes. */
export const DeliveryRetry = Schema.Literals(["quick", ...RetrySchedule.literals])
export type DeliveryRetry = typeof DeliveryRetry.Type

/**
 * A signing secret that was replaced. Requests are still signed with it until `until`, so that receivers have time to
 * switch to the new secret.
 */
const ReplacedSecret = Schema.Struct({ sealed: Schema.String, until: Schema.Int })

/** The settings of a webhook of one workspace. Its secrets are encrypted ("sealed"). */
export const Webhook = Schema.Struct({
  workspace: WorkspaceId,
  webhookId: Schema.NonEmptyString,
  name: Schema.String,
  url: Schema.String,
  kind: WebhookKind,
  /**
   * The names of the reporting events to send, such as `email_opened`, of the changes, such as `new_name`, or of the conditions of
   * alerts, such as `lag`. The list `["*"]`
   * stands for all.
   */
  events: Schema.Array(Schema.String),
  /** The filter that selects the entries that an activity webhook sends. Null selects all entries. */
  filter: Schema.NullOr(Schema.String),
  ordering: WebhookOrdering,
  retry: RetrySchedule,
  /** Whether to send only the first report of each metric of a delivery. */
  firstOnly: Schema.Boolean,
  /** Whether reporting events about subscription preferences include the changed preferences. */
  bodyContent: Schema.Boolean,
  /** Whether the webhook sends events. A disabled webhook keeps its position in the log. */
  enabled: Schema.Boolean,
  sealedSecret: Schema.String,
  replacedSecret: Schema.NullOr(ReplacedSecret),
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Webhook = typeof Webhook.Type
