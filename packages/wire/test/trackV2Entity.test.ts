import { assert, describe, it } from "@effect/vitest"
import { svcIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Result } from "effect"
import { errorsBody } from "../src/track-v2/answers.ts"
import { decodeEntity } from "../src/track-v2/entity.ts"
import {
  assertDecoded,
  assignments,
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  emailOnly,
  idOnly,
  receipt,
  receivedAt,
  type Expected,
  workspace,
} from "./requests.ts"

const personActions =
  "identify, delete, event, page, screen, viewed_content, clicked_content, add_relationships, delete_relationships, add_device, delete_device, merge, suppress, unsuppress"

const svc42 = svcIdText(WorkspaceId.make(7), SubjectKey.make(42))

type Row = readonly [name: string, item: unknown, expected: Expected, over?: typeof workspace]

const table = (title: string, rows: ReadonlyArray<Row>) =>
  describe(title, () => {
    for (const [name, item, expected, over] of rows) {
      it(name, () => assertDecoded(decodeEntity(receipt("track-v2", over), item), expected))
    }
  })

const person = (action: string, rest: object) => ({ type: "person", action, ...rest })
const identify = (identifiers: unknown, rest: object = {}) => person("identify", { identifiers, ...rest })

table("Track v2 types and actions", [
  ["refuses an entity that is not an object", [], ["invalid : the body must be a JSON object"]],
  ["refuses an entity without a type", { action: "identify" }, ["required type: type must be present"]],
  ["refuses an entity without an action", { type: "person" }, ["required action: action must be present"]],
  [
    "refuses an unknown type",
    { type: "pet", action: "identify" },
    ['unknown_type type: unknown type "pet": expected person, object or delivery'],
  ],
  [
    "refuses an unknown action",
    person("dance", {}),
    [`unknown_action action: unknown action "dance" for person: expected ${personActions}`],
  ],
  [
    "refuses a type that is not a string",
    { type: 5, action: "identify" },
    ["unknown_type type: unknown type (a number): expected person, object or delivery"],
  ],
  [
    'refuses the text "constructor" as type',
    { type: "constructor", action: "__proto__" },
    ['unknown_type type: unknown type "constructor": expected person, object or delivery'],
  ],
  [
    'refuses the text "toString" as action',
    person("toString", {}),
    [`unknown_action action: unknown action "toString" for person: expected ${personActions}`],
  ],
  [
    "refuses identify for a delivery",
    { type: "delivery", action: "identify" },
    ['unknown_action action: unknown action "identify" for delivery: expected event'],
  ],
])

