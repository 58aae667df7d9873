import { svcObjectIdText, SubjectKey } from "@inlet/core/values/Identifier"
import { decodeIdentify } from "@inlet/api/track-v1/people"
import { assignments, receipt, workspace } from "./requests.ts"
import { bySvcObjectId, byTypeAndId, many, table, withLimits } from "./tables.ts"

const identify = (over: typeof workspace, body: unknown) =>
  decodeIdentify(receipt("track-v1", over), "5", body)

const related = (over: typeof workspace, value: unknown) =>
  identify(over, { cio_relationships: value, plan: "pro" })

const add = (...relationships: ReadonlyArray<unknown>) => ({ action: "add_relationships", relationships })

/** The path of the first entry. */
const first = "svc_relationships.relationships.0"

const acme = { object_type_id: "1", object_id: "acme" }
const toAcme = { object: byTypeAndId("1", "acme"), assignments: [] }

table("v1 identify with relationships", related, [
  [
    "track-api §2.3 rule 1: adds",
    add({ identifiers: acme, relationship_attributes: { role: "admin", since: null } }),
    {
      relationships: {
        action: "add",
        entries: [
          { object: byTypeAndId("1", "acme"), assignments: assignments(["role", "admin"], ["since", null]) },
        ],
      },
      assignments: assignments(["plan", "pro"]),
    },
  ],
  [
    "contract §9: removes, and attributes do not matter",
    {
      action: "delete_relationships",
      relationships: [{ identifiers: acme, relationship_attributes: { a: "x".repeat(1001) } }],
    },
    { relationships: { action: "delete", entries: [toAcme] } },
  ],
  [
    "contract §9: a type is 1 where none is given",
    add({ identifiers: { object_id: "acme" } }),
    { relationships: { action: "add", entries: [toAcme] } },
  ],
  [
    "contract §9: numbers become strings",
    add({ identifiers: { object_type_id: 2, object_id: 7 } }),
    { relationships: { action: "add", entries: [{ object: byTypeAndId("2", "7"), assignments: [] }] } },
  ],
  [
    "contract §9: an existing object by its svc_object_id",
    add({ identifiers: { cio_object_id: svcObjectIdText(SubjectKey.make(9)) } }),
    { relationships: { action: "add", entries: [{ object: bySvcObjectId(9), assignments: [] }] } },
  ],
  ["nothing to add", add(), { relationships: null }],
  ["null", null, { relationships: null }],
  ["an empty list", [], { relationships: null }],
  [
    "no action",
    { relationships: [{ identifiers: acme }] },
    ["required svc_relationships.action: svc_relationships.action must be present"],
  ],
  [
    "another action",
    { action: "add", relationships: [] },
    [
      "unknown_action svc_relationships.action: svc_relationships.action must be add_relationships or delete_relationships",
    ],
  ],
  [
    "no relationships",
    { action: "add_relationships" },
    ["required svc_relationships.relationships: svc_relationships.relationships must be present"],
  ],
  [
    "relationships that are no list",
    { action: "add_relationships", relationships: {} },
    ["invalid svc_relationships.relationships: svc_relationships.relationships must be an array"],
  ],
  [
    "the list of v2",
    [{ identifiers: acme }],
    ["invalid svc_relationships: svc_relationships must be an object"],
  ],
  ["another type", "acme", ["invalid svc_relationships: svc_relationships must be an object"]],
  ["an entry that is no object", add("acme"), [`invalid ${first}: ${first} must be an object`]],
  ["no identifiers", add({}), [`required ${first}.identifiers: ${first}.identifiers must be present`]],
  [
    "identifiers of a wrong type",
    add({ identifiers: [] }),
    [`invalid ${first}.identifiers: ${first}.identifiers must be an object`],
  ],
  [
    "track-api §2.3: no object id",
    add({ identifiers: { object_type_id: "1" } }),
    [`required ${first}.identifiers.object_id: ${first}.identifiers.object_id must be present`],
  ],
  [
    "ids of wrong types",
    add({ identifiers: { object_type_id: [], object_id: true } }),
    [
      `invalid ${first}.identifiers.object_type_id: ${first}.identifiers.object_type_id must be a string`,
      `invalid ${first}.identifiers.object_id: ${first}.identifiers.object_id must be a string`,
    ],
  ],
  [
    "attributes that are no object",
    add({ identifiers: acme, relationship_attributes: "admin" }),
    [`invalid ${first}.relationship_attributes: ${first}.relationship_attributes must be an object`],
  ],
  [
    "everything that is wrong",
    add({ identifiers: acme }, 7, { identifiers: {} }),
    [
      "invalid svc_relationships.relationships.1: svc_relationships.relationships.1 must be an object",
      "required svc_relationships.relationships.2.identifiers.object_id: svc_relationships.relationships.2.identifiers.object_id must be present",
    ],
  ],
])

