import { Schema } from "effect"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** What messages are sent through (contract §11). */
export const Channel = Schema.Literals(["email", "push", "sms", "in_app", "webhook", "slack", "whatsapp"])
export type Channel = typeof Channel.Type

/** What is reported of a message (contract §11). */
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

/** The numbers of what a message came from, as metric events carry them (pipelines-api §6.2). */
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

/** `trigger_event_id` is a text, every other one an integer. */
export const SourceIds = Schema.ReadonlyMap(SourceId, Schema.Union([Schema.Int, Schema.String]))
export type SourceIds = typeof SourceIds.Type

/** What is known of a metric: when it was reported for the first time, by the report's own time, and how often. */
const MetricReports = Schema.Struct({ firstAt: Schema.Int, count: Schema.Int })

/** A message that was sent to somebody: known from its first report, or from being registered (contract §11). */
export const Delivery = Schema.TaggedStruct("Delivery", {
  key: SubjectKey,
  workspace: WorkspaceId,
  deliveryId: Schema.NonEmptyString,
  channel: Schema.NullOr(Channel),
  /** To whom it was sent; that subject may have been merged or deleted since. */
  person: Schema.NullOr(SubjectKey),
  /** Those it was registered for before, at most `registrationsMax`: they may be named in its reports. */
  formerly: Schema.Array(SubjectKey),
  /** The position of the last registration; null before the first. */
  registered: Schema.NullOr(Sequence),
  recipient: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  sources: SourceIds,
  metrics: Schema.ReadonlyMap(DeliveryMetric, MetricReports),
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Delivery = typeof Delivery.Type

/** People for whom one delivery can be registered, one after the other, as long as they are not deleted. */
export const registrationsMax = 100

/** Everyone for whom a delivery was registered. */
export const recipientsOf = ({ formerly, person }: Delivery): ReadonlyArray<SubjectKey> =>
  person === null ? formerly : [...formerly, person]
