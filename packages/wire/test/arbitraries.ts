import type { Json } from "@inlethq/core/values/Json"
import { Schema } from "effect"

/** Keys that decoders look for, and keys such as `__proto__` that could break a decoder. */
const Key = Schema.Union([
  Schema.Literals([
    "id",
    "email",
    "svc_id",
    "cio_id",
    "anonymous_id",
    "phone",
    "__proto__",
    "constructor",
    "_timestamp",
    "_update",
  ]),
  Schema.Literals([
    "created_at",
    "createdAt",
    "unsubscribed",
    "cio_relationships",
    "cio_subscription_preferences.topics.a",
    "toString",
  ]),
  Schema.Literals(["url", "title", "category", "actionType", "objectId", "hasOwnProperty", ""]),
  Schema.Literals(["token", "platform", "last_used", "attributes", "_last_status", "form_id", "form_name"]),
  Schema.Literals(["object_id", "object_type_id", "cio_object_id", "identifiers", "relationships", "action"]),
])

/** Generates any JSON value. Most generated values have keys and types that the decoders look for. */
export const Value = Schema.Union([
  Schema.Json,
  Schema.Literals([
    "",
    "5",
    "a@b.io",
    "cio_p11000000001",
    "2026-03-01T12:00:00Z",
    "true",
    "x".repeat(1001),
    "é".repeat(76),
  ]),
  Schema.Literals([0, -1, 1.5, 1e300, 1e12, Number.MAX_SAFE_INTEGER]),
  Schema.Record(
    Key,
    Schema.Union([Schema.Json, Schema.Literals(["5", "a@b.io", "cio_p11000000001", "1", "soon"])]),
  ),
])

const field = Schema.optionalKey(Value)

const Item = Schema.Struct({
  type: Schema.optionalKey(
    Schema.Union([Value, Schema.Literals(["person", "object", "delivery", "page", "track", "identify"])]),
  ),
  action: Schema.optionalKey(
    Schema.Union([
      Value,
      Schema.Literals(["identify", "delete", "event", "page", "screen", "viewed_content", "merge"]),
    ]),
  ),
  identifiers: field,
  attributes: field,
  data: field,
  name: field,
  id: field,
  timestamp: field,
  _timestamp: field,
  anonymous_id: field,
  userId: field,
  anonymousId: field,
  messageId: field,
  event: Schema.optionalKey(
    Schema.Union([Value, Schema.Literals(["a", "Report Content Event", "User Deleted"])]),
  ),
  traits: field,
  properties: field,
  context: field,
  originalTimestamp: field,
  sentAt: field,
  category: field,
})

/** A request body: an object with fields of any protocol, or any other JSON value. */
export const Body = Schema.Union([Item, Value])

/** A value of the kind that a decoder expects, or sometimes any other value. */
const mostly = <S extends Schema.Schema<Json>>(schema: S) =>
  Schema.Union([schema, schema, schema, schema, schema, schema, schema, Value])

const Text = Schema.Literals(["5", "a@b.io", "cio_p11000000001", "o11000000001", "é"])
const Time = Schema.Literals([1_571_043_797, "1571043797", "2026-03-01T12:00:00Z"])
const Attributes = Schema.Record(Key, Schema.Union([Text, Schema.Literals([0, 1.5, true, "", "sent"])]))

/** An object with one identifier, as a merge requires for each of its two people. */
const Single = Schema.Union(
  (["id", "email", "svc_id", "cio_id", "anonymous_id"] as const).map((kind) =>
    Schema.Struct({ [kind]: mostly(Text) }),
  ),
)

/** Identifiers of people, visitors, objects or deliveries. */
const Identifiers = Schema.Union([
  Schema.Struct({ id: Text, anonymous_id: Text, object_id: Text }),
  Schema.Struct({ email: Text, anonymous_id: Text, object_type_id: Text, object_id: Text }),
  Schema.Struct({ cio_id: Text, anonymous_id: Text, cio_object_id: Text, id: mostly(Text) }),
])

const Relationships = Schema.Array(
  mostly(Schema.Struct({ identifiers: mostly(Identifiers), relationship_attributes: mostly(Attributes) })),
)

const Device = Schema.Struct({
  id: mostly(Text),
  token: mostly(Text),
  platform: mostly(Schema.Literals(["ios", "android"])),
  last_used: mostly(Time),
  attributes: mostly(Attributes),
  rating: mostly(Schema.Literals([2])),
})

/** Generates bodies and items with the fields of all operations of the Track API. Most fields are valid. */
const Plausible = Schema.Struct({
  type: Schema.Literals(["person", "person", "object", "delivery"]),
  action: Schema.Union([
    Schema.Literals(["identify", "delete", "event", "page", "screen", "viewed_content", "merge", "suppress"]),
    Schema.Literals(["identify", "event", "add_relationships", "delete_relationships"]),
    Schema.Literals(["add_device", "delete_device", "identify_anonymous", "unsuppress", "event", "merge"]),
  ]),
  identifiers: mostly(Identifiers),
  cio_relationships: mostly(Relationships),
  device: mostly(Device),
  primary: mostly(Single),
  secondary: mostly(Single),
  attributes: mostly(Attributes),
  data: mostly(Attributes),
  name: mostly(Schema.Literals(["opened", "bounced"])),
  timestamp: mostly(Time),
  delivery_id: mostly(Text),
  metric: mostly(Schema.Literals(["opened", "bounced"])),
  event: mostly(Schema.Literals(["opened", "converted"])),
  device_id: mostly(Text),
  recipient: mostly(Text),
  unsubscribe: mostly(Schema.Boolean),
  ids: mostly(Schema.Array(mostly(Text))),
})

/** The fields of a form, valid or invalid. */
export const FormFields = Schema.Union([
  Schema.Record(Schema.NonEmptyString, Schema.Union([Schema.String, Schema.Literals([5, 1.5, true])])),
  Attributes,
  Value,
])

/** A value of `svc_relationships` in v1. */
export const RelationshipChange: Schema.Codec<Json> = Schema.Struct({
  action: mostly(Schema.Literals(["add_relationships", "delete_relationships"])),
  relationships: mostly(Relationships),
})

/** A body or an item of the Track API, valid or invalid. */
export const TrackBody: Schema.Codec<Json> = Schema.Union([Plausible, Plausible, Plausible, Body])
