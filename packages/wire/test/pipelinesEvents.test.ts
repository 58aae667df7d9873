import { assert, describe, it } from "@effect/vitest"
import { operationPaths } from "../src/pipelines/CallType.ts"
import { decodeCall } from "../src/pipelines/decode.ts"
import {
  assertCommand,
  byAnonymousId,
  byEmail,
  bare,
  byId,
  requestContext,
  receivedAt,
  envelopeFrom,
} from "./requests.ts"
import { callTable } from "./pipelinesCalls.ts"

const longEmail = `${"x".repeat(155)}@a.io`

const rejected = (line: string, kind?: string) => ({
  _tag: "RejectOperation",
  faults: [line],
  ...(kind === undefined ? {} : { kind }),
})

describe("Pipelines track", () => {
  it("the decoder reads every field of a Pipelines track call", () => {
    const body = {
      userId: "5",
      anonymousId: "an",
      messageId: "m",
      event: " Order ",
      properties: { total: 4.5 },
      originalTimestamp: "2026-03-01T11:00:00Z",
      sentAt: "2026-03-01T11:00:10Z",
    }
    assert.deepStrictEqual(decodeCall(requestContext(), "track", body).commands, [
      {
        _tag: "RecordEvent",
        ...envelopeFrom("pipelines"),
        at: receivedAt - 10_000,
        originalTimestamp: receivedAt - 3_600_000,
        deduplicationKey: "m",
        kind: "event",
        target: { _tag: "ByIdentifier", kind: "id", value: "5" },
        anonymousId: "an",
        name: "Order",
        data: { total: 4.5 },
        device: null,
      },
    ])
  })

  callTable("pipelines-api §2.2 track: reads the person or visitor and the event", [
    [
      "identifies a person by email",
      "track",
      { userId: "a@b.io", event: "a" },
      { kind: "event", target: bare("a@b.io", byEmail("a@b.io")) },
    ],
    [
      "accepts an email longer than the limit of ids",
      "track",
      { userId: longEmail, event: "a" },
      { target: bare(longEmail, byEmail(longEmail)) },
    ],
    [
      "identifies an anonymous visitor",
      "track",
      { userId: null, anonymousId: "an", event: "a" },
      { kind: "event", target: byAnonymousId("an"), anonymousId: "an" },
    ],
    [
      "records an event that has only a groupId, without a person",
      "track",
      { userId: null, groupId: "g", event: "a" },
      { kind: "event", target: null },
    ],
    [
      "refuses an event without a person, visitor or group",
      "track",
      { userId: "", event: "a" },
      rejected("required userId: userId or anonymousId is required", "event"),
    ],
    [
      "refuses a call without an event name",
      "track",
      {},
      rejected("required event: event name must not be blank", "event"),
    ],
    [
      "refuses a blank event name",
      "track",
      { event: " " },
      rejected("required event: event name must not be blank"),
    ],
    [
      "refuses an event name that is not a string",
      "track",
      { event: 5 },
      rejected("invalid event: event name must be a string"),
    ],
    [
      "refuses an event name of 101 bytes",
      "track",
      { event: `${"é".repeat(50)}x` },
      rejected("too_long event: event name cannot be longer than 100 bytes"),
    ],
    [
      "refuses a userId of 151 bytes",
      "track",
      { userId: "é".repeat(76), event: "a" },
      rejected("too_long userId: id attribute cannot be longer than 150 bytes"),
    ],
    [
      "leaves out properties that are not an object",
      "track",
      { event: "a", properties: [1] },
      { data: {}, faults: ["invalid properties: event data must be a hash"] },
    ],
    ["reads null properties as an empty object", "track", { event: "a", properties: null }, { data: {} }],
    [
      "stores a property named __proto__ as data",
      "track",
      { event: "a", properties: JSON.parse('{"__proto__":{"x":1}}') },
      { data: JSON.parse('{"__proto__":{"x":1}}') },
    ],
    ["accepts a number as messageId", "track", { event: "a", messageId: 5 }, { deduplicationKey: "5" }],
    [
      "records the messageId of a refused call",
      "track",
      { messageId: "m" },
      { ...rejected("required event: event name must not be blank"), deduplicationKey: "m" },
    ],
    [
      "records an ecommerce event as an ordinary event",
      "track",
      { event: "Order Completed" },
      { name: "Order Completed" },
    ],
    [
      "records a mobile event as an ordinary event",
      "track",
      { event: "Application Opened" },
      { name: "Application Opened" },
    ],
    [
      "records Report Content Event as viewed_content",
      "track",
      { event: "Report Content Event", properties: { actionType: "viewed_content", contentId: 1 } },
      { kind: "event", name: "viewed_content", data: { actionType: "viewed_content", contentId: 1 } },
    ],
    [
      "records clicked_content of an anonymous visitor",
      "track",
      {
        userId: null,
        anonymousId: "an",
        event: "Report Content Event",
        properties: { actionType: "clicked_content" },
      },
      { kind: "event", name: "clicked_content" },
    ],
    [
      "refuses an unknown actionType",
      "track",
      { event: "Report Content Event", properties: { actionType: "dropped" } },
      rejected("invalid properties.actionType: actionType must be viewed_content or clicked_content"),
    ],
    [
      "accepts action_type in snake case",
      "track",
      { event: "Report Content Event", properties: { action_type: "viewed_content" } },
      { name: "viewed_content", data: { action_type: "viewed_content" } },
    ],
  ])

  callTable("pipelines-api §2.2 page and screen: every view has a name", [
    [
      "records a page view under its name",
      "page",
      { name: "Home", properties: { url: "u" } },
      { kind: "page", name: "Home", data: { url: "u" } },
    ],
    [
      "records a screen view of an anonymous visitor",
      "screen",
      { userId: null, anonymousId: "an", name: "Home" },
      { kind: "screen", target: byAnonymousId("an") },
    ],
    [
      "uses the url as the name of a view without a name",
      "page",
      { name: "", properties: { path: "p", url: "u" } },
      { name: "u" },
    ],
    [
      "uses the path as the name of a view without a name and a url",
      "page",
      { name: null, properties: { path: "p", title: "t" } },
      { name: "p" },
    ],
    [
      "uses the title as the name of a view with too long a url",
      "page",
      { properties: { url: "x".repeat(101), title: " t " } },
      { name: "t" },
    ],
    [
      "uses the category as the name of a view without other names",
      "page",
      { category: "docs" },
      { name: "docs", data: { category: "docs" } },
    ],
    [
      "uses the type as the name of a view without other names",
      "screen",
      { name: 5, properties: {} },
      { kind: "screen", name: "screen" },
    ],
    [
      "uses the type as the name of a view if all other names are too long",
      "page",
      { category: "x".repeat(101), properties: { url: "x".repeat(101) } },
      { name: "page" },
    ],
    [
      "refuses a name of 101 bytes",
      "page",
      { name: "x".repeat(101) },
      rejected("too_long name: event name cannot be longer than 100 bytes", "page"),
    ],
    [
      "stores the category of a view among its data",
      "page",
      { name: "a", category: "docs", properties: { b: 1 } },
      { data: { b: 1, category: "docs" } },
    ],
    [
      "prefers the category in the properties over the category of the call",
      "page",
      { name: "a", category: "docs", properties: { category: 1 } },
      { data: { category: 1 } },
    ],
    ["ignores a null category", "page", { name: "a", category: null, properties: {} }, { data: {} }],
    [
      "refuses a view without a person or visitor",
      "page",
      { userId: null, name: "a" },
      rejected("required userId: userId or anonymousId is required", "page"),
    ],
  ])

  it("contract §2 Pipelines paths: Pipelines accepts the paths of the reference, of browsers and of generic libraries", () => {
    assert.deepStrictEqual(
      [
        "identify",
        "i",
        "track",
        "t",
        "page",
        "p",
        "screen",
        "s",
        "group",
        "g",
        "alias",
        "a",
        "batch",
        "b",
        "import",
        "m",
        "__proto__",
        "",
      ].map((path) => new Map(operationPaths).get(path)),
      [
        "identify",
        "identify",
        "track",
        "track",
        "page",
        "page",
        "screen",
        "screen",
        "group",
        "group",
        "alias",
        "alias",
        "batch",
        "batch",
        "batch",
        undefined,
        undefined,
        undefined,
      ],
    )
  })

  it("the path decides the type of a single Pipelines call, not the type in the body", () => {
    const [command] = decodeCall(requestContext(), "track", {
      userId: "5",
      event: "a",
      type: "identify",
    }).commands
    assertCommand(command, { _tag: "RecordEvent", target: byId("5") })
  })
})
