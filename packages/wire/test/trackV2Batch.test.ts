import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { batchErrorsBody } from "../src/track-v2/answers.ts"
import { decodeBatch, errorsBytesMax } from "../src/track-v2/batch.ts"
import { itemBytesMin, shortItemsMax } from "../src/decoding/batchItem.ts"
import { faultsMax } from "../src/decoding/Findings.ts"
import { assertDecoded, faultLine, receipt } from "./requests.ts"

const good = { type: "person", action: "identify", identifiers: { id: "5" } }
const bad = { type: "person", action: "event", identifiers: { id: "5" }, timestamp: "x" }

const decode = (batch: unknown, bytes = 1000) =>
  Result.getOrThrow(decodeBatch(receipt("track-v2"), { batch }, bytes))

const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))

const lines = (attributes: object, bytes: number) =>
  decode([{ ...good, attributes }], bytes).errors.map(({ fault }) => faultLine(fault))

const attributes = (letters: number) => ({ note: "x", rest: { text: "é".repeat(letters) } })

describe("Track v2 batch", () => {
  it("the decoder returns one command for each item of a v2 batch, in the order of the items", () => {
    const { commands, errors, status } = decode([good, bad, 7, good])
    assert.strictEqual(status, 207)
    assert.deepStrictEqual(
      commands.map(({ _tag, batchIndex }) => [_tag, batchIndex]),
      [
        ["IdentifyPerson", 0],
        ["RejectOperation", 1],
        ["RejectOperation", 2],
        ["IdentifyPerson", 3],
      ],
    )
    assert.deepStrictEqual(batchErrorsBody("svc", errors).errors, [
      { batch_index: 1, reason: "required", field: "name", message: "event name must not be blank" },
      { batch_index: 2, reason: "invalid", field: "", message: "the item must be a JSON object" },
    ])
  })

  it("the answer to a v2 batch is 200, 207 or 400, depending on the number of valid items", () => {
    assert.strictEqual(decode([good, good]).status, 200)
    assert.strictEqual(decode([bad, bad]).status, 400)
    assert.deepStrictEqual(decode([]), { commands: [], errors: [], status: 200 })
  })

  it("a refused item of a v2 batch is recorded with the kind of its operation", () => {
    const [command] = decode([bad]).commands
    assert.deepInclude(command, { _tag: "RejectOperation", kind: "event" })
  })

  it("the decoder checks the size of each item of a v2 batch only if the whole batch is larger than the limit of one item", () => {
    const item = (letters: number) => ({
      ...good,
      action: "event",
      name: "a",
      attributes: attributes(letters),
    })
    const fixed = new TextEncoder().encode(JSON.stringify(item(0))).length
    const most = Math.floor((32 * 1024 - fixed) / 2)
    const { commands, errors, status } = decode([item(most), item(most + 1), good], 100_000)
    assert.strictEqual(status, 207)
    assert.deepStrictEqual(
      errors.map(({ batchIndex, fault }) => [batchIndex, faultLine(fault)]),
      [[1, "too_large : an item of a batch cannot be larger than 32768 bytes"]],
    )
    assert.strictEqual(commands.length, 3)
  })

  it("a deeply nested attribute of a v2 batch item is refused without an exception", () => {
    assert.deepStrictEqual(lines({ a: deep(20_000) }, 40_100), [
      "too_large : an item of a batch cannot be larger than 32768 bytes",
    ])
    assert.deepStrictEqual(lines({ a: deep(101) }, 40_000), [
      "invalid attributes.a: value for attribute 'a' is nested deeper than 100 levels or contains a number out of range",
    ])
    assert.deepStrictEqual(lines({ a: deep(100) }, 40_000), [])
  })

  it("a v2 batch may have any number of valid items if the batch does not exceed its size limit", () => {
    const items = Array.from({ length: 15_000 }, () => good)
    assert.strictEqual(decode(items, JSON.stringify({ batch: items }).length).commands.length, 15_000)
  })

  it("the answer to a v2 batch lists every refused item, and shortens the errors once they fill 1 MB", () => {
    const wrong = {
      type: "object",
      action: "identify",
      identifiers: { object_id: "1" },
      cio_relationships: Array.from({ length: 20 }, () => 0),
    }
    const { commands, errors, status } = decode(Array.from({ length: shortItemsMax }, () => wrong))
    assert.strictEqual(status, 400)
    const listed = batchErrorsBody("svc", errors).errors
    assert.isAtMost(JSON.stringify(listed).length, errorsBytesMax + 150 * shortItemsMax)
    const perItem = Array.from({ length: shortItemsMax }, () => 0)
    for (const error of listed) perItem[error.batch_index] = (perItem[error.batch_index] ?? 0) + 1
    assert.strictEqual(perItem[0], faultsMax)
    const whole = perItem.filter((count) => count > 1).length
    assert.isAbove(whole, 100)
    assert.isTrue(perItem.slice(whole).every((count) => count === 1))
    const last = {
      reason: "invalid",
      field: "",
      message: "the item is invalid; its activity entry has the details",
    }
    assert.deepStrictEqual(listed.at(-1), { batch_index: shortItemsMax - 1, ...last })
    const recorded = commands.at(-1)?.faults ?? []
    assert.strictEqual(recorded.length, faultsMax)
  })

  for (const [name, body, line] of [
    ["a body that is not an object", [], "invalid : the body must be a JSON object"],
    ["a body without a batch", {}, "required batch: batch must be present"],
    ["a null batch", { batch: null }, "required batch: batch must be present"],
    ["a batch that is not an array", { batch: {} }, "invalid batch: batch must be an array"],
    [
      "more items than its bytes could hold if all were valid",
      { batch: Array.from({ length: shortItemsMax + 1 }, () => 0) },
      `too_many batch: the items of this batch are too short to be valid: a batch of more than 10000 items must have at least ${itemBytesMin} bytes per item on average`,
    ],
  ] as const) {
    it(`refuses ${name}`, () => {
      const decoded = decodeBatch(receipt("track-v2"), body, 1000)
      assert.isTrue(Result.isFailure(decoded))
      if (Result.isFailure(decoded)) assertDecoded(Result.fail(decoded.failure), [line])
    })
  }
})
