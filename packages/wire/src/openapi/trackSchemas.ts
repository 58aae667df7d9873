import { defaultLimits, foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { ignoredFormKeys } from "../track-v1/forms.ts"
import { lastStatuses } from "../track-v2/devices.ts"
import { deliveryMetrics, pushMetrics } from "../decoding/delivery.ts"
import { deduplicationKeyBytesMax, viewNameKeys } from "../decoding/event.ts"
import {
  attributes,
  attributesWith,
  branded,
  exact,
  lenientTime,
  objectOf,
  oneIdentifier,
  oneOfValues,
  optionalObject,
  relationshipChange,
  relationshipsOrChange,
  requiredText,
  text,
  type JsonSchema,
} from "./fieldSchemas.ts"

/*
 * JSON schemas of the bodies of the Track API.
 */

const personId = text(defaultLimits.personIdBytesMax)

const reservedAttributes = (relationships: JsonSchema): Readonly<Record<string, JsonSchema>> => ({
  id: personId,
  email: text(defaultLimits.attributeValueBytesMax),
  ...branded("svc_id", personId),
  anonymous_id: personId,
  created_at: lenientTime,
  _timestamp: { ...lenientTime, description: "The time of the update. An older update changes nothing." },
  _update: { description: "If true, nobody is created." },
  unsubscribed: { description: "True, 1 or a text with one of them. Any other value is false." },
  ...branded("svc_relationships", relationships),
  ...branded("svc_subscription_preferences", {
    description: "The topics to which the person is subscribed.",
  }),
})

/** The schema of the attributes of a person in an item of Track v2. */
export const personAttributes: JsonSchema = {
  type: ["object", "array", "null"],
  maxItems: 0,
  ...attributesWith(reservedAttributes(relationshipsOrChange)),
}

/** The body of a v1 identify: the attributes of the person. An empty `id` is refused. */
export const identifyBody: JsonSchema = {
  type: ["object", "array", "null"],
  maxItems: 0,
  ...attributesWith({ ...reservedAttributes(relationshipChange), id: { ...personId, minLength: 1 } }),
}

const name = String.raw`\S([\s\S]{0,${defaultLimits.eventNameBytesMax - 2}}\S)?`

/** The name of an event. Spaces around it do not count, and a blank name counts as missing. */
const eventName: JsonSchema = { type: ["string", "null"], pattern: String.raw`^\s*(${name})?\s*$` }

const named = (key: string): JsonSchema => ({
  required: [key],
  properties: { [key]: { type: "string", pattern: String.raw`^\s*${name}\s*$` } },
})

/** The fields that events of both versions have, besides their type. */
export const eventFields: Readonly<Record<string, JsonSchema>> = {
  name: eventName,
  id: {
    ...text(deduplicationKeyBytesMax),
    description: "An event with an id that has arrived before has no effect.",
  },
  timestamp: lenientTime,
  _timestamp: lenientTime,
}

export const hasName = named("name")

/** Demands a name, or data from which the name of a page or screen view is taken. */
export const hasViewName = (dataKeys: ReadonlyArray<string>): JsonSchema => ({
  anyOf: [
    hasName,
    ...dataKeys.flatMap((data) =>
      viewNameKeys.map((key) => ({
        required: [data],
        properties: { [data]: { type: "object", ...named(key) } },
      })),
    ),
  ],
})

const view: JsonSchema = {
  required: ["type"],
  properties: { type: { enum: ["page", "screen"] } },
}

/** The body of a v1 event. A page or screen view may take its name from its data. */
export const eventBody: JsonSchema = {
  ...objectOf({
    ...eventFields,
    type: oneOfValues(["event", "page", "screen", null]),
    data: optionalObject,
    anonymous_id: personId,
  }),
  anyOf: [hasName, { allOf: [view, hasViewName(["data"])] }],
}

/** Returns the schema of a device to add, whose token is under `tokenKey`. */
export const deviceOf = (tokenKey: "id" | "token"): JsonSchema => {
  const status = tokenKey === "token" ? { _last_status: oneOfValues(lastStatuses) } : {}
  return {
    type: "object",
    ...attributesWith({
      [tokenKey]: requiredText(foreignIdBytesMax),
      platform: requiredText(defaultLimits.attributeValueBytesMax),
      last_used: lenientTime,
      attributes: { ...attributes, ...attributesWith(status) },
      ...status,
    }),
    required: [tokenKey, "platform"],
  }
}

export const deviceBody: JsonSchema = objectOf({ device: deviceOf("id") }, ["device"])

export const mergeParties: Readonly<Record<string, JsonSchema>> = {
  primary: oneIdentifier,
  secondary: oneIdentifier,
}

export const mergeBody: JsonSchema = objectOf(mergeParties, ["primary", "secondary"])

export const metricBody: JsonSchema = objectOf(
  {
    delivery_id: requiredText(foreignIdBytesMax),
    metric: oneOfValues(deliveryMetrics),
    timestamp: lenientTime,
    recipient: text(),
    reason: text(),
    href: text(),
  },
  ["delivery_id", "metric"],
)

export const pushMetricBody: JsonSchema = objectOf(
  {
    delivery_id: requiredText(foreignIdBytesMax),
    event: oneOfValues(pushMetrics),
    device_id: text(foreignIdBytesMax),
    timestamp: lenientTime,
  },
  ["delivery_id", "event"],
)

export const formBody: JsonSchema = objectOf(
  {
    data: {
      type: "object",
      properties: Object.fromEntries([...ignoredFormKeys].map((key) => [key, { description: "Ignored." }])),
      propertyNames: { minLength: 1, maxLength: defaultLimits.attributeNameBytesMax },
      additionalProperties: {
        type: ["string", "number", "boolean"],
        maxLength: defaultLimits.attributeValueBytesMax,
        ...exact,
      },
    },
  },
  ["data"],
)

export const segmentBody: JsonSchema = objectOf(
  {
    ids: {
      type: "array",
      minItems: 1,
      maxItems: defaultLimits.segmentIdsMax,
      items: { type: ["string", "number"], ...exact },
    },
  },
  ["ids"],
)

const unsubscribe: JsonSchema = {
  type: ["boolean", "integer", "string", "null"],
  minimum: 0,
  maximum: 1,
  pattern: "^(|[01]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$",
  description: "True if missing. False subscribes again.",
}

/** The optional body of an unsubscribe with the delivery in its path. */
export const unsubscribeBody: JsonSchema = objectOf({ unsubscribe })

/** The body of an unsubscribe without a delivery in its path. */
export const unsubscribeDeliveryBody: JsonSchema = objectOf(
  { delivery_id: requiredText(foreignIdBytesMax), unsubscribe },
  ["delivery_id"],
)
