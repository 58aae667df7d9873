import { assert, describe, it } from "@effect/vitest"
import { decodeCall } from "../src/pipelines/decode.ts"
import {
  assertCommand,
  assignments,
  bare,
  byAnonymousId,
  byEmail,
  byId,
  requestContext,
  receivedAt,
  envelopeFrom,
} from "./requests.ts"
import { bodyTable, rejectedCall } from "./pipelinesCalls.ts"

const object = (typeId: string, objectId: string) => ({ _tag: "ByTypeAndId", typeId, objectId })
const entry = (person: object, ...pairs: ReadonlyArray<readonly [string, unknown]>) => ({
  person,
  assignments: assignments(...pairs),
})

describe("Pipelines group", () => {
  it("the decoder reads every field of a Pipelines group call", () => {
    const body = {
      userId: "5",
      groupId: "acme",
      messageId: "m",
      timestamp: "2026-03-01T11:00:00Z",
      sentAt: "2026-03-01T11:30:00Z",
      traits: { object_type_id: "3", industry: "steel", relationship_traits: { role: "ceo" } },
    }
    assert.deepStrictEqual(decodeCall(requestContext(), "group", body).commands, [
      {
        _tag: "IdentifyObject",
        ...envelopeFrom("pipelines"),
        at: receivedAt - 1_800_000,
        originalTimestamp: receivedAt - 3_600_000,
        deduplicationKey: "m",
        object: { _tag: "ByTypeAndId", typeId: "3", objectId: "acme" },
        assignments: [{ name: "industry", value: "steel" }],
        entries: [
          {
            person: { _tag: "ByIdentifier", kind: "id", value: "5" },
            assignments: [{ name: "role", value: "ceo" }],
          },
        ],
      },
    ])
  })

  bodyTable("contract §13 group: relates a person or a visitor, or only updates the object", "group", [
    [
      "relates a person identified by email",
      { userId: "a@b.io", groupId: "g" },
      { entries: [entry(bare("a@b.io", byEmail("a@b.io")))] },
    ],
    [
      "relates an anonymous visitor",
      { anonymousId: "an", groupId: "g" },
      { entries: [entry(byAnonymousId("an"))] },
    ],
    [
      "relates the person and not the visitor if userId and anonymousId are present",
      { userId: "5", anonymousId: "an", groupId: "g" },
      { entries: [entry(byId("5"))] },
    ],
    [
      "updates only the object if the call has no person or visitor",
      { groupId: "g", traits: { a: 1 } },
      { entries: [], assignments: assignments(["a", 1]) },
    ],
    ["reads an empty userId as missing", { userId: "", groupId: "g" }, { entries: [] }],
    [
      "accepts numbers as userId and groupId",
      { userId: 5, groupId: 6 },
      { object: object("1", "6"), entries: [entry(byId("5"))] },
    ],
  ])

  bodyTable("contract §13 group type: an object without a type has type 1", "group", [
    ["uses type 1 by default", { groupId: "g" }, { object: object("1", "g") }],
    [
      "reads object_type_id in the traits",
      { groupId: "g", traits: { object_type_id: 2 } },
      { object: object("2", "g"), assignments: [] },
    ],
    [
      "reads objectTypeId in the traits",
      { groupId: "g", traits: { objectTypeId: "2" } },
      { object: object("2", "g"), assignments: [] },
    ],
    [
      "reads objectTypeId at the top level of the call",
      { groupId: "g", objectTypeId: "2" },
      { object: object("2", "g") },
    ],
    [
      "uses type 1 for an empty type",
      { groupId: "g", traits: { object_type_id: "" } },
      { object: object("1", "g") },
    ],
  ])

  bodyTable(
    "pipelines-api §2.2 group: traits hold attributes of the object and of the relationship",
    "group",
    [
      [
        "reads attributes of the relationship in every spelling",
        {
          userId: "5",
          groupId: "g",
          traits: {
            relationship_traits: { a: 1 },
            relationshipAttributes: { b: 2 },
            relationship_attributes: { c: null },
          },
        },
        { assignments: [], entries: [entry(byId("5"), ["a", 1], ["b", 2], ["c", null])] },
      ],
      [
        "reads attributes of the object from the traits and from objectAttributes",
        { groupId: "g", traits: { a: 1, objectAttributes: { b: { c: [1] }, d: "" } } },
        { assignments: assignments(["a", 1], ["b", { c: [1] }], ["d", ""]) },
      ],
      [
        "uses _timestamp as the time of the update",
        { groupId: "g", timestamp: "2026-03-01T11:00:00Z", traits: { _timestamp: 5, a: 1 } },
        { at: 5000, originalTimestamp: receivedAt - 3_600_000, assignments: assignments(["a", 1]) },
      ],
      [
        "stores a trait named __proto__ as an attribute",
        { groupId: "g", traits: JSON.parse('{"__proto__":1}') },
        { assignments: assignments(["__proto__", 1]) },
      ],
      [
        "leaves out attributes that are too long and reports them",
        {
          userId: "5",
          groupId: "g",
          traits: {
            a: "x".repeat(1001),
            b: 1,
            relationshipAttributes: { c: "x".repeat(1001), d: 1, ["n".repeat(151)]: 1 },
          },
        },
        {
          assignments: assignments(["b", 1]),
          entries: [entry(byId("5"), ["d", 1])],
          faults: [
            "too_long traits.a: value for attribute 'a' cannot be longer than 1000 bytes",
            "too_long traits.relationshipAttributes.c: value for attribute 'c' cannot be longer than 1000 bytes",
            `too_long traits.relationshipAttributes: attribute name cannot be longer than 150 bytes; left out: ${"n".repeat(50)}…`,
          ],
        },
      ],
      [
        "leaves out traits that are not an object",
        { groupId: "g", traits: "x" },
        { assignments: [], faults: ["invalid traits: traits must be an object"] },
      ],
      [
        "reports each invalid time",
        { groupId: "g", timestamp: "soon", traits: { _timestamp: "later" } },
        {
          at: receivedAt,
          faults: [
            "invalid traits._timestamp: _timestamp must be Unix seconds or an ISO 8601 date-time",
            "invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time",
          ],
        },
      ],
    ],
  )

  it("contract §5 group: a group call leaves out attributes beyond the first 300, and attributes beyond 100 KB in all", () => {
    const many = Object.fromEntries(Array.from({ length: 302 }, (_, i) => [`a${i}`, i]))
    const [counted] = decodeCall(requestContext(), "group", { groupId: "g", traits: many }).commands
    assertCommand(counted, {
      faults: ["too_many traits: traits cannot have more than 300 attributes; left out: a300, a301"],
    })
    const large = Object.fromEntries(Array.from({ length: 110 }, (_, i) => [`a${i}`, "x".repeat(990)]))
    const [measured] = decodeCall(requestContext(), "group", { groupId: "g", traits: large }).commands
    assertCommand(measured, {
      faults: [
        "too_large traits: traits cannot be larger than 102400 bytes in all; left out: a103, a104, a105, a106, a107, a108, a109",
      ],
    })
  })

  bodyTable("Pipelines group refusals", "group", [
    [
      "refuses a group without a groupId",
      { userId: "5", traits: {} },
      rejectedCall("object_identify", "required groupId: groupId must be present"),
    ],
    [
      "refuses a groupId that is not a string",
      { groupId: {} },
      rejectedCall("object_identify", "invalid groupId: groupId must be a string"),
    ],
    [
      "refuses a groupId of 151 bytes",
      { groupId: "é".repeat(76), messageId: "m" },
      {
        ...rejectedCall("object_identify", "too_long groupId: groupId cannot be longer than 150 bytes"),
        deduplicationKey: "m",
      },
    ],
    [
      "refuses a userId of 151 bytes",
      { groupId: "g", userId: "x".repeat(151) },
      rejectedCall("object_identify", "too_long userId: id attribute cannot be longer than 150 bytes"),
    ],
  ])
})

