import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@inlet/core/values/Identifier"
import { refusalBody } from "@inlet/api/pipelines/answers"
import type { CallType } from "@inlet/api/pipelines/CallType"
import { bodyBytesMax, decodeBatch, decodeCall } from "@inlet/api/pipelines/decode"
import type { Decoded } from "@inlet/api/pipelines/RequestContext"
import {
  assertCommand,
  assignments,
  byId,
  requestContext,
  faultLine,
  receivedAt,
  workspace,
} from "./requests.ts"

const track = (rest: object = {}) => ({ type: "track", userId: "5", event: "a", ...rest })

/** One line a command: its place, what it is and what is wrong with it. */
const lines = ({ commands }: Decoded) =>
  commands.map(({ _tag, batchIndex, faults }) => [batchIndex, _tag, ...faults.map(faultLine)].join(" "))

describe("pipelines-api §7: strict mode", () => {
  const refused: ReadonlyArray<readonly [name: string, type: CallType, body: unknown, message: string]> = [
    ["no object", "track", [], "the body must be a JSON object"],
    ["nobody", "identify", { traits: { email: "a@b.io" } }, "userId or anonymousId is required"],
    ["an empty userId", "page", { userId: "" }, "userId or anonymousId is required"],
    ["nobody to alias", "alias", { previousId: "p" }, "userId or anonymousId is required"],
    ["no event", "track", { userId: "5" }, "event is required"],
    ["a blank event", "track", { userId: "5", event: " " }, "event is required"],
    ["no groupId", "group", { userId: "5", groupId: null }, "groupId is required"],
    ["an empty groupId", "group", { userId: "5", groupId: "" }, "groupId is required"],
    ["a groupId of a wrong type", "group", { groupId: {} }, "groupId must be a string"],
    [
      "traits of a group that are no object",
      "group",
      { groupId: "g", traits: 5 },
      "traits must be an object",
    ],
    ["a previousId of a wrong type", "alias", { userId: "5", previousId: [] }, "previousId must be a string"],
    ["nobody to report to", "track", { event: "Report Delivery Event" }, "userId or anonymousId is required"],
    ["a type of a wrong type", "track", { userId: "5", event: "a", type: 5 }, "type must be a string"],
    [
      "a receivedAt that is none",
      "track",
      { userId: "5", event: "a", receivedAt: "x" },
      "receivedAt must be an ISO 8601 date-time",
    ],
    ["no previousId", "alias", { userId: "5" }, "previousId is required"],
    ["traits that are no object", "identify", { userId: "5", traits: [] }, "traits must be an object"],
    [
      "properties that are no object",
      "page",
      { userId: "5", properties: "x" },
      "properties must be an object",
    ],
    [
      "a context that is no object",
      "track",
      { userId: "5", event: "a", context: 1 },
      "context must be an object",
    ],
    ["an event of a wrong type", "track", { userId: "5", event: 5 }, "event must be a string"],
    ["a userId of a wrong type", "track", { userId: {}, event: "a" }, "userId must be a string"],
    [
      "a messageId of a wrong type",
      "track",
      { userId: "5", event: "a", messageId: [] },
      "messageId must be a string",
    ],
    [
      "a timestamp that is none",
      "track",
      { userId: "5", event: "a", timestamp: "x" },
      "timestamp must be an ISO 8601 date-time",
    ],
    [
      "a timestamp in seconds",
      "track",
      { userId: "5", event: "a", timestamp: 5 },
      "timestamp must be an ISO 8601 date-time",
    ],
    [
      "a sentAt that is none",
      "track",
      { userId: "5", event: "a", sentAt: "x" },
      "sentAt must be an ISO 8601 date-time",
    ],
  ]
  for (const [name, type, body, message] of refused) {
    it(`refuses ${name}`, () => {
      const { commands, refusal } = decodeCall(requestContext({ strict: true }), type, body)
      assert.deepInclude(refusal, { status: 400, message })
      assert.deepStrictEqual(
        commands.map(({ _tag }) => _tag),
        ["RejectOperation"],
      )
    })
  }

  const taken: ReadonlyArray<
    readonly [name: string, type: CallType, body: unknown, lines: ReadonlyArray<string>]
  > = [
    [
      "a good call",
      "track",
      { userId: 5, event: "a", traits: 5, timestamp: "2026-03-01T12:00:00Z" },
      [" RecordEvent"],
    ],
    [
      "null for what is absent",
      "track",
      { userId: "5", anonymousId: null, event: "a", properties: null, timestamp: null, context: null },
      [" RecordEvent"],
    ],
    ["a page without a name", "page", { anonymousId: "an" }, [" RecordEvent"]],
    ["a group without anybody", "group", { groupId: 5 }, [" IdentifyObject"]],
    ["an alias of a visitor", "alias", { anonymousId: "an", previousId: 5 }, [" IdentifyPerson"]],
    ["a deleted user", "track", { userId: "5", event: "User Deleted" }, [" DeletePerson"]],
    [
      "an action that lacks what it needs",
      "track",
      { userId: "5", event: "Device Deleted" },
      [" RejectOperation required properties.device.token: properties.device.token must be present"],
    ],
    [
      "a groupId that is too long",
      "group",
      { groupId: "x".repeat(151) },
      [" RejectOperation too_long groupId: groupId cannot be longer than 150 bytes"],
    ],
    [
      "a previousId that is too long",
      "alias",
      { userId: "5", previousId: "x".repeat(151) },
      [" RejectOperation too_long previousId: id attribute cannot be longer than 150 bytes"],
    ],
    [
      "an attribute that is too long",
      "identify",
      { userId: "5", traits: { a: "x".repeat(1001) } },
      [" IdentifyPerson too_long traits.a: value for attribute 'a' cannot be longer than 1000 bytes"],
    ],
    [
      "a userId that is too long",
      "track",
      { userId: "x".repeat(151), event: "a" },
      [" RejectOperation too_long userId: id attribute cannot be longer than 150 bytes"],
    ],
    [
      "an event name that is too long",
      "track",
      { userId: "5", event: "x".repeat(101) },
      [" RejectOperation too_long event: event name cannot be longer than 100 bytes"],
    ],
  ]
  for (const [name, type, body, expected] of taken) {
    it(`answers 200 to ${name}`, () => {
      const decoded = decodeCall(requestContext({ strict: true }), type, body)
      assert.isNull(decoded.refusal)
      assert.deepStrictEqual(lines(decoded), expected)
    })
  }

  it("answers with every shape that clients parse", () => {
    const { refusal } = decodeCall(requestContext({ strict: true }), "track", { userId: "5" })
    assert.deepStrictEqual(refusal === null ? null : refusalBody(refusal), {
      success: false,
      code: "required",
      message: "event is required",
      error: "event is required",
      meta: { error: "event is required" },
    })
  })

  it("contract §13 strict batch: applies nothing where one call is bad, and names it", () => {
    const decoded = decodeBatch(requestContext({ strict: true }), {
      batch: [track({ messageId: "m0" }), track({ event: "", messageId: "m1" }), track()],
    })
    assert.deepStrictEqual(
      decoded.commands.map(({ deduplicationKey }) => deduplicationKey),
      ["m0", "m1", null],
    )
    assert.deepInclude(decoded.refusal, { status: 400, message: "batch[1]: event is required" })
    assert.deepStrictEqual(lines(decoded), [
      "0 RejectOperation invalid : not applied, since another call of the batch was refused",
      "1 RejectOperation required event: event is required",
      "2 RejectOperation invalid : not applied, since another call of the batch was refused",
    ])
  })

  it("says no more of a batch than a hundred things that are wrong", () => {
    const hundred = Array.from({ length: 100 }, (_, i) => `batch[${i}]: event is required`)
    for (const [length, messages] of [
      [100, hundred],
      [1100, [...hundred, "and 1000 more"]],
    ] as const) {
      const batch = Array.from({ length }, () => track({ event: "" }))
      const decoded = decodeBatch(requestContext({ strict: true }), { batch })
      assert.strictEqual(decoded.commands.length, length)
      assert.strictEqual(decoded.refusal?.message, messages.join("; "))
    }
  })

  it("applies the others where one is only rejected", () => {
    const decoded = decodeBatch(requestContext({ strict: true }), {
      batch: [track(), track({ event: "x".repeat(101) })],
    })
    assert.isNull(decoded.refusal)
    assert.deepStrictEqual(lines(decoded), [
      "0 RecordEvent",
      "1 RejectOperation too_long event: event name cannot be longer than 100 bytes",
    ])
  })

  it("refuses an envelope of a wrong form", () => {
    for (const envelope of [[], {}, { batch: 5 }, { batch: [], sentAt: "x" }, { batch: [], context: 1 }]) {
      assert.strictEqual(decodeBatch(requestContext({ strict: true }), envelope).refusal?.status, 400)
    }
  })
})

