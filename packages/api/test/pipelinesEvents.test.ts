import { assert, describe, it } from "@effect/vitest"
import { type CallType, operationPaths } from "@inlet/api/pipelines/CallType"
import { decodeCall } from "@inlet/api/pipelines/decode"
import {
  assertCommand,
  byAnonymousId,
  byEmail,
  bare,
  byId,
  requestContext,
  receivedAt,
  workspace,
  type ExpectedFields,
} from "./requests.ts"

const longEmail = `${"x".repeat(155)}@a.io`

type Row = readonly [name: string, type: CallType, body: object, expected: ExpectedFields]

const rejected = (line: string, kind?: string) => ({
  _tag: "RejectOperation",
  faults: [line],
  ...(kind === undefined ? {} : { kind }),
})

const table = (title: string, rows: ReadonlyArray<Row>) =>
  describe(title, () => {
    for (const [name, type, body, expected] of rows) {
      it(name, () => {
        const decoded = decodeCall(requestContext(), type, { userId: "5", ...body })
        assert.isNull(decoded.refusal)
        assertCommand(decoded.commands[0], expected)
      })
    }
  })

describe("pipelines track", () => {
  it("fills the whole envelope", () => {
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
        workspace,
        source: "pipelines",
        receivedAt,
        at: receivedAt - 10_000,
        followsReceipt: true,
        originalTimestamp: receivedAt - 3_600_000,
        batchIndex: null,
        deduplicationKey: "m",
        faults: [],
        kind: "event",
        target: { _tag: "ByIdentifier", kind: "id", value: "5" },
        anonymousId: "an",
        name: "Order",
        data: { total: 4.5 },
        device: null,
      },
    ])
  })

  table("pipelines-api §2.2 track: names whom and what", [
    [
      "a person by email",
      "track",
      { userId: "a@b.io", event: "a" },
      { kind: "event", target: bare("a@b.io", byEmail("a@b.io")) },
    ],
    [
      "a person by an email of 160 bytes",
      "track",
      { userId: longEmail, event: "a" },
      { target: bare(longEmail, byEmail(longEmail)) },
    ],
    [
      "a visitor",
      "track",
      { userId: null, anonymousId: "an", event: "a" },
      { kind: "event", target: byAnonymousId("an"), anonymousId: "an" },
    ],
    ["a group alone", "track", { userId: null, groupId: "g", event: "a" }, { kind: "event", target: null }],
    [
      "nobody",
      "track",
      { userId: "", event: "a" },
      rejected("required userId: userId or anonymousId is required", "event"),
    ],
    ["no event", "track", {}, rejected("required event: event name must not be blank", "event")],
    ["a blank event", "track", { event: " " }, rejected("required event: event name must not be blank")],
    [
      "an event of a wrong type",
      "track",
      { event: 5 },
      rejected("invalid event: event name must be a string"),
    ],
    [
      "an event of 101 bytes",
      "track",
      { event: `${"é".repeat(50)}x` },
      rejected("too_long event: event name cannot be longer than 100 bytes"),
    ],
    [
      "a userId of 151 bytes",
      "track",
      { userId: "é".repeat(76), event: "a" },
      rejected("too_long userId: id attribute cannot be longer than 150 bytes"),
    ],
    [
      "properties that are no object",
      "track",
      { event: "a", properties: [] },
      { data: {}, faults: ["invalid properties: event data must be a hash"] },
    ],
    ["properties that are null", "track", { event: "a", properties: null }, { data: {} }],
    [
      "keys of the prototype",
      "track",
      { event: "a", properties: JSON.parse('{"__proto__":{"x":1}}') },
      { data: JSON.parse('{"__proto__":{"x":1}}') },
    ],
    ["a messageId that is a number", "track", { event: "a", messageId: 5 }, { deduplicationKey: "5" }],
    [
      "a refused call keeps its messageId",
      "track",
      { messageId: "m" },
      { ...rejected("required event: event name must not be blank"), deduplicationKey: "m" },
    ],
    [
      "an ecommerce event is an ordinary one",
      "track",
      { event: "Order Completed" },
      { name: "Order Completed" },
    ],
    [
      "a mobile event is an ordinary one",
      "track",
      { event: "Application Opened" },
      { name: "Application Opened" },
    ],
    [
      "content viewed",
      "track",
      { event: "Report Content Event", properties: { actionType: "viewed_content", contentId: 1 } },
      { kind: "event", name: "viewed_content", data: { actionType: "viewed_content", contentId: 1 } },
    ],
    [
      "content clicked by a visitor",
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
      "content dropped",
      "track",
      { event: "Report Content Event", properties: { actionType: "dropped" } },
      rejected("invalid properties.actionType: actionType must be viewed_content or clicked_content"),
    ],
    [
      "content under a key in snake case",
      "track",
      { event: "Report Content Event", properties: { action_type: "viewed_content" } },
      { name: "viewed_content", data: { action_type: "viewed_content" } },
    ],
  ])

  table("pipelines-api §2.2 page and screen: find a name, whatever is missing", [
    [
      "page",
      "page",
      { name: "Home", properties: { url: "u" } },
      { kind: "page", name: "Home", data: { url: "u" } },
    ],
    [
      "screen of a visitor",
      "screen",
      { userId: null, anonymousId: "an", name: "Home" },
      { kind: "screen", target: byAnonymousId("an") },
    ],
    ["a page takes its url", "page", { name: "", properties: { path: "p", url: "u" } }, { name: "u" }],
    ["then its path", "page", { name: null, properties: { path: "p", title: "t" } }, { name: "p" }],
    ["then its title", "page", { properties: { url: "x".repeat(101), title: " t " } }, { name: "t" }],
    ["then its category", "page", { category: "docs" }, { name: "docs", data: { category: "docs" } }],
    ["then what it is", "screen", { name: 5, properties: {} }, { kind: "screen", name: "screen" }],
    [
      "also where all is too long",
      "page",
      { category: "x".repeat(101), properties: { url: "x".repeat(101) } },
      { name: "page" },
    ],
    [
      "a name of 101 bytes",
      "page",
      { name: "x".repeat(101) },
      rejected("too_long name: event name cannot be longer than 100 bytes", "page"),
    ],
    [
      "the category is kept",
      "page",
      { name: "a", category: "docs", properties: { b: 1 } },
      { data: { b: 1, category: "docs" } },
    ],
    [
      "the category of the properties stays",
      "page",
      { name: "a", category: "docs", properties: { category: 1 } },
      { data: { category: 1 } },
    ],
    ["a category of null", "page", { name: "a", category: null, properties: {} }, { data: {} }],
    [
      "nobody",
      "page",
      { userId: null, name: "a" },
      rejected("required userId: userId or anonymousId is required", "page"),
    ],
  ])

  const hour = 3_600_000
  table("contract §13 clock: the time of a call is corrected by when it was sent", [
    [
      "none",
      "track",
      { event: "a", sentAt: "2026-03-01T12:00:00Z" },
      { at: receivedAt, originalTimestamp: null },
    ],
    [
      "as sent",
      "track",
      { event: "a", timestamp: "2026-03-01T11:00:00.000Z" },
      { at: receivedAt - hour, originalTimestamp: receivedAt - hour },
    ],
    [
      "as sent, also ahead",
      "track",
      { event: "a", timestamp: "2026-03-01T13:00:00Z" },
      { at: receivedAt + hour },
    ],
    [
      "an offset and microseconds",
      "track",
      { event: "a", timestamp: "2026-03-01T12:00:00.123456+01:00" },
      { at: receivedAt - hour + 123 },
    ],
    [
      "originalTimestamp first",
      "track",
      { event: "a", timestamp: "2026-03-01T11:30:00Z", originalTimestamp: "2026-03-01T11:00:00Z" },
      { at: receivedAt - hour },
    ],
    [
      "corrected",
      "track",
      { event: "a", timestamp: "2009-11-10T22:00:00Z", sentAt: "2009-11-10T23:00:00Z" },
      { at: receivedAt - hour, originalTimestamp: Date.parse("2009-11-10T22:00:00Z") },
    ],
    [
      "never later than receipt",
      "track",
      { event: "a", timestamp: "2026-03-01T13:00:00Z", sentAt: "2026-03-01T12:00:00Z" },
      { at: receivedAt, originalTimestamp: receivedAt + hour },
    ],
    [
      "sentAt that is no time",
      "track",
      { event: "a", timestamp: "2026-03-01T11:00:00Z", sentAt: "x" },
      { at: receivedAt - hour },
    ],
    [
      "a timestamp that is no time",
      "track",
      { event: "a", timestamp: "x", sentAt: "2026-03-01T12:00:00Z" },
      {
        at: receivedAt,
        originalTimestamp: null,
        faults: ["invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time"],
      },
    ],
    [
      "times of a view that are none",
      "page",
      { timestamp: {}, originalTimestamp: "x" },
      {
        at: receivedAt,
        faults: [
          "invalid originalTimestamp: originalTimestamp must be Unix seconds or an ISO 8601 date-time",
          "invalid timestamp: timestamp must be Unix seconds or an ISO 8601 date-time",
        ],
      },
    ],
    [
      "an originalTimestamp that is no time",
      "track",
      { event: "a", originalTimestamp: "x", timestamp: "2026-03-01T11:00:00Z" },
      { at: receivedAt - hour },
    ],
    ["a day", "track", { event: "a", timestamp: "2026-03-01" }, { at: receivedAt - 12 * hour }],
    ["no seconds", "track", { event: "a", timestamp: "2026-03-01T11:00Z" }, { at: receivedAt - hour }],
    [
      "nanoseconds",
      "track",
      { event: "a", timestamp: "2026-03-01T11:00:00.123456789Z" },
      { at: receivedAt - hour + 123 },
    ],
    [
      "an offset without a colon",
      "track",
      { event: "a", timestamp: "2026-03-01T13:00:00+0200" },
      { at: receivedAt - hour },
    ],
    ["seconds", "track", { event: "a", timestamp: receivedAt / 1000 }, { at: receivedAt }],
    ["milliseconds", "track", { event: "a", timestamp: receivedAt - 1 }, { at: receivedAt - 1 }],
    [
      "beyond the calendar",
      "track",
      { event: "a", timestamp: -8e12, sentAt: 8e15 },
      { at: receivedAt, originalTimestamp: -8e15 },
    ],
  ])

  it("contract §2 Pipelines paths: are those of the reference, of browsers and of generic libraries", () => {
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

  it("takes the type from the path", () => {
    const [command] = decodeCall(requestContext(), "track", {
      userId: "5",
      event: "a",
      type: "identify",
    }).commands
    assertCommand(command, { _tag: "RecordEvent", target: byId("5") })
  })
})
