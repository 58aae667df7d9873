import { Schema } from "effect"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** The channels of messages (contract §11). */
export const Channel = Schema.Literals(["email", "push", "sms", "in_app", "webhook", "slack", "whatsapp"])
export type Channel = typeof Channel.Type

/** The metrics of a message that can be reported (contract §11). */
export const DeliveryMetric = Schema.Literals([
  "bounced",
  "clicked",
  "converted",
  "deferred",
  "delivered",
  "dropped",
  "opened",
  "spammed",
])
export type DeliveryMetric = typeof DeliveryMetric.Type

/**
 * The names of the ids that link a message to its sources, such as its campaign. Metric events contain these ids
 * (pipelines-api §6.2).
 */
export const SourceId = Schema.Literals([
  "action_id",
  "journey_id",
  "parent_action_id",
  "campaign_id",
  "broadcast_id",
  "newsletter_id",
  "transactional_message_id",
  "content_id",
  "trigger_id",
  "trigger_event_id",
])
export type SourceId = typeof SourceId.Type

/** The ids of a message's sources, by name. `trigger_event_id` is a string, and all other ids are integers. */
export const SourceIds = Schema.ReadonlyMap(SourceId, Schema.Union([Schema.Int, Schema.String]))
export type SourceIds = typeof SourceIds.Type

/** The reports of one metric: the earliest time stated in a report, and the number of reports. */
const MetricReports = Schema.Struct({ firstAt: Schema.Int, count: Schema.Int })

/** A message to one recipient. A delivery is created when it is registered or first reported (contract §11). */
export const Delivery = Schema.TaggedStruct("Delivery", {
  key: SubjectKey,
  workspace: WorkspaceId,
  deliveryId: Schema.NonEmptyString,
  channel: Schema.NullOr(Channel),
  /** The key of the recipient. The recipient may have been merged or deleted since. */
  person: Schema.NullOr(SubjectKey),
  /**
   * The recipients of earlier registrations of this delivery, at most `registrationsMax`. Later reports on the delivery
   * may still name these recipients.
   */
  formerly: Schema.Array(SubjectKey),
  /** The log position of the last registration; null if the delivery was never registered. */
  registered: Schema.NullOr(Sequence),
  recipient: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  sources: SourceIds,
  metrics: Schema.ReadonlyMap(DeliveryMetric, MetricReports),
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Delivery = typeof Delivery.Type

/** The largest number of people that one delivery can be registered for, not counting deleted people. */
export const registrationsMax = 100

/** Returns the recipients of the current and the earlier registrations of a delivery. */
export const recipientsOf = ({ formerly, person }: Delivery): ReadonlyArray<SubjectKey> =>
  person === null ? formerly : [...formerly, person]