table("Track v2 identifiers", [
  ["identifies a person by id", identify({ id: "5" }), { target: byId("5"), id: null, email: null }],
  ["accepts a number as id", identify({ id: 1 }), { target: byId("1") }],
  [
    "reads a value under id as an id, even if it looks like an email",
    identify({ id: "a@b.io" }),
    { target: byId("a@b.io") },
  ],
  ["identifies a person by email", identify({ email: "a@b.io" }), { target: byEmail("a@b.io") }],
  ["identifies a person by svc_id", identify({ svc_id: svc42 }), { target: bySvcId(42) }],
  ["identifies a person by cio_id", identify({ cio_id: svc42 }), { target: bySvcId(42) }],
  ["accepts a svc_id with its prefix", identify({ cio_id: `cio_${svc42}` }), { target: bySvcId(42) }],
  [
    "accepts a malformed svc_id, which matches no person",
    identify({ cio_id: "a3000001" }),
    { target: { ...bySvcId(null), text: "a3000001" } },
  ],
  [
    "identifies an anonymous visitor",
    identify({ anonymous_id: "an" }),
    { target: byAnonymousId("an"), anonymousId: "an" },
  ],
  [
    "identifies the person by id and sets the email",
    identify({ email: "a@b.io", id: "5", anonymous_id: "an" }),
    { target: byId("5"), id: null, email: "a@b.io", anonymousId: "an" },
  ],
  [
    "identifies the person by svc_id and sets id and email",
    identify({ email: "a@b.io", id: "5", svc_id: svc42 }),
    { target: bySvcId(42), id: "5", email: "a@b.io" },
  ],
  [
    "identifies the person by email, although there is an anonymous_id",
    identify({ email: "a@b.io", anonymous_id: "an" }),
    { target: byEmail("a@b.io"), anonymousId: "an" },
  ],
  [
    "reads a null identifier as missing",
    identify({ id: null, email: "a@b.io" }),
    { target: byEmail("a@b.io") },
  ],
  ["ignores a phone number next to an id", identify({ id: "5", phone: "+49" }), { target: byId("5") }],
  [
    "refuses a phone number as the only identifier",
    identify({ phone: "+49" }),
    ["invalid identifiers.phone: phone does not identify people in this workspace"],
  ],
  [
    "refuses empty identifiers",
    identify({}),
    ["required identifiers: identifiers must contain an id, email or svc_id"],
  ],
  [
    "refuses an empty id as the only identifier",
    identify({ id: "" }),
    ["required identifiers: identifiers must contain an id, email or svc_id"],
  ],
  [
    "refuses an entity without identifiers",
    identify(undefined),
    ["required identifiers: identifiers must be present"],
  ],
  ["refuses null identifiers", identify(null), ["required identifiers: identifiers must be present"]],
  [
    "refuses identifiers that are not an object",
    identify("5"),
    ["invalid identifiers: identifiers must be an object"],
  ],
  [
    "refuses an id that is not a string",
    identify({ id: true }),
    ["invalid identifiers.id: id attribute must be a string value"],
  ],
  [
    "refuses an id of 151 bytes",
    identify({ id: "x".repeat(151) }),
    ["too_long identifiers.id: id attribute cannot be longer than 150 bytes"],
  ],
  [
    "refuses an email if the workspace identifies people by id only",
    identify({ email: "a@b.io" }),
    ["invalid identifiers.email: email does not identify people in this workspace"],
    idOnly,
  ],
  [
    "refuses an id if the workspace identifies people by email only",
    identify({ id: "5" }),
    ["invalid identifiers.id: id does not identify people in this workspace"],
    emailOnly,
  ],
  [
    "leaves out a kind of identifier that the workspace does not use if there is another kind",
    identify({ id: "5", email: "a@b.io" }),
    {
      target: byId("5"),
      email: null,
      faults: ["invalid identifiers.email: email does not identify people in this workspace"],
    },
    idOnly,
  ],
  [
    "does not read identifiers inside __proto__",
    identify(JSON.parse('{"__proto__":{"id":"5"}}')),
    ["required identifiers: identifiers must contain an id, email or svc_id"],
  ],
  [
    "identifies a visitor by an anonymous_id at the top level",
    person("identify", { anonymous_id: "an" }),
    { target: byAnonymousId("an") },
  ],
])

