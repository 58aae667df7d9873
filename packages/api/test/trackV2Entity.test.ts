import { assert, describe, it } from "@effect/vitest"
import { svcIdText, SubjectKey } from "@inlet/core/values/Identifier"
import { Result } from "effect"
import { errorsBody } from "@inlet/api/track-v2/answers"
import { decodeEntity } from "@inlet/api/track-v2/entity"
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

const svc42 = svcIdText(SubjectKey.make(42))

type Row = readonly [name: string, item: unknown, expected: Expected, over?: typeof workspace]

const table = (title: string, rows: ReadonlyArray<Row>) =>
  describe(title, () => {
    for (const [name, item, expected, over] of rows) {
      it(name, () => assertDecoded(decodeEntity(receipt("track-v2", over), item), expected))
    }
  })

const person = (action: string, rest: object) => ({ type: "person", action, ...rest })
const identify = (identifiers: unknown, rest: object = {}) => person("identify", { identifiers, ...rest })
const event = (rest: object, identifiers: unknown = { id: "5" }) =>
  person("event", { identifiers, name: "a", ...rest })

table("v2 dispatch", [
  ["no object", [], ["invalid : the body must be a JSON object"]],
  ["no type", { action: "identify" }, ["required type: type must be present"]],
  ["no action", { type: "person" }, ["required action: action must be present"]],
  [
    "another type",
    { type: "pet", action: "identify" },
    ['unknown_type type: unknown type "pet": expected person, object or delivery'],
  ],
  [
    "another action",
    person("dance", {}),
    [`unknown_action action: unknown action "dance" for person: expected ${personActions}`],
  ],
  [
    "a type of a wrong type",
    { type: 5, action: "identify" },
    ["unknown_type type: unknown type (a number): expected person, object or delivery"],
  ],
  [
    "names of the prototype",
    { type: "constructor", action: "__proto__" },
    ['unknown_type type: unknown type "constructor": expected person, object or delivery'],
  ],
  [
    "an action of the prototype",
    person("toString", {}),
    [`unknown_action action: unknown action "toString" for person: expected ${personActions}`],
  ],
  [
    "delivery identify",
    { type: "delivery", action: "identify" },
    ['unknown_action action: unknown action "identify" for delivery: expected event'],
  ],
])

table("v2 identifiers", [
  ["id", identify({ id: "5" }), { target: byId("5"), id: null, email: null }],
  ["id as a number", identify({ id: 1 }), { target: byId("1") }],
  ["id that looks like an email", identify({ id: "a@b.io" }), { target: byId("a@b.io") }],
  ["email", identify({ email: "a@b.io" }), { target: byEmail("a@b.io") }],
  ["svc_id", identify({ svc_id: svc42 }), { target: bySvcId(42) }],
  ["svc_id in the other spelling", identify({ cio_id: svc42 }), { target: bySvcId(42) }],
  ["svc_id with its prefix", identify({ cio_id: `cio_${svc42}` }), { target: bySvcId(42) }],
  ["svc_id that is none of ours", identify({ cio_id: "a3000001" }), { target: bySvcId(null) }],
  ["anonymous_id", identify({ anonymous_id: "an" }), { target: byAnonymousId("an"), anonymousId: "an" }],
  [
    "id leads, email counts",
    identify({ email: "a@b.io", id: "5", anonymous_id: "an" }),
    { target: byId("5"), id: null, email: "a@b.io", anonymousId: "an" },
  ],
  [
    "svc_id leads, id and email count",
    identify({ email: "a@b.io", id: "5", svc_id: svc42 }),
    { target: bySvcId(42), id: "5", email: "a@b.io" },
  ],
  [
    "email leads over anonymous_id",
    identify({ email: "a@b.io", anonymous_id: "an" }),
    { target: byEmail("a@b.io"), anonymousId: "an" },
  ],
  ["null is absent", identify({ id: null, email: "a@b.io" }), { target: byEmail("a@b.io") }],
  ["phone beside", identify({ id: "5", phone: "+49" }), { target: byId("5") }],
  [
    "phone alone",
    identify({ phone: "+49" }),
    ["invalid identifiers.phone: phone does not identify people in this workspace"],
  ],
  ["none", identify({}), ["required identifiers: identifiers must hold one of id, email and svc_id"]],
  [
    "empty",
    identify({ id: "" }),
    ["required identifiers: identifiers must hold one of id, email and svc_id"],
  ],
  ["absent", identify(undefined), ["required identifiers: identifiers must be present"]],
  ["null", identify(null), ["required identifiers: identifiers must be present"]],
  ["no object", identify("5"), ["invalid identifiers: identifiers must be an object"]],
  [
    "id of a wrong type",
    identify({ id: true }),
    ["invalid identifiers.id: id attribute must be a string value"],
  ],
  [
    "id of 151 bytes",
    identify({ id: "x".repeat(151) }),
    ["too_long identifiers.id: id attribute cannot be longer than 150 bytes"],
  ],
  [
    "email where people have only ids",
    identify({ email: "a@b.io" }),
    ["invalid identifiers.email: email does not identify people in this workspace"],
    idOnly,
  ],
  [
    "id where people have only emails",
    identify({ id: "5" }),
    ["invalid identifiers.id: id does not identify people in this workspace"],
    emailOnly,
  ],
  [
    "a kind not used, beside one that is",
    identify({ id: "5", email: "a@b.io" }),
    {
      target: byId("5"),
      email: null,
      faults: ["invalid identifiers.email: email does not identify people in this workspace"],
    },
    idOnly,
  ],
  [
    "keys of the prototype",
    identify(JSON.parse('{"__proto__":{"id":"5"}}')),
    ["required identifiers: identifiers must hold one of id, email and svc_id"],
  ],
  ["a visitor at the top", person("identify", { anonymous_id: "an" }), { target: byAnonymousId("an") }],
])

