import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { Channel, DeliveryMetric, SourceIds } from "../state/Delivery.ts"
import { Reference } from "../values/Identifier.ts"

/** Take a report about a message (track-api §2.6, contract §11). */
export const ReportMetric = Schema.TaggedStruct("ReportMetric", {
  ...envelope,
  deliveryId: Schema.NonEmptyString,
  metric: DeliveryMetric,
  recipient: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  href: Schema.NullOr(Schema.String),
  deviceToken: Schema.NullOr(Schema.String),
  /** What was clicked in a message within an app. */
  actionName: Schema.NullOr(Schema.String),
  actionValue: Schema.NullOr(Schema.String),
})
export type ReportMetric = typeof ReportMetric.Type

/** Unsubscribe the person whom a message went to, or take that back (track-api §4.3, contract §11). */
export const UnsubscribeByDelivery = Schema.TaggedStruct("UnsubscribeByDelivery", {
  ...envelope,
  deliveryId: Schema.NonEmptyString,
  unsubscribe: Schema.Boolean,
})
export type UnsubscribeByDelivery = typeof UnsubscribeByDelivery.Type

/** An operator says what a delivery is and to whom it went (contract §11). */
export const RegisterDelivery = Schema.TaggedStruct("RegisterDelivery", {
  ...envelope,
  deliveryId: Schema.NonEmptyString,
  channel: Channel,
  person: Schema.NullOr(Reference),
  recipient: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  sources: SourceIds,
})
export type RegisterDelivery = typeof RegisterDelivery.Type