describe("Pipelines alias", () => {
  const person = { previous: byId("old"), previousId: "old" }
  bodyTable("contract §13 alias: merges two people, or a visitor into a person", "alias", [
    [
      "merges the person of previousId into the person of userId",
      { userId: "5", previousId: "old" },
      { _tag: "AliasPerson", target: byId("5"), ...person },
    ],
    [
      "accepts emails as userId and previousId",
      { userId: "a@b.io", previousId: "c@d.io" },
      {
        target: bare("a@b.io", byEmail("a@b.io")),
        previous: bare("c@d.io", byEmail("c@d.io")),
        previousId: "c@d.io",
      },
    ],
    [
      "ignores the anonymousId if there is a userId",
      { userId: "5", anonymousId: "an", previousId: "old" },
      person,
    ],
    [
      "accepts numbers as userId and previousId",
      { userId: 5, previousId: 6 },
      { target: byId("5"), previousId: "6" },
    ],
    [
      "merges a visitor into the person of previousId if userId is missing",
      { anonymousId: "an", previousId: "old", messageId: "m", timestamp: "2026-03-01T11:00:00Z" },
      {
        _tag: "IdentifyPerson",
        target: byId("old"),
        id: null,
        email: null,
        anonymousId: "an",
        assignments: [],
        relationships: null,
        device: null,
        updateOnly: true,
        deduplicationKey: "m",
        at: receivedAt - 3_600_000,
      },
    ],
  ])

  bodyTable("Pipelines alias refusals", "alias", [
    [
      "refuses an alias without a previousId",
      { userId: "5" },
      rejectedCall("merge", "required previousId: previousId must be present"),
    ],
    [
      "refuses an empty previousId",
      { userId: "5", previousId: "" },
      rejectedCall("merge", "required previousId: previousId must be present"),
    ],
    [
      "refuses a previousId that is not a string",
      { userId: "5", previousId: [] },
      rejectedCall("merge", "invalid previousId: previousId must be a string"),
    ],
    [
      "refuses an alias without a userId or anonymousId",
      { previousId: "old" },
      rejectedCall("merge", "required userId: userId or anonymousId is required"),
    ],
    [
      "refuses a previousId of 151 bytes",
      { userId: "5", previousId: "x".repeat(151) },
      rejectedCall("merge", "too_long previousId: id attribute cannot be longer than 150 bytes"),
    ],
    [
      "refuses a userId of 151 bytes in an alias",
      { userId: "x".repeat(151), previousId: "old" },
      rejectedCall("merge", "too_long userId: id attribute cannot be longer than 150 bytes"),
    ],
    [
      "refuses an anonymousId of 151 bytes in an alias",
      { anonymousId: "x".repeat(151), previousId: "old" },
      rejectedCall("merge", "too_long anonymousId: anonymous_id attribute cannot be longer than 150 bytes"),
    ],
  ])
})

