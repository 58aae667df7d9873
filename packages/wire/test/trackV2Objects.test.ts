import { assert, describe, it } from "@effect/vitest"
import { svcObjectIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Result } from "effect"
import { decodeEntity } from "../src/track-v2/entity.ts"
import { assignments, byAnonymousId, receipt, receivedAt, workspace, envelopeFrom } from "./requests.ts"
import { bySvcObjectId, byTypeAndId, many, table, withLimits } from "./tables.ts"

const decode = (over: typeof workspace, item: unknown) => decodeEntity(receipt("track-v2", over), item)

const object9 = svcObjectIdText(WorkspaceId.make(7), SubjectKey.make(9))
const acme = { object_type_id: "1", object_id: "acme" }

const object = (action: string, rest: object) => ({ type: "object", action, ...rest })
const identify = (rest: object, identifiers: unknown = acme) => object("identify", { identifiers, ...rest })

describe("Track v2 object", () => {
  it("the decoder reads every field of a v2 object", () => {
    const item = identify({
      attributes: { name: "Acme" },
      cio_relationships: [{ identifiers: { id: "5" }, relationship_attributes: { role: "admin" } }],
      _timestamp: 1_571_043_797,
    })
    assert.deepStrictEqual(Result.getOrThrow(decodeEntity(receipt("track-v2"), item)), {
      _tag: "IdentifyObject",
      ...envelopeFrom("track-v2"),
      at: 1_571_043_797_000,
      followsReceipt: false,
      object: { _tag: "ByTypeAndId", typeId: "1", objectId: "acme" },
      assignments: [{ name: "name", value: "Acme" }],
      entries: [
        {
          person: { _tag: "ByIdentifier", kind: "id", value: "5" },
          assignments: [{ name: "role", value: "admin" }],
        },
      ],
    })
  })
})

const named = (over: typeof workspace, identifiers: unknown) => decode(over, identify({}, identifiers))

table("Track v2 object identifiers", named, [
  ["track-api §2.2: identifies an object by type and id", acme, { object: byTypeAndId("1", "acme") }],
  [
    "contract §9: uses type 1 for an object without a type",
    { object_id: "acme" },
    { object: byTypeAndId("1", "acme") },
  ],
  [
    "contract §9: uses type 1 for a null type",
    { object_type_id: null, object_id: "a" },
    { object: byTypeAndId("1", "a") },
  ],
  [
    "contract §9: uses type 1 for an empty type",
    { object_type_id: "", object_id: "a" },
    { object: byTypeAndId("1", "a") },
  ],
  [
    "contract §9: accepts numbers as type and id",
    { object_type_id: 2, object_id: 3 },
    { object: byTypeAndId("2", "3") },
  ],
  [
    "contract §9: identifies an object by svc_object_id",
    { svc_object_id: object9 },
    { object: bySvcObjectId(9) },
  ],
  [
    "contract §1: identifies an object by cio_object_id",
    { cio_object_id: object9 },
    { object: bySvcObjectId(9) },
  ],
  [
    "accepts a svc_object_id with its prefix",
    { cio_object_id: `cio_${object9}` },
    { object: bySvcObjectId(9) },
  ],
  [
    "prefers svc_object_id over type and id",
    { ...acme, cio_object_id: object9 },
    { object: bySvcObjectId(9) },
  ],
  ["ignores an empty svc_object_id", { ...acme, cio_object_id: "" }, { object: byTypeAndId("1", "acme") }],
  [
    "accepts a malformed svc_object_id, which matches no object",
    { cio_object_id: "obb7fd050101" },
    { object: { ...bySvcObjectId(null), text: "obb7fd050101" } },
  ],
  [
    "refuses a svc_object_id that is not a string",
    { cio_object_id: true },
    ["invalid identifiers.svc_object_id: identifiers.svc_object_id must be a string"],
  ],
  [
    "track-api §2.2: refuses an object without an id",
    { object_type_id: "1" },
    ["required identifiers.object_id: identifiers.object_id must be present"],
  ],
  [
    "refuses an empty id",
    { object_id: "" },
    ["required identifiers.object_id: identifiers.object_id must be present"],
  ],
  [
    "refuses a type and an id that are not strings",
    { object_type_id: {}, object_id: [] },
    [
      "invalid identifiers.object_type_id: identifiers.object_type_id must be a string",
      "invalid identifiers.object_id: identifiers.object_id must be a string",
    ],
  ],
  [
    "track-api §8 object id: accepts a type and an id of 150 bytes in v2",
    { object_type_id: "é".repeat(75), object_id: "é".repeat(75) },
    { object: byTypeAndId("é".repeat(75), "é".repeat(75)) },
  ],
  [
    "track-api §8 object id: refuses a type and an id of 151 bytes in v2",
    { object_type_id: `${"é".repeat(75)}x`, object_id: `${"é".repeat(75)}x` },
    [
      "too_long identifiers.object_type_id: identifiers.object_type_id cannot be longer than 150 bytes",
      "too_long identifiers.object_id: identifiers.object_id cannot be longer than 150 bytes",
    ],
  ],
  ["refuses null identifiers", null, ["required identifiers: identifiers must be present"]],
  [
    "refuses identifiers that are not an object",
    "acme",
    ["invalid identifiers: identifiers must be an object"],
  ],
  [
    "does not read identifiers inside __proto__",
    JSON.parse('{"__proto__":{"object_id":"acme"}}'),
    ["required identifiers.object_id: identifiers.object_id must be present"],
  ],
])

