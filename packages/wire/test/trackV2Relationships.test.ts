import { assert, describe, it } from "@effect/vitest"
import { svcIdText, svcObjectIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Result } from "effect"
import { decodeEntity } from "../src/track-v2/entity.ts"
import { faultsMax } from "../src/decoding/Findings.ts"
import {
  assignments,
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  faultLine,
  idOnly,
  receipt,
  receivedAt,
  workspace,
} from "./requests.ts"
import { bySvcObjectId, byTypeAndId, many, table, type Row } from "./tables.ts"

const decode = (over: typeof workspace, item: unknown) => decodeEntity(receipt("track-v2", over), item)

const svc42 = svcIdText(WorkspaceId.make(7), SubjectKey.make(42))
const object9 = svcObjectIdText(WorkspaceId.make(7), SubjectKey.make(9))

const acme = { object_type_id: "1", object_id: "acme" }
const toAcme = { object: byTypeAndId("1", "acme"), assignments: [] }

const identify = (rest: object) => ({ type: "person", action: "identify", identifiers: { id: "5" }, ...rest })

table("Track v2 identify with relationships", decode, [
  [
    "track-api §2.3: adds the listed relationships",
    identify({
      cio_relationships: [{ identifiers: acme, relationship_attributes: { role: "admin", prefix: "" } }],
      attributes: { plan: "pro" },
    }),
    {
      relationships: {
        action: "add",
        entries: [
          { object: byTypeAndId("1", "acme"), assignments: assignments(["role", "admin"], ["prefix", ""]) },
        ],
      },
      assignments: assignments(["plan", "pro"]),
    },
  ],
  [
    "contract §1: reads svc_relationships like cio_relationships in v2",
    identify({ svc_relationships: [{ identifiers: { svc_object_id: object9 } }] }),
    { relationships: { action: "add", entries: [{ object: bySvcObjectId(9), assignments: [] }] } },
  ],
  [
    "reads relationships in the attributes",
    identify({ attributes: { cio_relationships: [{ identifiers: acme }] } }),
    { relationships: { action: "add", entries: [toAcme] }, assignments: [] },
  ],
  [
    "reads relationships in the v1 format in the attributes",
    identify({
      attributes: {
        svc_relationships: { action: "delete_relationships", relationships: [{ identifiers: acme }] },
      },
    }),
    { relationships: { action: "delete", entries: [toAcme] } },
  ],
  [
    "adds relationships of an anonymous visitor",
    { ...identify({ cio_relationships: [{ identifiers: acme }] }), identifiers: { anonymous_id: "an" } },
    { target: byAnonymousId("an"), relationships: { action: "add", entries: [toAcme] } },
  ],
  ["reads an empty list as no change", identify({ cio_relationships: [] }), { relationships: null }],
  ["reads null as no change", identify({ cio_relationships: null }), { relationships: null }],
  [
    "refuses relationships in the v1 format outside the attributes",
    identify({ cio_relationships: { action: "add_relationships", relationships: [] } }),
    ["invalid svc_relationships: svc_relationships must be an array"],
  ],
  [
    "refuses an item with an invalid entry",
    identify({ cio_relationships: [{ identifiers: acme }, { identifiers: { object_type_id: "1" } }] }),
    [
      "required svc_relationships.1.identifiers.object_id: svc_relationships.1.identifiers.object_id must be present",
    ],
  ],
  [
    "reports faults of attributes and relationships together",
    identify({ attributes: { a: "x".repeat(1001) }, cio_relationships: [7] }),
    [
      "too_long attributes.a: value for attribute 'a' cannot be longer than 1000 bytes",
      "invalid svc_relationships.0: svc_relationships.0 must be an object",
    ],
  ],
])

for (const [action, verb] of [
  ["add_relationships", "add"],
  ["delete_relationships", "delete"],
] as const) {
  const change = (rest: object) => ({ type: "person", action, identifiers: { id: "5" }, ...rest })
  table(`Track v2 person ${action}`, decode, [
    [
      "track-api §4.2: decodes a list of objects",
      change({ cio_relationships: [{ identifiers: acme }, { identifiers: { object_id: 7 } }], timestamp: 5 }),
      {
        _tag: "ChangeRelationships",
        target: byId("5"),
        action: verb,
        entries: [toAcme, { object: byTypeAndId("1", "7"), assignments: [] }],
        at: 5000,
      },
    ],
    [
      "contract §6: prefers svc_id over other identifiers",
      { ...change({ cio_relationships: [] }), identifiers: { cio_id: svc42, email: "a@b.io" } },
      { target: bySvcId(42), entries: [] },
    ],
    [
      "contract §13: changes relationships of an anonymous visitor",
      { ...change({ svc_relationships: [{ identifiers: acme }] }), identifiers: { anonymous_id: "an" } },
      { target: byAnonymousId("an"), entries: [toAcme] },
    ],
    [
      "track-api §4.2: refuses an item without relationships",
      change({}),
      ["required svc_relationships: svc_relationships must be present"],
    ],
    [
      "refuses relationships that are not a list",
      change({ cio_relationships: "acme" }),
      ["invalid svc_relationships: svc_relationships must be an array"],
    ],
    [
      "reports all faults of an item",
      { ...change({ cio_relationships: [null, { identifiers: { cio_object_id: {} } }] }), identifiers: {} },
      [
        "required identifiers: identifiers must contain an id, email or svc_id",
        "invalid svc_relationships.0: svc_relationships.0 must be an object",
        "invalid svc_relationships.1.identifiers.svc_object_id: svc_relationships.1.identifiers.svc_object_id must be a string",
      ],
    ],
  ])
}