table("Track v2 identify", [
  [
    "reads attributes and the identifiers among them",
    identify({ id: "5" }, { attributes: { plan: "pro", email: "a@b.io", anonymous_id: "an" } }),
    { assignments: assignments(["plan", "pro"]), email: "a@b.io", anonymousId: "an" },
  ],
  ["accepts an identify without attributes", identify({ id: "5" }), { assignments: [] }],
  ["accepts null attributes", identify({ id: "5" }, { attributes: null }), { assignments: [] }],
  [
    "refuses attributes that are not an object",
    identify({ id: "5" }, { attributes: [1] }),
    ["invalid attributes: attributes must be an object"],
  ],
  [
    "reads the new id of the person from the attributes",
    identify({ svc_id: svc42 }, { attributes: { id: "user-789" } }),
    { target: bySvcId(42), id: "user-789" },
  ],
  ["ignores an empty id in the attributes", identify({ id: "5" }, { attributes: { id: "" } }), { id: null }],
  [
    "keeps the email in the identifiers and reports a different email in the attributes",
    identify({ id: "5", email: "a@b.io" }, { attributes: { email: "c@d.io" } }),
    {
      email: "a@b.io",
      faults: ["invalid attributes.email: email differs from the email that addresses the person"],
    },
  ],
  [
    "accepts the same email in another case",
    identify({ id: "5", email: "a@b.io" }, { attributes: { email: "A@b.io" } }),
    { email: "a@b.io" },
  ],
  [
    "turns a visitor with an email into a person",
    identify({ anonymous_id: "an" }, { attributes: { email: "a@b.io" } }),
    { target: byEmail("a@b.io"), anonymousId: "an", email: null },
  ],
  [
    "turns a visitor with an id into a person",
    identify({ anonymous_id: "an" }, { attributes: { email: "a@b.io", id: "5" } }),
    { target: byId("5"), anonymousId: "an", email: "a@b.io" },
  ],
  [
    "stores the email of a visitor as an attribute if the workspace does not use emails",
    identify({ anonymous_id: "an" }, { attributes: { email: "a@b.io" } }),
    { target: byAnonymousId("an"), assignments: assignments(["email", "a@b.io"]) },
    idOnly,
  ],
  [
    "prefers _timestamp over timestamp as the time of the update",
    identify({ id: "5" }, { _timestamp: 1_571_043_797, timestamp: 5 }),
    { at: 1_571_043_797_000 },
  ],
  [
    "uses _timestamp in the attributes as the time of the update",
    identify({ id: "5" }, { attributes: { _timestamp: 1_571_043_797 }, timestamp: 5 }),
    { at: 1_571_043_797_000, assignments: [] },
  ],
  [
    "uses timestamp as the time of the update",
    identify({ id: "5" }, { timestamp: 1_571_043_797.5 }),
    { at: 1_571_043_797_000 },
  ],
  [
    "reads a timestamp as text of digits",
    identify({ id: "5" }, { timestamp: "1571043797" }),
    { at: 1_571_043_797_000 },
  ],
  [
    "uses the time of receipt for an invalid timestamp and reports it",
    identify({ id: "5" }, { timestamp: "now" }),
    {
      at: receivedAt,
      faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "uses timestamp if _timestamp is invalid",
    identify({ id: "5" }, { _timestamp: "now", timestamp: 5 }),
    {
      at: 5000,
      faults: ["invalid _timestamp: _timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "stores an attribute named timestamp",
    identify({ id: "5" }, { attributes: { timestamp: 5 } }),
    { at: receivedAt, assignments: assignments(["timestamp", 5]) },
  ],
  [
    "reads _update in the attributes as a request not to create a person",
    identify({ id: "5" }, { attributes: { _update: true } }),
    { updateOnly: true, assignments: [] },
  ],
  [
    "reads _update at the top level as a request not to create a person",
    identify({ id: "5" }, { _update: true }),
    { updateOnly: true },
  ],
  [
    "leaves out an invalid created_at",
    identify({ id: "5" }, { attributes: { created_at: "x" } }),
    {
      assignments: [],
      faults: ["invalid attributes.created_at: created_at must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "refuses a value that is too long",
    identify({ id: "5" }, { attributes: { plan: "x".repeat(1001) } }),
    ["too_long attributes.plan: value for attribute 'plan' cannot be longer than 1000 bytes"],
  ],
  [
    "refuses a name that is too long",
    identify({ id: "5" }, { attributes: { ["x".repeat(151)]: 1 } }),
    ["too_long attributes: attribute name cannot be longer than 150 bytes"],
  ],
  [
    "refuses a value that is nested too deep",
    identify({ id: "5" }, { attributes: { a: JSON.parse("[".repeat(200) + "]".repeat(200)) } }),
    [
      "invalid attributes.a: value for attribute 'a' is nested deeper than 100 levels or contains a number out of range",
    ],
  ],
  [
    "refuses a number out of range",
    identify({ id: "5" }, { attributes: { a: JSON.parse("1e999") } }),
    ["invalid attributes.a: value for attribute 'a' is a number out of range"],
  ],
])

table("Track v2 delete", [
  [
    "deletes a person by id and ignores other fields",
    person("delete", { identifiers: { id: "5" }, attributes: {}, cio_relationships: [] }),
    { _tag: "DeletePerson", target: byId("5") },
  ],
  [
    "deletes a person by email",
    person("delete", { identifiers: { email: "a@b.io" } }),
    { target: byEmail("a@b.io") },
  ],
  [
    "deletes a person by svc_id and ignores other identifiers",
    person("delete", { identifiers: { id: "5", cio_id: svc42 } }),
    { target: bySvcId(42) },
  ],
  [
    "refuses to delete an anonymous visitor",
    person("delete", { identifiers: { anonymous_id: "an" } }),
    ["invalid identifiers.anonymous_id: anonymous_id cannot be used for this action"],
  ],
])

describe("Track v2 error bodies", () => {
  it("Track v2 error bodies list the reason, field and message of each fault", () => {
    const refused = decodeEntity(receipt("track-v2"), { type: "person" })
    assert.deepStrictEqual(errorsBody("svc", Result.merge(refused).faults), {
      errors: [{ reason: "required", field: "action", message: "action must be present" }],
    })
  })
})