table("Track v2 object identify", decode, [
  [
    "track-api §4.2: accepts an object with only identifiers",
    identify({}),
    { assignments: [], entries: [], at: receivedAt },
  ],
  [
    "reads null attributes and relationships as missing",
    identify({ attributes: null, cio_relationships: null }),
    { assignments: [], entries: [] },
  ],
  [
    "accepts any JSON as a value and keeps names unchanged",
    identify({
      attributes: { name: "Acme", anonymous_id: "an", created_at: 5, email: "x", _a: [1], gone: null },
    }),
    {
      assignments: assignments(
        ["name", "Acme"],
        ["anonymous_id", "an"],
        ["created_at", 5],
        ["email", "x"],
        ["_a", [1]],
        ["gone", null],
      ),
    },
  ],
  [
    "stores keys such as __proto__ as attributes",
    identify({ attributes: JSON.parse('{"__proto__":1,"constructor":2}') }),
    { assignments: assignments(["__proto__", 1], ["constructor", 2]) },
  ],
  [
    "refuses attributes that are not an object",
    identify({ attributes: [1] }),
    ["invalid attributes: attributes must be an object"],
  ],
  ["ignores a created_at at the top level", identify({ created_at: 5 }), { assignments: [] }],
  ["contract §6: uses timestamp as the time of the update", identify({ timestamp: "7" }), { at: 7000 }],
  [
    "contract §6: prefers _timestamp at the top level over other times",
    identify({ attributes: { _timestamp: 6, a: 1 }, _timestamp: 5, timestamp: 7 }),
    { at: 5000, assignments: assignments(["a", 1]) },
  ],
  [
    "contract §6: prefers _timestamp in the attributes over timestamp",
    identify({ attributes: { _timestamp: 6 }, timestamp: 7 }),
    { at: 6000, assignments: [] },
  ],
  [
    "contract §6: uses the time of receipt for invalid times and reports them",
    identify({ attributes: { _timestamp: "x" }, timestamp: {} }),
    {
      at: receivedAt,
      faults: [
        "invalid attributes._timestamp: _timestamp must be Unix seconds or an ISO 8601 date-time",
        "invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time",
      ],
    },
  ],
  [
    "track-api §8 attribute name (object or relationship): refuses a name of 151 bytes on an object",
    identify({ attributes: { ["x".repeat(151)]: 1 } }),
    ["too_long attributes: attribute name cannot be longer than 150 bytes"],
  ],
  [
    "track-api §8 attribute value (object or relationship): refuses a value of 1001 bytes on an object",
    identify({ attributes: { a: ["x".repeat(997)] } }),
    ["too_long attributes.a: value for attribute 'a' cannot be longer than 1000 bytes"],
  ],
  [
    "track-api §8 attributes per object or relationship: accepts 300 attributes on an object",
    identify({ attributes: many(300) }),
    { entries: [] },
  ],
  [
    "track-api §8 attributes per object or relationship: refuses 301 attributes on an object",
    identify({ attributes: many(301) }),
    ["too_many attributes: attributes cannot have more than 300 attributes"],
  ],
  [
    "track-api §8 total attribute size: accepts attributes of an object at the limit",
    identify({ attributes: { ab: "é", c: 12 } }),
    { assignments: assignments(["ab", "é"], ["c", 12]) },
    withLimits({ objectAttributesBytesMax: 7 }),
  ],
  [
    "track-api §8 total attribute size: refuses attributes of an object one byte past the limit",
    identify({ attributes: { ab: "é", c: 123 } }),
    ["too_large attributes: attributes cannot be larger than 7 bytes in all"],
    withLimits({ objectAttributesBytesMax: 7 }),
  ],
  [
    "reports all faults of an object",
    identify({ attributes: 1, cio_relationships: [1] }, {}),
    [
      "required identifiers.object_id: identifiers.object_id must be present",
      "invalid attributes: attributes must be an object",
      "invalid svc_relationships.0: svc_relationships.0 must be an object",
    ],
  ],
])