describe("default mode", () => {
  it("goes on after a bad call", () => {
    const decoded = decodeBatch(requestContext(), {
      batch: [track(), 5, { userId: "5" }, track({ type: "x" }), track({ event: "" }), track()],
    })
    assert.isNull(decoded.refusal)
    assert.deepStrictEqual(lines(decoded), [
      "0 RecordEvent",
      "1 RejectOperation invalid : the item must be a JSON object",
      "2 RejectOperation required type: type is required",
      '3 RejectOperation unknown_type type: unknown type "x": expected identify, track, page, screen, group or alias',
      "4 RejectOperation required event: event name must not be blank",
      "5 RecordEvent",
    ])
  })

  it("records an envelope that it cannot read", () => {
    assert.deepStrictEqual(lines(decodeBatch(requestContext(), { batch: "x" })), [
      " RejectOperation invalid batch: batch must be an array",
    ])
  })

  it("gives each call what the batch says", () => {
    const { commands } = decodeBatch(requestContext(), {
      sentAt: "2026-03-01T11:00:00Z",
      context: { traits: { a: 1 }, ip: "::1" },
      batch: [
        { type: "identify", userId: "5", timestamp: "2026-03-01T10:59:50Z", context: { ip: "::2" } },
        {
          type: "identify",
          userId: "6",
          context: { traits: { b: 2 } },
          timestamp: "2026-03-01T10:59:50Z",
          sentAt: "2026-03-01T10:59:55Z",
        },
      ],
    })
    assertCommand(commands[0], {
      target: byId("5"),
      at: receivedAt - 10_000,
      assignments: assignments(["a", 1]),
    })
    assertCommand(commands[1], {
      target: byId("6"),
      at: receivedAt - 5000,
      assignments: assignments(["b", 2]),
    })
  })
})