const people = (action: string, ...entries: ReadonlyArray<unknown>) => ({
  type: "object",
  action,
  identifiers: acme,
  cio_relationships: entries,
})

/**
 * Test cases for the list of people related to an object. Every action except `identify_anonymous` reads this list in
 * the same way.
 */
const peopleCases = (action: string): ReadonlyArray<Row<unknown>> => [
  [
    "track-api §2.3: identifies related people by id",
    people(action, { identifiers: { id: "5" } }, { identifiers: { id: 6 } }),
    {
      entries: [
        { person: byId("5"), assignments: [] },
        { person: byId("6"), assignments: [] },
      ],
      object: byTypeAndId("1", "acme"),
    },
  ],
  [
    "contract §9: identifies related people by email",
    people(action, { identifiers: { email: "a@b.io" } }),
    { entries: [{ person: byEmail("a@b.io"), assignments: [] }] },
  ],
  [
    "contract §9: identifies related people by svc_id before other identifiers",
    people(action, { identifiers: { id: "5", email: "a@b.io", cio_id: svc42 } }),
    { entries: [{ person: bySvcId(42), assignments: [] }] },
  ],
  [
    "contract §6: leaves out an email that the workspace does not use",
    people(action, { identifiers: { id: "5", email: "a@b.io" } }),
    {
      entries: [{ person: byId("5"), assignments: [] }],
      faults: [
        "invalid svc_relationships.0.identifiers.email: email does not identify people in this workspace",
      ],
    },
    idOnly,
  ],
  [
    "refuses an anonymous visitor in a list of people",
    people(action, { identifiers: { id: "5" } }, { identifiers: { anonymous_id: "an" } }),
    ["invalid svc_relationships.1.identifiers.anonymous_id: anonymous_id cannot be used for this action"],
  ],
  [
    "refuses entries without identifiers",
    people(action, { identifiers: {} }, {}),
    [
      "required svc_relationships.0.identifiers: svc_relationships.0.identifiers must contain an id, email or svc_id",
      "required svc_relationships.1.identifiers: svc_relationships.1.identifiers must be present",
    ],
  ],
  [
    "refuses an id that is not a string",
    people(action, { identifiers: { id: [] } }),
    ["invalid svc_relationships.0.identifiers.id: id attribute must be a string value"],
  ],
  [
    "track-api §8 person id: refuses an id of 151 bytes in relationships",
    people(action, { identifiers: { id: "x".repeat(151) } }),
    ["too_long svc_relationships.0.identifiers.id: id attribute cannot be longer than 150 bytes"],
  ],
  [
    "refuses an entry that is not an object",
    people(action, "5"),
    ["invalid svc_relationships.0: svc_relationships.0 must be an object"],
  ],
  [
    "refuses relationships that are not a list",
    { ...people(action), cio_relationships: {} },
    ["invalid svc_relationships: svc_relationships must be an array"],
  ],
]

table("Track v2 object identify: people", decode, peopleCases("identify"))

table("Track v2 object add_relationships", decode, [
  ...peopleCases("add_relationships"),
  [
    "track-api §4.2: adds relationships with their attributes",
    people("add_relationships", { identifiers: { id: "5" }, relationship_attributes: { role: "admin" } }),
    {
      _tag: "ChangeObjectRelationships",
      action: "add",
      entries: [{ person: byId("5"), assignments: assignments(["role", "admin"]) }],
      at: receivedAt,
    },
  ],
  [
    "track-api §8 attributes per object or relationship: refuses 301 attributes on a relationship in v2",
    people("add_relationships", { identifiers: { id: "5" }, relationship_attributes: many(301) }),
    [
      "too_many svc_relationships.0.relationship_attributes: svc_relationships.0.relationship_attributes cannot have more than 300 attributes",
    ],
  ],
  [
    "contract §6: uses _timestamp as the time of a relationship change",
    { ...people("add_relationships", { identifiers: { id: "5" } }), _timestamp: 7 },
    { at: 7000 },
  ],
])

table("Track v2 object delete_relationships", decode, [
  ...peopleCases("delete_relationships"),
  [
    "track-api §4.2: removes relationships and ignores their attributes",
    people("delete_relationships", { identifiers: { id: "5" }, relationship_attributes: 7 }),
    {
      _tag: "ChangeObjectRelationships",
      action: "delete",
      entries: [{ person: byId("5"), assignments: [] }],
    },
  ],
])

for (const action of ["add_relationships", "delete_relationships"]) {
  table(`Track v2 object ${action}: list of people`, decode, [
    [
      "track-api §4.2: refuses an object item without relationships",
      { type: "object", action, identifiers: acme },
      ["required svc_relationships: svc_relationships must be present"],
    ],
    ["accepts an empty list", people(action), { entries: [] }],
    [
      "refuses an item without the identifiers of its object",
      { type: "object", action, cio_relationships: [] },
      ["required identifiers: identifiers must be present"],
    ],
  ])
}

const refusedFor = (entries: number) => {
  const wrong = people("identify", ...Array.from({ length: entries }, () => 0))
  return Result.merge(decodeEntity(receipt("track-v2"), wrong)).faults.map(faultLine)
}

const line = (index: number) =>
  `invalid svc_relationships.${index}: svc_relationships.${index} must be an object`

describe("Track v2 relationships", () => {
  it("a v2 item with many invalid relationships lists 10 faults and counts the remaining faults", () => {
    assert.deepStrictEqual(
      refusedFor(faultsMax),
      Array.from({ length: faultsMax }, (_, index) => line(index)),
    )
    assert.deepStrictEqual(refusedFor(faultsMax + 5), [
      ...Array.from({ length: faultsMax - 1 }, (_, index) => line(index)),
      "too_many : 6 more faults are not listed",
    ])
  })
})
