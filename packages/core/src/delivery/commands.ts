import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import { Channel, DeliveryMetric, SourceIds } from "../state/Delivery.ts"
import { Reference } from "../values/Identifier.ts"

/** Report a metric of a message (track-api §2.6, contract §11). */
export const ReportMetric = Schema.TaggedStruct("ReportMetric", {
  ...envelope,
  deliveryId: Schema.NonEmptyString,
  metric: DeliveryMetric,
  recipient: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  href: Schema.NullOr(Schema.String),
  deviceToken: Schema.NullOr(Schema.String),
  /** The action that was clicked in an in-app message. */
  actionName: Schema.NullOr(Schema.String),
  actionValue: Schema.NullOr(Schema.String),
})
export type ReportMetric = typeof ReportMetric.Type

/** Unsubscribe the recipient of a message, or subscribe them again (track-api §4.3, contract §11). */
export const UnsubscribeByDelivery = Schema.TaggedStruct("UnsubscribeByDelivery", {
  ...envelope,
  deliveryId: Schema.NonEmptyString,
  unsubscribe: Schema.Boolean,
})
export type UnsubscribeByDelivery = typeof UnsubscribeByDelivery.Type

/** Register a delivery with its channel, recipient and sources (contract §11). Only operators send this. */
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