const big = (bytes: number) => track({ properties: { text: "x".repeat(bytes) } })

describe("pipelines-api §8: sizes", () => {
  it("are larger in default mode", () => {
    assert.deepStrictEqual(
      [false, true].flatMap((strict) =>
        [false, true].map((batch) => bodyBytesMax(workspace.limits, strict, batch)),
      ),
      [65_536, 1_048_576, 32_768, 512_000],
    )
  })

  it("of a call", () => {
    assert.strictEqual(
      decodeCall(requestContext({ strict: true, bytes: 32_769 }), "track", track()).refusal?.code,
      "too_large",
    )
    assert.isNull(decodeCall(requestContext({ bytes: 65_536 }), "track", track()).refusal)
    const decoded = decodeCall(requestContext({ bytes: 65_537 }), "track", track())
    assert.isNull(decoded.refusal)
    assert.deepStrictEqual(lines(decoded), [
      " RejectOperation too_large : the request cannot be larger than 65536 bytes",
    ])
  })

  it("of a call in a batch", () => {
    const batch = { batch: [big(33_000), track()] }
    assert.strictEqual(
      decodeBatch(requestContext({ strict: true, bytes: 34_000 }), batch).refusal?.code,
      "too_large",
    )
    assert.deepStrictEqual(lines(decodeBatch(requestContext({ bytes: 34_000 }), batch)), [
      "0 RecordEvent",
      "1 RecordEvent",
    ])
    assert.deepStrictEqual(
      lines(decodeBatch(requestContext({ bytes: 67_000 }), { batch: [big(66_000), track()] })),
      ["0 RejectOperation too_large : an item of a batch cannot be larger than 65536 bytes", "1 RecordEvent"],
    )
  })

  it("of a batch", () => {
    assert.strictEqual(
      decodeBatch(requestContext({ strict: true, bytes: 512_001 }), { batch: [track()] }).refusal?.code,
      "too_large",
    )
    assert.deepStrictEqual(lines(decodeBatch(requestContext({ bytes: 1_048_577 }), { batch: [track()] })), [
      " RejectOperation too_large : the request cannot be larger than 1048576 bytes",
    ])
  })
})

