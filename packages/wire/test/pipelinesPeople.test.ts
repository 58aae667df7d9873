import { assert, describe, it } from "@effect/vitest"
import { svcIdText, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { decodeCall } from "../src/pipelines/decode.ts"
import {
  assertCommand,
  assignments,
  bare,
  byAnonymousId,
  byEmail,
  byId,
  bySvcId,
  requestContext,
  faultLine,
  idOnly,
  receivedAt,
  envelopeFrom,
} from "./requests.ts"
import { bodyTable } from "./pipelinesCalls.ts"

const svc42 = svcIdText(WorkspaceId.make(7), SubjectKey.make(42))

const rejected = (line: string) => ({ _tag: "RejectOperation", faults: [line] })
const callerMissing = rejected("required userId: userId or anonymousId is required")

describe("Pipelines identify", () => {
  it("the decoder reads every field of a Pipelines identify", () => {
    const body = { userId: "5", messageId: "m", timestamp: "2026-03-01T11:00:00Z", traits: { plan: "pro" } }
    assert.deepStrictEqual(decodeCall(requestContext(), "identify", body), {
      commands: [
        {
          _tag: "IdentifyPerson",
          ...envelopeFrom("pipelines"),
          at: receivedAt - 3_600_000,
          followsReceipt: false,
          originalTimestamp: receivedAt - 3_600_000,
          deduplicationKey: "m",
          target: { _tag: "ByIdentifier", kind: "id", value: "5" },
          id: null,
          email: null,
          removeEmail: false,
          anonymousId: null,
          assignments: [{ name: "plan", value: "pro" }],
          relationships: null,
          device: null,
          updateOnly: false,
        },
      ],
      refusal: null,
      unauthorized: 0,
    })
  })

  bodyTable("pipelines-api §2.1 userId: identifies a person or a visitor", "identify", [
    ["reads a userId as an id", { userId: "5" }, { target: byId("5") }],
    ["reads a number as an id", { userId: 1 }, { target: byId("1") }],
    [
      "reads a userId with an @ as an email",
      { userId: "a@b.io" },
      { target: bare("a@b.io", byEmail("a@b.io")) },
    ],
    [
      "reads an email as an id if the workspace does not use emails",
      { userId: "a@b.io" },
      { target: byId("a@b.io") },
      idOnly,
    ],
    [
      "reads a userId with a brand prefix as a svc_id",
      { userId: `cio_${svc42}` },
      { target: bare(`cio_${svc42}`, bySvcId(42)) },
    ],
    [
      "records the anonymousId of an identified person",
      { userId: "5", anonymousId: "an" },
      { target: byId("5"), anonymousId: "an" },
    ],
    [
      "sets the email of a person with a userId from the traits",
      { userId: "5", traits: { email: "a@b.io" } },
      { target: byId("5"), email: "a@b.io", assignments: [] },
    ],
    [
      "identifies an anonymous visitor",
      { userId: null, anonymousId: "an", traits: { a: 1 } },
      { target: byAnonymousId("an"), anonymousId: "an", assignments: assignments(["a", 1]) },
    ],
    ["reads an empty userId as missing", { userId: "", anonymousId: 7 }, { target: byAnonymousId("7") }],
    [
      "leaves out a userId that is an object if there is an anonymousId",
      { userId: {}, anonymousId: "an" },
      {
        target: byAnonymousId("an"),
        faults: ["invalid userId: userId must be a string or an integer up to 2^53"],
      },
    ],
    [
      "turns a visitor with an email into a person",
      { anonymousId: "an", traits: { email: "a@b.io" } },
      { target: byEmail("a@b.io"), anonymousId: "an", email: null },
    ],
    [
      "sets the id of a visitor with an email",
      { anonymousId: "an", traits: { email: "a@b.io", id: "5" } },
      { target: byEmail("a@b.io"), id: "5" },
    ],
    [
      "stores the email of a visitor as an attribute if the workspace does not use emails",
      { anonymousId: "an", traits: { email: "a@b.io" } },
      { target: byAnonymousId("an"), assignments: assignments(["email", "a@b.io"]) },
      idOnly,
    ],
    [
      "leaves out the id of a visitor without an email",
      { anonymousId: "an", traits: { id: "5" } },
      {
        target: byAnonymousId("an"),
        id: null,
        faults: ["invalid traits.id: id cannot be given to an anonymous visitor"],
      },
    ],
    [
      "identifies a person by the email in the traits",
      { traits: { email: "a@b.io" } },
      { target: byEmail("a@b.io") },
    ],
    [
      "identifies a person by the svc_id in the traits",
      { traits: { cio_id: svc42 } },
      { target: bySvcId(42) },
    ],
    [
      "prefers a svc_id in the traits over the userId",
      { userId: "5", traits: { svc_id: svc42 } },
      { target: bySvcId(42), id: "5" },
    ],
    ["refuses a call without a person or visitor", { traits: { a: 1 } }, callerMissing],
    [
      "refuses a call with only an email if the workspace does not use emails",
      { traits: { email: "a@b.io" } },
      callerMissing,
      idOnly,
    ],
    [
      "refuses a userId of 151 bytes",
      { userId: "x".repeat(151) },
      rejected("too_long userId: id attribute cannot be longer than 150 bytes"),
    ],
    [
      "refuses an email of 151 bytes as an id if the workspace does not use emails",
      { userId: `${"x".repeat(145)}@aa.io` },
      rejected("too_long userId: id attribute cannot be longer than 150 bytes"),
      idOnly,
    ],
    [
      "refuses an anonymousId of 151 bytes",
      { anonymousId: "x".repeat(151) },
      rejected("too_long anonymousId: anonymous_id attribute cannot be longer than 150 bytes"),
    ],
    [
      "leaves out an anonymousId of 151 bytes if there is a userId",
      { userId: "5", anonymousId: "x".repeat(151) },
      {
        target: byId("5"),
        anonymousId: null,
        faults: ["too_long anonymousId: anonymous_id attribute cannot be longer than 150 bytes"],
      },
    ],
    ["refuses a body that is not an object", [], rejected("invalid : the body must be a JSON object")],
  ])

  bodyTable("pipelines-api §2.2 identify: traits become attributes", "identify", [
    [
      "accepts any JSON as a value",
      { userId: "5", traits: { a: "", b: null, c: { d: [1] } } },
      { assignments: assignments(["a", ""], ["b", null], ["c", { d: [1] }]) },
    ],
    [
      "reads traits in the context if the call has none",
      { userId: "5", context: { traits: { a: 1 } } },
      { assignments: assignments(["a", 1]) },
    ],
    [
      "ignores traits in the context if the call has its own",
      { userId: "5", traits: {}, context: { traits: { a: 1 } } },
      { assignments: [] },
    ],
    [
      "leaves out traits that are not an object",
      { userId: "5", traits: "x" },
      { assignments: [], faults: ["invalid traits: traits must be an object"] },
    ],
    [
      "reads createdAt as created_at",
      { userId: "5", traits: { createdAt: "2026-11-20T10:21:36.995Z" } },
      { assignments: assignments(["created_at", 1_795_170_096]) },
    ],
    [
      "reads createdAt in milliseconds",
      { userId: "5", traits: { createdAt: 1_795_170_096_995 } },
      { assignments: assignments(["created_at", 1_795_170_096]) },
    ],
    [
      "reads created_at as text of digits",
      { userId: "5", traits: { created_at: "1795170096" } },
      { assignments: assignments(["created_at", 1_795_170_096]) },
    ],
    [
      "leaves out an invalid createdAt",
      { userId: "5", traits: { createdAt: "x", a: 1 } },
      {
        assignments: assignments(["a", 1]),
        faults: ["invalid traits.createdAt: createdAt must be Unix seconds or an ISO 8601 date-time"],
      },
    ],
    [
      "reads subscription preferences with the cio prefix",
      { userId: "5", traits: { cio_subscription_preferences: { channels: { email: true } } } },
      { assignments: assignments(["svc_subscription_preferences", { channels: { email: true } }]) },
    ],
    [
      "reads unsubscribed as a boolean",
      { userId: "5", traits: { unsubscribed: "True" } },
      { assignments: assignments(["unsubscribed", true]) },
    ],
    [
      "uses _timestamp as the time of the update",
      { userId: "5", timestamp: "2026-03-01T11:00:00Z", traits: { _timestamp: 5 } },
      { at: 5000, originalTimestamp: receivedAt - 3_600_000, assignments: [] },
    ],
    [
      "stores a trait named __proto__ as an attribute",
      { userId: "5", traits: JSON.parse('{"__proto__":1}') },
      { assignments: assignments(["__proto__", 1]) },
    ],
    [
      "leaves out names, values and emails that are too long",
      { userId: "5", traits: { a: "x".repeat(1001), b: 1, ["n".repeat(151)]: 1, email: "é".repeat(501) } },
      {
        email: null,
        assignments: assignments(["b", 1]),
        faults: [
          "too_long traits.a: value for attribute 'a' cannot be longer than 1000 bytes",
          `too_long traits: attribute name cannot be longer than 150 bytes; left out: ${"n".repeat(50)}…`,
          "too_long traits.email: email attribute cannot be longer than 1000 bytes",
        ],
      },
    ],
    [
      "leaves out a messageId of 1001 bytes",
      { userId: "5", messageId: "x".repeat(1001) },
      { deduplicationKey: null, faults: ["too_long messageId: messageId cannot be longer than 1000 bytes"] },
    ],
    [
      "uses the time of receipt for an invalid timestamp and reports it",
      { userId: "5", timestamp: "soon" },
      {
        at: receivedAt,
        faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
      },
    ],
  ])

  it("the fault for too many attributes or preferences names the first values that are left out", () => {
    const long = "é".repeat(75)
    const topic = "svc_subscription_preferences.topics.t"
    const names = [
      ...Array.from({ length: 311 }, (_, i) => `a${i}`),
      long,
      ...Array.from({ length: 301 }, (_, i) => topic + i),
    ]
    const traits = Object.fromEntries(names.map((name) => [name, true]))
    const [command] = decodeCall(requestContext(), "identify", { userId: "5", traits }).commands
    assertCommand(command, {
      assignments: names.flatMap((name, i) =>
        i < 300 || (i >= 312 && i < 612) ? [{ name, value: true }] : [],
      ),
      faults: [
        "too_many traits: cannot identify more than 300 attributes in one request; left out: a300, a301, a302, a303, a304, a305, a306, a307, a308, a309, and 2 more",
        `too_many traits.${topic}300: ${topic}300 is left out: a person has at most 300 topics of subscription preferences`,
      ],
    })
  })

  it("a fault shortens long names without splitting a character", () => {
    const name = "x" + "😀".repeat(60)
    const [command] = decodeCall(requestContext(), "identify", {
      userId: "5",
      traits: { [name]: 1 },
    }).commands
    assertCommand(command, {
      assignments: [],
      faults: [
        `too_long traits: attribute name cannot be longer than 150 bytes; left out: x${"😀".repeat(49)}…`,
      ],
    })
  })

  it("a Pipelines identify applies only the first 300 attributes and leaves out all further attributes", () => {
    const traits = Object.fromEntries(Array.from({ length: 302 }, (_, i) => [`a${i}`, i]))
    const [command] = decodeCall(requestContext(), "identify", {
      userId: "5",
      traits: { ...traits, unsubscribed: 1 },
    }).commands
    assert.strictEqual(command?._tag, "IdentifyPerson")
    if (command?._tag !== "IdentifyPerson") return
    assert.strictEqual(command.assignments.length, 301)
    assert.deepStrictEqual(command.faults.map(faultLine), [
      "too_many traits: cannot identify more than 300 attributes in one request; left out: a300, a301",
    ])
  })
})
