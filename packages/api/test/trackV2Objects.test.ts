import { assert, describe, it } from "@effect/vitest"
import { svcObjectIdText, SubjectKey } from "@inlet/core/values/Identifier"
import { Result } from "effect"
import { decodeEntity } from "@inlet/api/track-v2/entity"
import { assignments, byAnonymousId, receipt, receivedAt, workspace } from "./requests.ts"
import { bySvcObjectId, byTypeAndId, many, table, withLimits } from "./tables.ts"

const decode = (over: typeof workspace, item: unknown) => decodeEntity(receipt("track-v2", over), item)

const object9 = svcObjectIdText(SubjectKey.make(9))
const acme = { object_type_id: "1", object_id: "acme" }

const object = (action: string, rest: object) => ({ type: "object", action, ...rest })
const identify = (rest: object, identifiers: unknown = acme) => object("identify", { identifiers, ...rest })

describe("v2 object", () => {
  it("fills the whole envelope", () => {
    const item = identify({
      attributes: { name: "Acme" },
      cio_relationships: [{ identifiers: { id: "5" }, relationship_attributes: { role: "admin" } }],
      _timestamp: 1_571_043_797,
    })
    assert.deepStrictEqual(Result.getOrThrow(decodeEntity(receipt("track-v2"), item)), {
      _tag: "IdentifyObject",
      workspace,
      source: "track-v2",
      receivedAt,
      at: 1_571_043_797_000,
      followsReceipt: false,
      originalTimestamp: null,
      batchIndex: null,
      deduplicationKey: null,
      faults: [],
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

table("v2 object identifiers", named, [
  ["track-api §2.2: type and id", acme, { object: byTypeAndId("1", "acme") }],
  [
    "contract §9: a type is 1 where none is given",
    { object_id: "acme" },
    { object: byTypeAndId("1", "acme") },
  ],
  ["contract §9: a null type", { object_type_id: null, object_id: "a" }, { object: byTypeAndId("1", "a") }],
  ["contract §9: an empty type", { object_type_id: "", object_id: "a" }, { object: byTypeAndId("1", "a") }],
  [
    "contract §9: numbers become strings",
    { object_type_id: 2, object_id: 3 },
    { object: byTypeAndId("2", "3") },
  ],
  ["contract §9: svc_object_id", { svc_object_id: object9 }, { object: bySvcObjectId(9) }],
  ["contract §1: cio_object_id", { cio_object_id: object9 }, { object: bySvcObjectId(9) }],
  ["with the brand's prefix", { cio_object_id: `cio_${object9}` }, { object: bySvcObjectId(9) }],
  ["svc_object_id leads", { ...acme, cio_object_id: object9 }, { object: bySvcObjectId(9) }],
  ["an empty svc_object_id does not", { ...acme, cio_object_id: "" }, { object: byTypeAndId("1", "acme") }],
  [
    "a svc_object_id that is none of ours",
    { cio_object_id: "obb7fd050101" },
    { object: bySvcObjectId(null) },
  ],
  [
    "a svc_object_id of a wrong type",
    { cio_object_id: true },
    ["invalid identifiers.svc_object_id: identifiers.svc_object_id must be a string"],
  ],
  [
    "track-api §2.2: an id is required",
    { object_type_id: "1" },
    ["required identifiers.object_id: identifiers.object_id must be present"],
  ],
  [
    "an empty id",
    { object_id: "" },
    ["required identifiers.object_id: identifiers.object_id must be present"],
  ],
  [
    "wrong types",
    { object_type_id: {}, object_id: [] },
    [
      "invalid identifiers.object_type_id: identifiers.object_type_id must be a string",
      "invalid identifiers.object_id: identifiers.object_id must be a string",
    ],
  ],
  [
    "track-api §8 object id: 150 bytes",
    { object_type_id: "é".repeat(75), object_id: "é".repeat(75) },
    { object: byTypeAndId("é".repeat(75), "é".repeat(75)) },
  ],
  [
    "track-api §8 object id: 151 bytes",
    { object_type_id: `${"é".repeat(75)}x`, object_id: `${"é".repeat(75)}x` },
    [
      "too_long identifiers.object_type_id: identifiers.object_type_id cannot be longer than 150 bytes",
      "too_long identifiers.object_id: identifiers.object_id cannot be longer than 150 bytes",
    ],
  ],
  ["null", null, ["required identifiers: identifiers must be present"]],
  ["no object", "acme", ["invalid identifiers: identifiers must be an object"]],
  [
    "keys of the prototype",
    JSON.parse('{"__proto__":{"object_id":"acme"}}'),
    ["required identifiers.object_id: identifiers.object_id must be present"],
  ],
])

table("v2 object identify", decode, [
  ["track-api §4.2: nothing but its name", identify({}), { assignments: [], entries: [], at: receivedAt }],
  ["nulls", identify({ attributes: null, cio_relationships: null }), { assignments: [], entries: [] }],
  [
    "any JSON, names as they are",
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
    "keys of the prototype",
    identify({ attributes: JSON.parse('{"__proto__":1,"constructor":2}') }),
    { assignments: assignments(["__proto__", 1], ["constructor", 2]) },
  ],
  [
    "attributes that are no object",
    identify({ attributes: [] }),
    ["invalid attributes: attributes must be an object"],
  ],
  ["created_at at the top is left alone", identify({ created_at: 5 }), { assignments: [] }],
  ["contract §6: timestamp orders", identify({ timestamp: "7" }), { at: 7000 }],
  [
    "contract §6: _timestamp wins",
    identify({ attributes: { _timestamp: 6, a: 1 }, _timestamp: 5, timestamp: 7 }),
    { at: 5000, assignments: assignments(["a", 1]) },
  ],
  [
    "contract §6: _timestamp among the attributes",
    identify({ attributes: { _timestamp: 6 }, timestamp: 7 }),
    { at: 6000, assignments: [] },
  ],
  [
    "contract §6: what is no time is left out",
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
    "track-api §8 attribute name (object or relationship): 151 bytes",
    identify({ attributes: { ["x".repeat(151)]: 1 } }),
    ["too_long attributes: attribute name cannot be longer than 150 bytes"],
  ],
  [
    "track-api §8 attribute value (object or relationship): 1001 bytes",
    identify({ attributes: { a: ["x".repeat(997)] } }),
    ["too_long attributes.a: value for attribute 'a' cannot be longer than 1000 bytes"],
  ],
  [
    "track-api §8 attributes per object or relationship: 300",
    identify({ attributes: many(300) }),
    { entries: [] },
  ],
  [
    "track-api §8 attributes per object or relationship: 301",
    identify({ attributes: many(301) }),
    ["too_many attributes: attributes cannot hold more than 300 attributes"],
  ],
  [
    "track-api §8 total attribute size: as large as it may be",
    identify({ attributes: { ab: "é", c: 12 } }),
    { assignments: assignments(["ab", "é"], ["c", 12]) },
    withLimits({ objectAttributesBytesMax: 7 }),
  ],
  [
    "track-api §8 total attribute size: a byte more",
    identify({ attributes: { ab: "é", c: 123 } }),
    ["too_large attributes: attributes cannot be larger than 7 bytes in all"],
    withLimits({ objectAttributesBytesMax: 7 }),
  ],
  [
    "everything that is wrong",
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

/** The path of the first entry. */
const first = "svc_relationships.0.identifiers"

table("v2 object identify_anonymous", anonymous, [
  [
    "track-api §2.3: visitors",
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
  ["nobody", [], { entries: [] }],
  [
    "contract §9: people are no visitors",
    [{ identifiers: { id: "5" } }],
    [`required ${first}.anonymous_id: ${first}.anonymous_id must be present`],
  ],
  ["no identifiers", [{}], [`required ${first}: ${first} must be present`]],
  ["identifiers of a wrong type", [{ identifiers: "an" }], [`invalid ${first}: ${first} must be an object`]],
  [
    "an id of a wrong type",
    [{ identifiers: { anonymous_id: {} } }],
    [`invalid ${first}.anonymous_id: anonymous_id attribute must be a string value`],
  ],
  [
    "an id of 151 bytes",
    [{ identifiers: { anonymous_id: "x".repeat(151) } }],
    [`too_long ${first}.anonymous_id: anonymous_id attribute cannot be longer than 150 bytes`],
  ],
])

table("v2 object delete", decode, [
  [
    "track-api §4.2: by type and id; what is empty beside is left alone",
    object("delete", { identifiers: acme, attributes: {}, cio_relationships: [] }),
    { _tag: "DeleteObject", object: byTypeAndId("1", "acme"), at: receivedAt },
  ],
  [
    "contract §9: by svc_object_id",
    object("delete", { identifiers: { cio_object_id: object9 } }),
    { object: bySvcObjectId(9) },
  ],
  ["unnamed", object("delete", {}), ["required identifiers: identifiers must be present"]],
])