table("v1 identify with relationships: limits", related, [
  [
    "track-api §8 object id: 150 bytes",
    add({ identifiers: { object_type_id: "é".repeat(75), object_id: "é".repeat(75) } }),
    {
      relationships: {
        action: "add",
        entries: [{ object: byTypeAndId("é".repeat(75), "é".repeat(75)), assignments: [] }],
      },
    },
  ],
  [
    "track-api §8 object id: 151 bytes",
    add({ identifiers: { object_id: `${"é".repeat(75)}x` } }),
    [
      `too_long ${first}.identifiers.object_id: ${first}.identifiers.object_id cannot be longer than 150 bytes`,
    ],
  ],
  [
    "track-api §8 object id: a type of 151 bytes",
    add({ identifiers: { object_type_id: "x".repeat(151), object_id: "acme" } }),
    [
      `too_long ${first}.identifiers.object_type_id: ${first}.identifiers.object_type_id cannot be longer than 150 bytes`,
    ],
  ],
  [
    "track-api §8 attribute name (object or relationship): 151 bytes",
    add({ identifiers: acme, relationship_attributes: { ["x".repeat(151)]: 1 } }),
    [`too_long ${first}.relationship_attributes: attribute name cannot be longer than 150 bytes`],
  ],
  [
    "track-api §8 attribute value (object or relationship): 1001 bytes",
    add({ identifiers: acme, relationship_attributes: { a: "x".repeat(1001) } }),
    [`too_long ${first}.relationship_attributes.a: value for attribute 'a' cannot be longer than 1000 bytes`],
  ],
  [
    "track-api §8 attributes per object or relationship: 301",
    add({ identifiers: acme, relationship_attributes: many(301) }),
    [
      `too_many ${first}.relationship_attributes: ${first}.relationship_attributes cannot hold more than 300 attributes`,
    ],
  ],
  [
    "track-api §8 total attribute size: as large as it may be",
    add({ identifiers: acme, relationship_attributes: { a: "éé", b: [1] } }),
    {
      relationships: {
        action: "add",
        entries: [{ object: byTypeAndId("1", "acme"), assignments: assignments(["a", "éé"], ["b", [1]]) }],
      },
    },
    withLimits({ objectAttributesBytesMax: 9 }),
  ],
  [
    "track-api §8 total attribute size: a byte more",
    add({ identifiers: acme, relationship_attributes: { a: "éé", b: [1] } }),
    [
      `too_large ${first}.relationship_attributes: ${first}.relationship_attributes cannot be larger than 8 bytes in all`,
    ],
    withLimits({ objectAttributesBytesMax: 8 }),
  ],
])

table("v1 identify with relationships: spellings", identify, [
  [
    "contract §1: svc_relationships",
    { svc_relationships: add({ identifiers: { svc_object_id: "none of ours" } }) },
    { relationships: { action: "add", entries: [{ object: bySvcObjectId(null), assignments: [] }] } },
  ],
  [
    "both, one of them null",
    { svc_relationships: add({ identifiers: acme }), cio_relationships: null },
    { relationships: { action: "add", entries: [toAcme] } },
  ],
  ["neither", {}, { relationships: null }],
])