const related = (typeId: string, objectId: string, ...pairs: ReadonlyArray<readonly [string, unknown]>) => ({
  relationships: {
    action: "add",
    entries: [{ object: object(typeId, objectId), assignments: assignments(...pairs) }],
  },
})

bodyTable("contract §13 objectId: an objectId in the traits relates the person to that object", "identify", [
  [
    "relates the person to an object of type 1 by default",
    { userId: "5", traits: { objectId: "acme", a: 1 } },
    { ...related("1", "acme"), assignments: assignments(["a", 1]) },
  ],
  [
    "reads objectId and objectTypeId in the traits",
    { userId: "5", traits: { objectId: 7, objectTypeId: 2 } },
    { ...related("2", "7"), assignments: [] },
  ],
  [
    "reads object_type_id and attributes of the relationship",
    {
      anonymousId: "an",
      traits: { objectId: "acme", object_type_id: "2", relationshipAttributes: { role: "ceo" } },
    },
    { target: byAnonymousId("an"), ...related("2", "acme", ["role", "ceo"]), assignments: [] },
  ],
  [
    "adds the object to the relationships that the traits list",
    {
      userId: "5",
      traits: { objectId: "acme", cio_relationships: [{ identifiers: { object_id: "other" } }] },
    },
    {
      relationships: {
        action: "add",
        entries: [
          { object: object("1", "other"), assignments: [] },
          { object: object("1", "acme"), assignments: [] },
        ],
      },
    },
  ],
  [
    "leaves out the object if the call also removes relationships",
    {
      userId: "5",
      traits: {
        objectId: "acme",
        cio_relationships: {
          action: "delete_relationships",
          relationships: [{ identifiers: { object_id: "other" } }],
        },
      },
    },
    {
      relationships: { action: "delete", entries: [{ object: object("1", "other"), assignments: [] }] },
      faults: [
        "invalid traits.objectId: traits.objectId cannot add a relationship in a call that also removes relationships",
      ],
    },
  ],
  [
    "reads an empty objectId as missing and keeps the traits as attributes",
    { userId: "5", traits: { objectId: "", objectTypeId: 2 } },
    { relationships: null, assignments: assignments(["objectId", ""], ["objectTypeId", 2]) },
  ],
  [
    "refuses a call with an objectId of 151 bytes (contract §5)",
    { userId: "5", traits: { objectId: "x".repeat(151) } },
    rejectedCall("identify", "too_long traits.objectId: traits.objectId cannot be longer than 150 bytes"),
  ],
])
