import { svcObjectIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { decodeIdentify } from "../src/track-v1/people.ts"
import { assignments, receipt, workspace } from "./requests.ts"
import { bySvcObjectId, byTypeAndId, many, table, withLimits } from "./tables.ts"

const identify = (over: typeof workspace, body: unknown) =>
  decodeIdentify(receipt("track-v1", over), "5", body)

const related = (over: typeof workspace, value: unknown) =>
  identify(over, { cio_relationships: value, plan: "pro" })

const add = (...relationships: ReadonlyArray<unknown>) => ({ action: "add_relationships", relationships })

/** The path that faults of the first relationship begin with. */
const first = "svc_relationships.relationships.0"

const acme = { object_type_id: "1", object_id: "acme" }
const toAcme = { object: byTypeAndId("1", "acme"), assignments: [] }

table("Track v1 identify with relationships", related, [
  [
    "track-api §2.3 rule 1: adds relationships with attributes",
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
    "contract §9: removes relationships and ignores attributes in the request",
    {
      action: "delete_relationships",
      relationships: [{ identifiers: acme, relationship_attributes: { a: "x".repeat(1001) } }],
    },
    { relationships: { action: "delete", entries: [toAcme] } },
  ],
  [
    "contract §9: uses type 1 for an object without a type",
    add({ identifiers: { object_id: "acme" } }),
    { relationships: { action: "add", entries: [toAcme] } },
  ],
  [
    "contract §9: accepts numbers as type and id",
    add({ identifiers: { object_type_id: 2, object_id: 7 } }),
    { relationships: { action: "add", entries: [{ object: byTypeAndId("2", "7"), assignments: [] }] } },
  ],
  [
    "contract §9: identifies an existing object by its svc_object_id",
    add({ identifiers: { cio_object_id: svcObjectIdText(WorkspaceId.make(7), SubjectKey.make(9)) } }),
    { relationships: { action: "add", entries: [{ object: bySvcObjectId(9), assignments: [] }] } },
  ],
  ["reads an empty action as no change", add(), { relationships: null }],
  ["reads null as no change", null, { relationships: null }],
  ["reads an empty list as no change", [], { relationships: null }],
  [
    "refuses relationships without an action",
    { relationships: [{ identifiers: acme }] },
    ["required svc_relationships.action: svc_relationships.action must be present"],
  ],
  [
    "refuses an unknown action",
    { action: "add", relationships: [] },
    [
      "unknown_action svc_relationships.action: svc_relationships.action must be add_relationships or delete_relationships",
    ],
  ],
  [
    "refuses an action without relationships",
    { action: "add_relationships" },
    ["required svc_relationships.relationships: svc_relationships.relationships must be present"],
  ],
  [
    "refuses relationships that are not a list",
    { action: "add_relationships", relationships: {} },
    ["invalid svc_relationships.relationships: svc_relationships.relationships must be an array"],
  ],
  [
    "refuses the list format of v2",
    [{ identifiers: acme }],
    ["invalid svc_relationships: svc_relationships must be an object"],
  ],
  [
    "refuses relationships that are a string",
    "acme",
    ["invalid svc_relationships: svc_relationships must be an object"],
  ],
  ["refuses an entry that is not an object", add("acme"), [`invalid ${first}: ${first} must be an object`]],
  [
    "refuses an entry without identifiers",
    add({}),
    [`required ${first}.identifiers: ${first}.identifiers must be present`],
  ],
  [
    "refuses identifiers that are not an object",
    add({ identifiers: [] }),
    [`invalid ${first}.identifiers: ${first}.identifiers must be an object`],
  ],
  [
    "track-api §2.3: refuses an entry without an object id",
    add({ identifiers: { object_type_id: "1" } }),
    [`required ${first}.identifiers.object_id: ${first}.identifiers.object_id must be present`],
  ],
  [
    "refuses ids that are not strings",
    add({ identifiers: { object_type_id: [], object_id: true } }),
    [
      `invalid ${first}.identifiers.object_type_id: ${first}.identifiers.object_type_id must be a string`,
      `invalid ${first}.identifiers.object_id: ${first}.identifiers.object_id must be a string`,
    ],
  ],
  [
    "refuses attributes that are not an object",
    add({ identifiers: acme, relationship_attributes: "admin" }),
    [`invalid ${first}.relationship_attributes: ${first}.relationship_attributes must be an object`],
  ],
  [
    "reports the faults of all entries",
    add({ identifiers: acme }, 7, { identifiers: {} }),
    [
      "invalid svc_relationships.relationships.1: svc_relationships.relationships.1 must be an object",
      "required svc_relationships.relationships.2.identifiers.object_id: svc_relationships.relationships.2.identifiers.object_id must be present",
    ],
  ],
])

table("Track v1 identify with relationships: limits", related, [
  [
    "track-api §8 object id: accepts a type and an id of 150 bytes",
    add({ identifiers: { object_type_id: "é".repeat(75), object_id: "é".repeat(75) } }),
    {
      relationships: {
        action: "add",
        entries: [{ object: byTypeAndId("é".repeat(75), "é".repeat(75)), assignments: [] }],
      },
    },
  ],
  [
    "track-api §8 object id: refuses an id of 151 bytes",
    add({ identifiers: { object_id: `${"é".repeat(75)}x` } }),
    [
      `too_long ${first}.identifiers.object_id: ${first}.identifiers.object_id cannot be longer than 150 bytes`,
    ],
  ],
  [
    "track-api §8 object id: refuses a type of 151 bytes",
    add({ identifiers: { object_type_id: "x".repeat(151), object_id: "acme" } }),
    [
      `too_long ${first}.identifiers.object_type_id: ${first}.identifiers.object_type_id cannot be longer than 150 bytes`,
    ],
  ],
  [
    "track-api §8 attribute name (object or relationship): refuses a name of 151 bytes on a relationship",
    add({ identifiers: acme, relationship_attributes: { ["x".repeat(151)]: 1 } }),
    [`too_long ${first}.relationship_attributes: attribute name cannot be longer than 150 bytes`],
  ],
  [
    "track-api §8 attribute value (object or relationship): refuses a value of 1001 bytes on a relationship",
    add({ identifiers: acme, relationship_attributes: { a: "x".repeat(1001) } }),
    [`too_long ${first}.relationship_attributes.a: value for attribute 'a' cannot be longer than 1000 bytes`],
  ],
  [
    "track-api §8 attributes per object or relationship: refuses 301 attributes on a relationship",
    add({ identifiers: acme, relationship_attributes: many(301) }),
    [
      `too_many ${first}.relationship_attributes: ${first}.relationship_attributes cannot have more than 300 attributes`,
    ],
  ],
  [
    "track-api §8 total attribute size: accepts attributes of a relationship at the limit",
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
    "track-api §8 total attribute size: refuses attributes of a relationship one byte past the limit",
    add({ identifiers: acme, relationship_attributes: { a: "éé", b: [1] } }),
    [
      `too_large ${first}.relationship_attributes: ${first}.relationship_attributes cannot be larger than 8 bytes in all`,
    ],
    withLimits({ objectAttributesBytesMax: 8 }),
  ],
])

table("Track v1 identify with relationships: brand prefixes", identify, [
  [
    "contract §1: reads svc_relationships like cio_relationships",
    { svc_relationships: add({ identifiers: { svc_object_id: "none of ours" } }) },
    {
      relationships: {
        action: "add",
        entries: [{ object: { ...bySvcObjectId(null), text: "none of ours" }, assignments: [] }],
      },
    },
  ],
  [
    "reads the key that is not null if both prefixes are present",
    { svc_relationships: add({ identifiers: acme }), cio_relationships: null },
    { relationships: { action: "add", entries: [toAcme] } },
  ],
  ["changes no relationships if the key is missing", {}, { relationships: null }],
])
