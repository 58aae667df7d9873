import { assert, describe, it } from "@effect/vitest"
import { svcIdText, svcObjectIdText, SubjectKey } from "@inlet/core/values/Identifier"
import { Result } from "effect"
import { decodeEntity } from "@inlet/api/track-v2/entity"
import { faultsMax } from "@inlet/api/wire/Findings"
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

const svc42 = svcIdText(SubjectKey.make(42))
const object9 = svcObjectIdText(SubjectKey.make(9))

const acme = { object_type_id: "1", object_id: "acme" }
const toAcme = { object: byTypeAndId("1", "acme"), assignments: [] }

const identify = (rest: object) => ({ type: "person", action: "identify", identifiers: { id: "5" }, ...rest })

table("v2 identify with relationships", decode, [
  [
    "track-api §2.3: a list to add",
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
    "contract §1: svc_relationships",
    identify({ svc_relationships: [{ identifiers: { svc_object_id: object9 } }] }),
    { relationships: { action: "add", entries: [{ object: bySvcObjectId(9), assignments: [] }] } },
  ],
  [
    "among the attributes",
    identify({ attributes: { cio_relationships: [{ identifiers: acme }] } }),
    { relationships: { action: "add", entries: [toAcme] }, assignments: [] },
  ],
  [
    "among the attributes as in v1",
    identify({
      attributes: {
        svc_relationships: { action: "delete_relationships", relationships: [{ identifiers: acme }] },
      },
    }),
    { relationships: { action: "delete", entries: [toAcme] } },
  ],
  [
    "of a visitor",
    { ...identify({ cio_relationships: [{ identifiers: acme }] }), identifiers: { anonymous_id: "an" } },
    { target: byAnonymousId("an"), relationships: { action: "add", entries: [toAcme] } },
  ],
  ["an empty list", identify({ cio_relationships: [] }), { relationships: null }],
  ["null", identify({ cio_relationships: null }), { relationships: null }],
  [
    "the object of v1",
    identify({ cio_relationships: { action: "add_relationships", relationships: [] } }),
    ["invalid svc_relationships: svc_relationships must be an array"],
  ],
  [
    "an entry that is wrong refuses the item",
    identify({ cio_relationships: [{ identifiers: acme }, { identifiers: { object_type_id: "1" } }] }),
    [
      "required svc_relationships.1.identifiers.object_id: svc_relationships.1.identifiers.object_id must be present",
    ],
  ],
  [
    "everything that is wrong",
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
  table(`v2 person ${action}`, decode, [
    [
      "track-api §4.2: a list",
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
      "contract §6: of several identifiers svc_id leads",
      { ...change({ cio_relationships: [] }), identifiers: { cio_id: svc42, email: "a@b.io" } },
      { target: bySvcId(42), entries: [] },
    ],
    [
      "contract §13: of a visitor",
      { ...change({ svc_relationships: [{ identifiers: acme }] }), identifiers: { anonymous_id: "an" } },
      { target: byAnonymousId("an"), entries: [toAcme] },
    ],
    [
      "track-api §4.2: the list is required",
      change({}),
      ["required svc_relationships: svc_relationships must be present"],
    ],
    [
      "no list",
      change({ cio_relationships: "acme" }),
      ["invalid svc_relationships: svc_relationships must be an array"],
    ],
    [
      "everything that is wrong",
      { ...change({ cio_relationships: [null, { identifiers: { cio_object_id: {} } }] }), identifiers: {} },
      [
        "required identifiers: identifiers must hold one of id, email and svc_id",
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

/** Who can stand under an object, in every action but `identify_anonymous`. */
const parties = (action: string): ReadonlyArray<Row<unknown>> => [
  [
    "track-api §2.3: by id",
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
    "contract §9: by email",
    people(action, { identifiers: { email: "a@b.io" } }),
    { entries: [{ person: byEmail("a@b.io"), assignments: [] }] },
  ],
  [
    "contract §9: by svc_id, which leads",
    people(action, { identifiers: { id: "5", email: "a@b.io", cio_id: svc42 } }),
    { entries: [{ person: bySvcId(42), assignments: [] }] },
  ],
  [
    "contract §6: an email that is not used is left out",
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
    "not by a visitor",
    people(action, { identifiers: { id: "5" } }, { identifiers: { anonymous_id: "an" } }),
    ["invalid svc_relationships.1.identifiers.anonymous_id: anonymous_id cannot be used for this action"],
  ],
  [
    "by nobody",
    people(action, { identifiers: {} }, {}),
    [
      "required svc_relationships.0.identifiers: svc_relationships.0.identifiers must hold one of id, email and svc_id",
      "required svc_relationships.1.identifiers: svc_relationships.1.identifiers must be present",
    ],
  ],
  [
    "an id of a wrong type",
    people(action, { identifiers: { id: [] } }),
    ["invalid svc_relationships.0.identifiers.id: id attribute must be a string value"],
  ],
  [
    "track-api §8 person id: 151 bytes",
    people(action, { identifiers: { id: "x".repeat(151) } }),
    ["too_long svc_relationships.0.identifiers.id: id attribute cannot be longer than 150 bytes"],
  ],
  [
    "an entry that is no object",
    people(action, "5"),
    ["invalid svc_relationships.0: svc_relationships.0 must be an object"],
  ],
  [
    "no list",
    { ...people(action), cio_relationships: {} },
    ["invalid svc_relationships: svc_relationships must be an array"],
  ],
]

table("v2 object identify: people", decode, parties("identify"))

table("v2 object add_relationships", decode, [
  ...parties("add_relationships"),
  [
    "track-api §4.2: with attributes",
    people("add_relationships", { identifiers: { id: "5" }, relationship_attributes: { role: "admin" } }),
    {
      _tag: "ChangeObjectRelationships",
      action: "add",
      entries: [{ person: byId("5"), assignments: assignments(["role", "admin"]) }],
      at: receivedAt,
    },
  ],
  [
    "track-api §8 attributes per object or relationship: 301",
    people("add_relationships", { identifiers: { id: "5" }, relationship_attributes: many(301) }),
    [
      "too_many svc_relationships.0.relationship_attributes: svc_relationships.0.relationship_attributes cannot hold more than 300 attributes",
    ],
  ],
  [
    "contract §6: _timestamp orders it",
    { ...people("add_relationships", { identifiers: { id: "5" } }), _timestamp: 7 },
    { at: 7000 },
  ],
])

table("v2 object delete_relationships", decode, [
  ...parties("delete_relationships"),
  [
    "track-api §4.2: attributes do not matter",
    people("delete_relationships", { identifiers: { id: "5" }, relationship_attributes: 7 }),
    {
      _tag: "ChangeObjectRelationships",
      action: "delete",
      entries: [{ person: byId("5"), assignments: [] }],
    },
  ],
])

for (const action of ["add_relationships", "delete_relationships"]) {
  table(`v2 object ${action}: the list`, decode, [
    [
      "track-api §4.2: is required",
      { type: "object", action, identifiers: acme },
      ["required svc_relationships: svc_relationships must be present"],
    ],
    ["may be empty", people(action), { entries: [] }],
    [
      "of an object that is not named",
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

describe("v2 relationships", () => {
  it("tell no more of what is wrong than helps", () => {
    assert.deepStrictEqual(
      refusedFor(faultsMax),
      Array.from({ length: faultsMax }, (_, index) => line(index)),
    )
    assert.deepStrictEqual(refusedFor(faultsMax + 5), [
      ...Array.from({ length: faultsMax - 1 }, (_, index) => line(index)),
      "too_many : 6 more faults are left out",
    ])
  })
})