table("v2 identify", [
  [
    "attributes",
    identify({ id: "5" }, { attributes: { plan: "pro", email: "a@b.io", anonymous_id: "an" } }),
    { assignments: assignments(["plan", "pro"]), email: "a@b.io", anonymousId: "an" },
  ],
  ["no attributes", identify({ id: "5" }), { assignments: [] }],
  ["null attributes", identify({ id: "5" }, { attributes: null }), { assignments: [] }],
  [
    "attributes that are no object",
    identify({ id: "5" }, { attributes: [] }),
    ["invalid attributes: attributes must be an object"],
  ],
  [
    "id in the attributes",
    identify({ svc_id: svc42 }, { attributes: { id: "user-789" } }),
    { target: bySvcId(42), id: "user-789" },
  ],
  ["an empty id in the attributes", identify({ id: "5" }, { attributes: { id: "" } }), { id: null }],
  [
    "another email in the attributes",
    identify({ id: "5", email: "a@b.io" }, { attributes: { email: "c@d.io" } }),
    {
      email: "a@b.io",
      faults: ["invalid attributes.email: email differs from the email that is addressed"],
    },
  ],
  [
    "the same email in another case",
    identify({ id: "5", email: "a@b.io" }, { attributes: { email: "A@b.io" } }),
    { email: "a@b.io" },
  ],
  [
    "a visitor who gives an email is a person",
    identify({ anonymous_id: "an" }, { attributes: { email: "a@b.io" } }),
    { target: byEmail("a@b.io"), anonymousId: "an", email: null },
  ],
  [
    "a visitor who gives an id is a person",
    identify({ anonymous_id: "an" }, { attributes: { email: "a@b.io", id: "5" } }),
    { target: byId("5"), anonymousId: "an", email: "a@b.io" },
  ],
  [
    "a visitor whose email is no identifier",
    identify({ anonymous_id: "an" }, { attributes: { email: "a@b.io" } }),
    { target: byAnonymousId("an"), assignments: assignments(["email", "a@b.io"]) },
    idOnly,
  ],
  [
    "_timestamp",
    identify({ id: "5" }, { _timestamp: 1_571_043_797, timestamp: 5 }),
    { at: 1_571_043_797_000 },
  ],
  [
    "_timestamp in the attributes",
    identify({ id: "5" }, { attributes: { _timestamp: 1_571_043_797 }, timestamp: 5 }),
    { at: 1_571_043_797_000, assignments: [] },
  ],
  ["timestamp", identify({ id: "5" }, { timestamp: 1_571_043_797.5 }), { at: 1_571_043_797_000 }],
  ["timestamp as digits", identify({ id: "5" }, { timestamp: "1571043797" }), { at: 1_571_043_797_000 }],
  [
    "timestamp that is no time",
    identify({ id: "5" }, { timestamp: "now" }),
    {
      at: receivedAt,
      faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "_timestamp that is no time gives way",
    identify({ id: "5" }, { _timestamp: "now", timestamp: 5 }),
    {
      at: 5000,
      faults: ["invalid _timestamp: _timestamp must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "an attribute named timestamp",
    identify({ id: "5" }, { attributes: { timestamp: 5 } }),
    { at: receivedAt, assignments: assignments(["timestamp", 5]) },
  ],
  [
    "_update",
    identify({ id: "5" }, { attributes: { _update: true } }),
    { updateOnly: true, assignments: [] },
  ],
  ["_update at the top", identify({ id: "5" }, { _update: true }), { updateOnly: true }],
  [
    "created_at that is no time",
    identify({ id: "5" }, { attributes: { created_at: "x" } }),
    {
      assignments: [],
      faults: ["invalid attributes.created_at: created_at must be Unix seconds or an ISO 8601 date-time"],
    },
  ],
  [
    "a value that is too long",
    identify({ id: "5" }, { attributes: { plan: "x".repeat(1001) } }),
    ["too_long attributes.plan: value for attribute 'plan' cannot be longer than 1000 bytes"],
  ],
  [
    "a name that is too long",
    identify({ id: "5" }, { attributes: { ["x".repeat(151)]: 1 } }),
    ["too_long attributes: attribute name cannot be longer than 150 bytes"],
  ],
  [
    "a value nested without end",
    identify({ id: "5" }, { attributes: { a: JSON.parse("[".repeat(200) + "]".repeat(200)) } }),
    [
      "invalid attributes.a: value for attribute 'a' is nested deeper than 100 levels or holds a number out of range",
    ],
  ],
  [
    "a number without end",
    identify({ id: "5" }, { attributes: { a: JSON.parse("1e999") } }),
    ["invalid attributes.a: value for attribute 'a' is a number out of range"],
  ],
])

table("v2 delete", [
  [
    "by id",
    person("delete", { identifiers: { id: "5" }, attributes: {}, cio_relationships: [] }),
    { _tag: "DeletePerson", target: byId("5") },
  ],
  ["by email", person("delete", { identifiers: { email: "a@b.io" } }), { target: byEmail("a@b.io") }],
  [
    "by svc_id, the others ignored",
    person("delete", { identifiers: { id: "5", cio_id: svc42 } }),
    { target: bySvcId(42) },
  ],
  [
    "not by a visitor",
    person("delete", { identifiers: { anonymous_id: "an" } }),
    ["invalid identifiers.anonymous_id: anonymous_id cannot be used for this action"],
  ],
])

table("v2 events", [
  [
    "event",
    event({ attributes: { total: 42 }, id: "ajs-next-1", timestamp: 1_578_564_113 }),
    {
      _tag: "RecordEvent",
      kind: "event",
      name: "a",
      data: { total: 42 },
      deduplicationKey: "ajs-next-1",
      at: 1_578_564_113_000,
    },
  ],
  ["data in the place of attributes", event({ data: { amount: 99 } }), { data: { amount: 99 } }],
  [
    "data in the place of null attributes",
    event({ attributes: null, data: { amount: 99 } }),
    { data: { amount: 99 } },
  ],
  ["attributes before data", event({ attributes: {}, data: { amount: 99 } }), { data: {} }],
  [
    "attributes that are no object",
    event({ attributes: "x" }),
    ["invalid attributes: event data must be a hash"],
  ],
  ["data that are no object", event({ data: 1 }), ["invalid data: event data must be a hash"]],
  [
    "of a visitor",
    event({}, { anonymous_id: "an" }),
    { kind: "anonymous_event", target: byAnonymousId("an"), anonymousId: "an" },
  ],
  [
    "of a visitor named at the top",
    person("event", { name: "a", anonymous_id: 5 }),
    { kind: "anonymous_event", target: byAnonymousId("5") },
  ],
  [
    "of a person, the visitor recorded",
    event({}, { id: "5", anonymous_id: "an" }),
    { kind: "event", target: byId("5"), anonymousId: "an" },
  ],
  ["of a person, an email ignored", event({}, { id: "5", email: "a@b.io" }), { target: byId("5") }, idOnly],
  [
    "page",
    person("page", { identifiers: { id: "5" }, name: "https://example.com/" }),
    { kind: "page", name: "https://example.com/" },
  ],
  [
    "page without a name",
    person("page", { identifiers: { id: "5" }, attributes: { url: "u" } }),
    { kind: "page", name: "u" },
  ],
  [
    "screen of a visitor",
    person("screen", { identifiers: { anonymous_id: "an" }, name: "Home" }),
    { kind: "screen", target: byAnonymousId("an") },
  ],
  [
    "viewed_content",
    person("viewed_content", {
      identifiers: { anonymous_id: "an" },
      name: "viewed_content",
      attributes: { contentId: 1 },
    }),
    { kind: "anonymous_event", name: "viewed_content", data: { contentId: 1 } },
  ],
  [
    "clicked_content without a name",
    person("clicked_content", { identifiers: { id: "5" } }),
    { kind: "event", name: "clicked_content" },
  ],
  [
    "timestamp that is no time",
    event({ timestamp: "2018-03-04T12:08:56.235 PDT" }),
    ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
  ],
  ["no name", event({ name: null }), ["required name: event name must not be blank"]],
  ["nobody", person("event", { name: "a" }), ["required identifiers: identifiers must be present"]],
])

describe("v2 answers", () => {
  it("list what is wrong", () => {
    const refused = decodeEntity(receipt("track-v2"), { type: "person" })
    assert.deepStrictEqual(errorsBody(Result.merge(refused).faults), {
      errors: [{ reason: "required", field: "action", message: "action must be present" }],
    })
  })
})