describe("write keys", () => {
  const other = { ...workspace, id: WorkspaceId.make(8) }
  const open = (key: string | null) => (key === "one" ? workspace : key === "two" ? other : undefined)

  it("contract §13 writeKey: a call's own chooses its workspace, the batch's is the default", () => {
    const decoded = decodeBatch(requestContext({ open }), {
      writeKey: "one",
      batch: [track(), track({ writeKey: "two" }), track({ writeKey: "x" }), track({ writeKey: "" })],
    })
    assert.deepStrictEqual(
      decoded.commands.map((command) => command.workspace.id),
      [7, 8, 7, 7],
    )
    assert.strictEqual(decoded.unauthorized, 1)
    assert.isNull(decoded.refusal)
  })

  const unauthorized = "RejectOperation unauthorized writeKey: unknown write key"

  it("contract §3 unauthorized calls: keep their places, so that each operation id keeps its index", () => {
    const batch = [track({ writeKey: "x" }), track({ writeKey: "two" }), track(), track({ writeKey: "one" })]
    const decoded = decodeBatch(requestContext({ open }), { batch })
    assert.deepStrictEqual(lines(decoded), [
      `0 ${unauthorized}`,
      "1 RecordEvent",
      `2 ${unauthorized}`,
      "3 RecordEvent",
    ])
    assert.deepStrictEqual(
      decoded.commands.map((command) => command.workspace.id),
      [8, 8, 8, 7],
    )
    assert.strictEqual(decoded.unauthorized, 2)
  })

  it("contract §3 unauthorized calls: leave nothing where no key opens anything", () => {
    const decoded = decodeBatch(requestContext({ open }), { batch: [track(), track({ writeKey: "x" })] })
    assert.deepStrictEqual(decoded, { commands: [], refusal: null, unauthorized: 2 })
  })

  it("a call alone names its own", () => {
    assert.strictEqual(
      decodeCall(requestContext({ open }), "track", track({ writeKey: "two" })).commands[0]?.workspace.id,
      8,
    )
    assert.deepStrictEqual(decodeCall(requestContext({ open }), "track", track()), {
      commands: [],
      refusal: null,
      unauthorized: 1,
    })
  })

  it("strict mode answers 401 and applies nothing", () => {
    for (const decoded of [
      decodeCall(requestContext({ open, strict: true }), "track", track()),
      decodeBatch(requestContext({ open, strict: true }), { batch: [track({ writeKey: "one" }), track()] }),
      decodeBatch(requestContext({ open, strict: true }), { batch: [] }),
      decodeBatch(requestContext({ open, strict: true }), 5),
    ]) {
      assert.strictEqual(decoded.refusal?.status, 401)
      assert.deepStrictEqual(decoded.commands, [])
    }
  })
})
