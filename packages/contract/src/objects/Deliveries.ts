import {
  Channel,
  DeliveryMetric,
  SourceId,
  type Delivery,
  type SourceIds,
} from "@inlethq/core/state/Delivery"
import type { DeliveryRecord } from "@inlethq/core/catalog/Catalog"
import { searchedName } from "@inlethq/core/state/searchedNames"
import { svcIdText, WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, reads, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { DeliveryCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { PathId } from "../values/PathId.ts"
import { Unprocessable } from "../access/Problem.ts"

const Text = Schema.String.check(Schema.isMaxLength(1000))

/** The ids of the campaign, broadcast or other source that a message came from (pipelines-api §6.2). */
const sourceIds = Struct.map(
  {
    action_id: Schema.Int,
    journey_id: Schema.Int,
    parent_action_id: Schema.Int,
    campaign_id: Schema.Int,
    broadcast_id: Schema.Int,
    newsletter_id: Schema.Int,
    transactional_message_id: Schema.Int,
    content_id: Schema.Int,
    trigger_id: Schema.Int,
    trigger_event_id: Text,
  } satisfies Record<SourceId, Schema.Top>,
  Schema.optionalKey,
)

const MetricDocument = Schema.Struct({ first_at: IsoTime, count: Schema.Int }).annotate({
  identifier: "DeliveryMetric",
  description:
    "the earliest time of the reports of a metric, by the reports' own times, and the number of these reports",
})

/** The record of a sent message. */
export const DeliveryDocument = Schema.Struct({
  delivery_id: Schema.String,
  channel: Schema.NullOr(Channel),
  svc_id: Schema.NullOr(Schema.String),
  /** The attribute `name` of the person, or `first_name` and `last_name`. */
  name: Schema.NullOr(Schema.String),
  recipient: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  metrics: Schema.Record(DeliveryMetric, Schema.optionalKey(MetricDocument)),
  ...sourceIds,
  created_at: IsoTime,
  updated_at: IsoTime,
}).annotate({
  identifier: "Delivery",
  description:
    "the record of a sent message; the first report about the message, or its registration, creates the record",
})
export type DeliveryDocument = typeof DeliveryDocument.Type

const exactlyOne = { expected: "exactly one of id, email and svc_id" }

const Addressee = Schema.Struct({
  id: Schema.optionalKey(Schema.NonEmptyString),
  email: Schema.optionalKey(Schema.NonEmptyString),
  svc_id: Schema.optionalKey(Schema.NonEmptyString),
})
  .check(Schema.isMinProperties(1, exactlyOne), Schema.isMaxProperties(1, exactlyOne))
  .annotate({
    identifier: "Addressee",
    description:
      "the person who received a message, given by exactly one of `id`, `email` and `svc_id`; 422 if the person does not exist",
  })

const DeliveryRegistration = Schema.Struct({
  channel: Channel,
  person: Schema.optionalKey(Addressee),
  recipient: Schema.optionalKey(Schema.NullOr(Text)),
  subject: Schema.optionalKey(Schema.NullOr(Text)),
  ...sourceIds,
}).annotate({
  identifier: "DeliveryRegistration",
  description:
    "the channel, recipient and source of a message; replaces an earlier registration, but not the metrics",
})
export type DeliveryRegistration = typeof DeliveryRegistration.Type

const params = { w: WorkspaceId, delivery_id: PathId }

export class DeliveriesGroup extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/deliveries", {
      params: { w: WorkspaceId },
      query: pageQuery(DeliveryCursor),
      success: Page(DeliveryDocument, DeliveryCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("get", "/workspaces/:w/deliveries/:delivery_id", {
      params,
      success: DeliveryDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.put("register", "/workspaces/:w/deliveries/:delivery_id", {
      params,
      payload: DeliveryRegistration,
      success: DeliveryDocument,
      error: Unprocessable,
    }).annotate(Requirement, writes("delivery.register")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Deliveries" })) {}

export const deliveryDocument = ({ delivery, person }: DeliveryRecord): DeliveryDocument => ({
  ...sourcesDocument(delivery.sources),
  delivery_id: delivery.deliveryId,
  channel: delivery.channel,
  svc_id: person === null ? null : svcIdText(person.workspace, person.key),
  name: person === null ? null : searchedName(person.attributes),
  recipient: delivery.recipient,
  subject: delivery.subject,
  metrics: metricsDocument(delivery.metrics),
  created_at: toIso(delivery.createdAt),
  updated_at: toIso(delivery.updatedAt),
})

const metricsDocument = (metrics: Delivery["metrics"]): DeliveryDocument["metrics"] =>
  Object.fromEntries(
    [...metrics].map(([metric, { count, firstAt }]) => [metric, { first_at: toIso(firstAt), count }]),
  )

const sourcesDocument = (sources: SourceIds) => {
  const trigger = sources.get("trigger_event_id")
  return {
    ...Object.fromEntries([...sources].filter(isNumber)),
    ...(typeof trigger === "string" ? { trigger_event_id: trigger } : {}),
  }
}

const isNumber = (source: readonly [SourceId, string | number]): source is [SourceId, number] =>
  typeof source[1] === "number"

export const sourcesIn = (registration: DeliveryRegistration): SourceIds =>
  new Map(
    SourceId.literals.flatMap((name) => {
      const value = registration[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