const anonymous = (over: typeof workspace, cio_relationships: unknown) =>
  decode(over, object("identify_anonymous", { identifiers: acme, attributes: { a: 1 }, cio_relationships }))

/** The path that faults of the first relationship begin with. */
const first = "svc_relationships.0.identifiers"

table("Track v2 object identify_anonymous", anonymous, [
  [
    "track-api §2.3: relates anonymous visitors to the object",
    [
      { identifiers: { anonymous_id: "an" }, relationship_attributes: { role: "admin" } },
      { identifiers: { anonymous_id: 7, id: "5" } },
    ],
    {
      _tag: "IdentifyObject",
      object: byTypeAndId("1", "acme"),
      assignments: assignments(["a", 1]),
      entries: [
        { person: byAnonymousId("an"), assignments: assignments(["role", "admin"]) },
        { person: byAnonymousId("7"), assignments: [] },
      ],
    },
  ],
  ["accepts an empty list of visitors", [], { entries: [] }],
  [
    "contract §9: refuses people in a list of visitors",
    [{ identifiers: { id: "5" } }],
    [`required ${first}.anonymous_id: ${first}.anonymous_id must be present`],
  ],
  ["refuses an entry without identifiers", [{}], [`required ${first}: ${first} must be present`]],
  [
    "refuses identifiers of an entry that are not an object",
    [{ identifiers: "an" }],
    [`invalid ${first}: ${first} must be an object`],
  ],
  [
    "refuses an anonymous id that is an object",
    [{ identifiers: { anonymous_id: {} } }],
    [`invalid ${first}.anonymous_id: anonymous_id attribute must be a string value`],
  ],
  [
    "refuses an anonymous id of 151 bytes",
    [{ identifiers: { anonymous_id: "x".repeat(151) } }],
    [`too_long ${first}.anonymous_id: anonymous_id attribute cannot be longer than 150 bytes`],
  ],
])

table("Track v2 object delete", decode, [
  [
    "track-api §4.2: deletes an object by type and id and ignores empty fields",
    object("delete", { identifiers: acme, attributes: {}, cio_relationships: [] }),
    { _tag: "DeleteObject", object: byTypeAndId("1", "acme"), at: receivedAt },
  ],
  [
    "contract §9: deletes an object by svc_object_id",
    object("delete", { identifiers: { cio_object_id: object9 } }),
    { object: bySvcObjectId(9) },
  ],
  [
    "refuses to delete an object without identifiers",
    object("delete", {}),
    ["required identifiers: identifiers must be present"],
  ],
])
