import { assert, describe, it } from "@effect/vitest"
import { refusedBody } from "../src/pipelines/answers.ts"
import type { CallType } from "../src/pipelines/CallType.ts"
import { decodeBatch, decodeCall } from "../src/pipelines/decode.ts"
import { commandLines, trackCall } from "./pipelinesCalls.ts"
import { requestContext } from "./requests.ts"

describe("pipelines-api §7: strict mode responds to invalid calls with an error", () => {
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
    ["traits that are not an object", "identify", { userId: "5", traits: [1] }, "traits must be an object"],
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
    it(`strict mode refuses ${name}`, () => {
      const { commands, refusal } = decodeCall(requestContext({ strict: true }), type, body)
      assert.deepStrictEqual([refusal?.status, refusal?.message("svc")], [400, message])
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
    it(`strict mode responds with 200 to ${name}`, () => {
      const decoded = decodeCall(requestContext({ strict: true }), type, body)
      assert.isNull(decoded.refusal)
      assert.deepStrictEqual(commandLines(decoded), expected)
    })
  }

  it("a strict Pipelines error repeats the message in every format that clients parse", () => {
    const { refusal } = decodeCall(requestContext({ strict: true }), "track", { userId: "5" })
    assert.deepStrictEqual(refusal === null ? null : refusedBody("svc", refusal), {
      success: false,
      code: "required",
      message: "event is required",
      error: "event is required",
      meta: { error: "event is required" },
    })
  })

  it("contract §13 strict batch: strict mode rejects the whole batch if one call is invalid, and names that call", () => {
    const decoded = decodeBatch(requestContext({ strict: true }), {
      batch: [trackCall({ messageId: "m0" }), trackCall({ event: "", messageId: "m1" }), trackCall()],
    })
    assert.deepStrictEqual(
      decoded.commands.map(({ deduplicationKey }) => deduplicationKey),
      ["m0", "m1", null],
    )
    assert.deepStrictEqual(
      [decoded.refusal?.status, decoded.refusal?.message("svc")],
      [400, "batch[1]: event is required"],
    )
    assert.deepStrictEqual(commandLines(decoded), [
      "0 RejectOperation invalid : not applied because another call of the batch is invalid",
      "1 RejectOperation required event: event is required",
      "2 RejectOperation invalid : not applied because another call of the batch is invalid",
    ])
  })

  it("strict mode lists at most 100 faults of a batch", () => {
    const hundred = Array.from({ length: 100 }, (_, i) => `batch[${i}]: event is required`)
    for (const [length, messages] of [
      [100, hundred],
      [1100, [...hundred, "and 1000 more"]],
    ] as const) {
      const batch = Array.from({ length }, () => trackCall({ event: "" }))
      const decoded = decodeBatch(requestContext({ strict: true }), { batch })
      assert.strictEqual(decoded.commands.length, length)
      assert.strictEqual(decoded.refusal?.message("svc"), messages.join("; "))
    }
  })

  it("strict mode rejects only the affected call if a limit is exceeded", () => {
    const decoded = decodeBatch(requestContext({ strict: true }), {
      batch: [trackCall(), trackCall({ event: "x".repeat(101) })],
    })
    assert.isNull(decoded.refusal)
    assert.deepStrictEqual(commandLines(decoded), [
      "0 RecordEvent",
      "1 RejectOperation too_long event: event name cannot be longer than 100 bytes",
    ])
  })

  it("strict mode refuses a batch with an invalid body", () => {
    for (const envelope of [[], {}, { batch: 5 }, { batch: [], sentAt: "x" }, { batch: [], context: 1 }]) {
      assert.strictEqual(decodeBatch(requestContext({ strict: true }), envelope).refusal?.status, 400)
    }
  })
})
