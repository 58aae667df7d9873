import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { bodyBytesMax, decodeBatch, decodeCall } from "../src/pipelines/decode.ts"
import { commandLines, trackCall } from "./pipelinesCalls.ts"
import { assertCommand, assignments, byId, receivedAt, requestContext, workspace } from "./requests.ts"

describe("Pipelines default mode", () => {
  it("default mode applies the calls that follow an invalid call of a batch", () => {
    const decoded = decodeBatch(requestContext(), {
      batch: [
        trackCall(),
        5,
        { userId: "5" },
        trackCall({ type: "x" }),
        trackCall({ event: "" }),
        trackCall(),
      ],
    })
    assert.isNull(decoded.refusal)
    assert.deepStrictEqual(commandLines(decoded), [
      "0 RecordEvent",
      "1 RejectOperation invalid : the item must be a JSON object",
      "2 RejectOperation required type: type is required",
      '3 RejectOperation unknown_type type: unknown type "x": expected identify, track, page, screen, group or alias',
      "4 RejectOperation required event: event name must not be blank",
      "5 RecordEvent",
    ])
  })

  it("a Pipelines batch with an invalid body is recorded as one rejected operation", () => {
    assert.deepStrictEqual(commandLines(decodeBatch(requestContext(), { batch: "x" })), [
      " RejectOperation invalid batch: batch must be an array",
    ])
  })

  it("the context and sentAt of a Pipelines batch apply to each of its calls", () => {
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

const big = (bytes: number) => trackCall({ properties: { text: "x".repeat(bytes) } })

describe("pipelines-api §8: limits on the size of requests", () => {
  it("Pipelines accepts larger requests in default mode than in strict mode", () => {
    assert.deepStrictEqual(
      [false, true].flatMap((strict) =>
        [false, true].map((batch) => bodyBytesMax(workspace.limits, strict, batch)),
      ),
      [65_536, 1_048_576, 32_768, 512_000],
    )
  })

  it("a single Pipelines call larger than the limit is refused", () => {
    assert.strictEqual(
      decodeCall(requestContext({ strict: true, bytes: 32_769 }), "track", trackCall()).refusal?.code,
      "too_large",
    )
    assert.isNull(decodeCall(requestContext({ bytes: 65_536 }), "track", trackCall()).refusal)
    const decoded = decodeCall(requestContext({ bytes: 65_537 }), "track", trackCall())
    assert.isNull(decoded.refusal)
    assert.deepStrictEqual(commandLines(decoded), [
      " RejectOperation too_large : the request cannot be larger than 65536 bytes",
    ])
    const { sent, ...rejected } = decoded.commands[0] ?? {}
    assert.deepInclude(rejected, { kind: "event" })
    assert.strictEqual(sent?.name, trackCall().event)
  })

  it("a call inside a Pipelines batch is refused if the call is larger than the limit for one call", () => {
    const batch = { batch: [big(33_000), trackCall()] }
    assert.strictEqual(
      decodeBatch(requestContext({ strict: true, bytes: 34_000 }), batch).refusal?.code,
      "too_large",
    )
    assert.deepStrictEqual(commandLines(decodeBatch(requestContext({ bytes: 34_000 }), batch)), [
      "0 RecordEvent",
      "1 RecordEvent",
    ])
    assert.deepStrictEqual(
      commandLines(decodeBatch(requestContext({ bytes: 67_000 }), { batch: [big(66_000), trackCall()] })),
      ["0 RejectOperation too_large : an item of a batch cannot be larger than 65536 bytes", "1 RecordEvent"],
    )
  })

  it("a Pipelines batch larger than the limit is refused", () => {
    assert.strictEqual(
      decodeBatch(requestContext({ strict: true, bytes: 512_001 }), { batch: [trackCall()] }).refusal?.code,
      "too_large",
    )
    assert.deepStrictEqual(
      commandLines(decodeBatch(requestContext({ bytes: 1_048_577 }), { batch: [trackCall()] })),
      [" RejectOperation too_large : the request cannot be larger than 1048576 bytes"],
    )
  })
})

describe("Pipelines write keys", () => {
  const other = { ...workspace, id: WorkspaceId.make(8) }
  const open = (key: string | null) => (key === "one" ? workspace : key === "two" ? other : undefined)

  it("contract §13 writeKey: a call without a write key goes to the workspace of the batch's key, and a call with a write key to the workspace of that key", () => {
    const decoded = decodeBatch(requestContext({ open }), {
      writeKey: "one",
      batch: [
        trackCall(),
        trackCall({ writeKey: "two" }),
        trackCall({ writeKey: "x" }),
        trackCall({ writeKey: "" }),
      ],
    })
    assert.deepStrictEqual(
      decoded.commands.map((command) => command.workspace.id),
      [7, 8, 7, 7],
    )
    assert.strictEqual(decoded.unauthorized, 1)
    assert.isNull(decoded.refusal)
  })

  const unauthorized = "RejectOperation unauthorized writeKey: unknown write key"

  it("contract §3 unauthorized calls: a call with an unknown key keeps its index in the batch, so that later calls keep their operation ids", () => {
    const batch = [
      trackCall({ writeKey: "x" }),
      trackCall({ writeKey: "two" }),
      trackCall(),
      trackCall({ writeKey: "two" }),
    ]
    const decoded = decodeBatch(requestContext({ open }), { batch })
    assert.deepStrictEqual(commandLines(decoded), [
      `0 ${unauthorized}`,
      "1 RecordEvent",
      `2 ${unauthorized}`,
      "3 RecordEvent",
    ])
    assert.strictEqual(decoded.unauthorized, 2)
  })

  it("contract §13 batch workspaces: the calls of each workspace in a batch are counted separately", () => {
    const batch = ["two", "one", "x", "two", "one"].map((writeKey) => trackCall({ writeKey }))
    const { commands } = decodeBatch(requestContext({ open }), { batch })
    assert.deepStrictEqual(
      commands.map((command) => [Number(command.workspace.id), command.batchIndex]),
      [
        [8, 0],
        [7, 0],
        [8, 1],
        [8, 2],
        [7, 1],
      ],
    )
  })

  it("contract §3 unauthorized calls: the calls of a request are not recorded if no key of the request is known", () => {
    const decoded = decodeBatch(requestContext({ open }), {
      batch: [trackCall(), trackCall({ writeKey: "x" })],
    })
    assert.deepStrictEqual(decoded, { commands: [], refusal: null, unauthorized: 2 })
  })

  it("a single Pipelines call goes to the workspace of the key in its body", () => {
    assert.strictEqual(
      decodeCall(requestContext({ open }), "track", trackCall({ writeKey: "two" })).commands[0]?.workspace.id,
      8,
    )
    assert.deepStrictEqual(decodeCall(requestContext({ open }), "track", trackCall()), {
      commands: [],
      refusal: null,
      unauthorized: 1,
    })
  })

  it("strict mode responds with 401 and applies nothing if one key is unknown", () => {
    for (const decoded of [
      decodeCall(requestContext({ open, strict: true }), "track", trackCall()),
      decodeBatch(requestContext({ open, strict: true }), {
        batch: [trackCall({ writeKey: "one" }), trackCall()],
      }),
      decodeBatch(requestContext({ open, strict: true }), { batch: [] }),
      decodeBatch(requestContext({ open, strict: true }), 5),
    ]) {
      assert.strictEqual(decoded.refusal?.status, 401)
      assert.deepStrictEqual(decoded.commands, [])
    }
  })
})
