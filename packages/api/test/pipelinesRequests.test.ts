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

/** Formats each command as one line: its batch index, its tag and its faults. */
const lines = ({ commands }: Decoded) =>
  commands.map(({ _tag, batchIndex, faults }) => [batchIndex, _tag, ...faults.map(faultLine)].join(" "))

describe("pipelines-api §7: strict mode answers invalid calls with an error", () => {
  const refused: ReadonlyArray<readonly [name: string, type: CallType, body: unknown, message: string]> = [
    ["a body that is not an object", "track", [], "the body must be a JSON object"],
    [
      "an identify without a userId or anonymousId",
      "identify",
      { traits: { email: "a@b.io" } },
      "userId or anonymousId is required",
    ],
    ["an empty userId", "page", { userId: "" }, "userId or anonymousId is required"],
    [
      "an alias without a userId or anonymousId",
      "alias",
      { previousId: "p" },
      "userId or anonymousId is required",
    ],
    ["a track without an event name", "track", { userId: "5" }, "event is required"],
    ["a blank event name", "track", { userId: "5", event: " " }, "event is required"],
    ["a group without a groupId", "group", { userId: "5", groupId: null }, "groupId is required"],
    ["an empty groupId", "group", { userId: "5", groupId: "" }, "groupId is required"],
    ["a groupId that is not a string", "group", { groupId: {} }, "groupId must be a string"],
    [
      "traits of a group that are not an object",
      "group",
      { groupId: "g", traits: 5 },
      "traits must be an object",
    ],
    [
      "a previousId that is not a string",
      "alias",
      { userId: "5", previousId: [] },
      "previousId must be a string",
    ],
    [
      "a delivery report without a userId or anonymousId",
      "track",
      { event: "Report Delivery Event" },
      "userId or anonymousId is required",
    ],
    ["a type that is not a string", "track", { userId: "5", event: "a", type: 5 }, "type must be a string"],
    [
      "an invalid receivedAt",
      "track",
      { userId: "5", event: "a", receivedAt: "x" },
      "receivedAt must be an ISO 8601 date-time",
    ],
    ["an alias without a previousId", "alias", { userId: "5" }, "previousId is required"],
    ["traits that are not an object", "identify", { userId: "5", traits: [] }, "traits must be an object"],
    [
      "properties that are not an object",
      "page",
      { userId: "5", properties: "x" },
      "properties must be an object",
    ],
    [
      "a context that is not an object",
      "track",
      { userId: "5", event: "a", context: 1 },
      "context must be an object",
    ],
    ["an event name that is not a string", "track", { userId: "5", event: 5 }, "event must be a string"],
    ["a userId that is an object", "track", { userId: {}, event: "a" }, "userId must be a string"],
    [
      "a messageId that is an array",
      "track",
      { userId: "5", event: "a", messageId: [] },
      "messageId must be a string",
    ],
    [
      "an invalid timestamp",
      "track",
      { userId: "5", event: "a", timestamp: "x" },
      "timestamp must be an ISO 8601 date-time",
    ],
    [
      "a timestamp in Unix seconds",
      "track",
      { userId: "5", event: "a", timestamp: 5 },
      "timestamp must be an ISO 8601 date-time",
    ],
    [
      "an invalid sentAt",
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
      "a valid call",
      "track",
      { userId: 5, event: "a", traits: 5, timestamp: "2026-03-01T12:00:00Z" },
      [" RecordEvent"],
    ],
    [
      "a call with null for optional fields",
      "track",
      { userId: "5", anonymousId: null, event: "a", properties: null, timestamp: null, context: null },
      [" RecordEvent"],
    ],
    ["a page without a name", "page", { anonymousId: "an" }, [" RecordEvent"]],
    ["a group without a person or visitor", "group", { groupId: 5 }, [" IdentifyObject"]],
    ["an alias of a visitor", "alias", { anonymousId: "an", previousId: 5 }, [" IdentifyPerson"]],
    ["a User Deleted event", "track", { userId: "5", event: "User Deleted" }, [" DeletePerson"]],
    [
      "an action without a required value",
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

  it("repeats the error in every shape that clients parse", () => {
    const { refusal } = decodeCall(requestContext({ strict: true }), "track", { userId: "5" })
    assert.deepStrictEqual(refusal === null ? null : refusalBody(refusal), {
      success: false,
      code: "required",
      message: "event is required",
      error: "event is required",
      meta: { error: "event is required" },
    })
  })

  it("contract §13 strict batch: rejects the whole batch if one call is invalid and names that call", () => {
    const decoded = decodeBatch(requestContext({ strict: true }), {
      batch: [track({ messageId: "m0" }), track({ event: "", messageId: "m1" }), track()],
    })
    assert.deepStrictEqual(
      decoded.commands.map(({ deduplicationKey }) => deduplicationKey),
      ["m0", "m1", null],
    )
    assert.deepInclude(decoded.refusal, { status: 400, message: "batch[1]: event is required" })
    assert.deepStrictEqual(lines(decoded), [
      "0 RejectOperation invalid : not applied because another call of the batch is invalid",
      "1 RejectOperation required event: event is required",
      "2 RejectOperation invalid : not applied because another call of the batch is invalid",
    ])
  })

  it("lists at most 100 faults of a batch", () => {
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

  it("applies the other calls if one is only rejected while it is decoded", () => {
    const decoded = decodeBatch(requestContext({ strict: true }), {
      batch: [track(), track({ event: "x".repeat(101) })],
    })
    assert.isNull(decoded.refusal)
    assert.deepStrictEqual(lines(decoded), [
      "0 RecordEvent",
      "1 RejectOperation too_long event: event name cannot be longer than 100 bytes",
    ])
  })

  it("refuses an invalid batch envelope", () => {
    for (const envelope of [[], {}, { batch: 5 }, { batch: [], sentAt: "x" }, { batch: [], context: 1 }]) {
      assert.strictEqual(decodeBatch(requestContext({ strict: true }), envelope).refusal?.status, 400)
    }
  })
})

describe("Pipelines default mode", () => {
  it("applies the calls after an invalid one", () => {
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

  it("records a batch envelope that cannot be read", () => {
    assert.deepStrictEqual(lines(decodeBatch(requestContext(), { batch: "x" })), [
      " RejectOperation invalid batch: batch must be an array",
    ])
  })

  it("applies the context and sentAt of the batch to each call", () => {
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

describe("pipelines-api §8: limits on the size of requests", () => {
  it("default mode has larger limits than strict mode", () => {
    assert.deepStrictEqual(
      [false, true].flatMap((strict) =>
        [false, true].map((batch) => bodyBytesMax(workspace.limits, strict, batch)),
      ),
      [65_536, 1_048_576, 32_768, 512_000],
    )
  })

  it("refuses a single call past the limit", () => {
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

  it("refuses a call in a batch past the limit", () => {
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

  it("refuses a batch past the limit", () => {
    assert.strictEqual(
      decodeBatch(requestContext({ strict: true, bytes: 512_001 }), { batch: [track()] }).refusal?.code,
      "too_large",
    )
    assert.deepStrictEqual(lines(decodeBatch(requestContext({ bytes: 1_048_577 }), { batch: [track()] })), [
      " RejectOperation too_large : the request cannot be larger than 1048576 bytes",
    ])
  })
})

describe("Pipelines write keys", () => {
  const other = { ...workspace, id: WorkspaceId.make(8) }
  const open = (key: string | null) => (key === "one" ? workspace : key === "two" ? other : undefined)

  it("contract §13 writeKey: a call goes to the workspace of its own key, else of the batch's key", () => {
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

  it("contract §3 unauthorized calls: keep their index in the batch, so operation ids of later calls do not shift", () => {
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

  it("contract §3 unauthorized calls: are not recorded if no key of the request is known", () => {
    const decoded = decodeBatch(requestContext({ open }), { batch: [track(), track({ writeKey: "x" })] })
    assert.deepStrictEqual(decoded, { commands: [], refusal: null, unauthorized: 2 })
  })

  it("a single call goes to the workspace of the key in its body", () => {
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

  it("strict mode answers 401 and applies nothing if one key is unknown", () => {
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
