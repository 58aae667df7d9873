import { assert, describe, it } from "@effect/vitest"
import { Command } from "@inlet/core/Command"
import { Result, Schema } from "effect"
import type { CallType } from "../src/pipelines/CallType.ts"
import { callTypes } from "../src/pipelines/CallType.ts"
import * as pipelines from "../src/pipelines/decode.ts"
import { decodeAnonymousEvent, decodeEvent } from "../src/track-v1/events.ts"
import { decodeDelete, decodeIdentify } from "../src/track-v1/people.ts"
import { decodeBatch } from "../src/track-v2/batch.ts"
import { decodeEntity } from "../src/track-v2/entity.ts"
import { delivery, emailOnly, idOnly, receipt, workspace } from "./requests.ts"

const isCommand = Schema.is(Command)

/** Keys that decoders look for, and some that must not trip them. */
const Key = Schema.Union([
  Schema.Literals([
    "id",
    "email",
    "svc_id",
    "cio_id",
    "anonymous_id",
    "phone",
    "__proto__",
    "constructor",
    "_timestamp",
    "_update",
  ]),
  Schema.Literals([
    "created_at",
    "createdAt",
    "unsubscribed",
    "cio_relationships",
    "cio_subscription_preferences.topics.a",
    "toString",
  ]),
  Schema.Literals(["url", "title", "category", "actionType", "objectId", "hasOwnProperty", ""]),
])

/** What JSON can carry, leaning to what decoders look for. */
const Value = Schema.Union([
  Schema.Json,
  Schema.Literals([
    "",
    "5",
    "a@b.io",
    "cio_p000000001",
    "2026-03-01T12:00:00Z",
    "true",
    "x".repeat(1001),
    "é".repeat(76),
  ]),
  Schema.Literals([0, -1, 1.5, 1e300, 1e12, Number.MAX_SAFE_INTEGER]),
  Schema.Record(
    Key,
    Schema.Union([Schema.Json, Schema.Literals(["5", "a@b.io", "cio_p000000001", "1", "soon"])]),
  ),
])

const field = Schema.optionalKey(Value)

const Item = Schema.Struct({
  type: Schema.optionalKey(
    Schema.Union([Value, Schema.Literals(["person", "object", "delivery", "page", "track", "identify"])]),
  ),
  action: Schema.optionalKey(
    Schema.Union([
      Value,
      Schema.Literals(["identify", "delete", "event", "page", "screen", "viewed_content", "merge"]),
    ]),
  ),
  identifiers: field,
  attributes: field,
  data: field,
  name: field,
  id: field,
  timestamp: field,
  _timestamp: field,
  anonymous_id: field,
  userId: field,
  anonymousId: field,
  messageId: field,
  event: Schema.optionalKey(
    Schema.Union([Value, Schema.Literals(["a", "Report Content Event", "User Deleted"])]),
  ),
  traits: field,
  properties: field,
  context: field,
  originalTimestamp: field,
  sentAt: field,
  category: field,
})

const Body = Schema.Union([Item, Value])

const assertCommands = (commands: ReadonlyArray<unknown>) => {
  for (const command of commands) assert.isTrue(isCommand(command))
}

describe("decoders are total, and give nothing but commands", () => {
  it.prop("Track v1", { body: Body, identifier: Schema.String }, ({ body, identifier }) => {
    for (const over of [workspace, idOnly, emailOnly]) {
      const v1 = receipt("track-v1", over)
      assertCommands([
        Result.merge(decodeIdentify(v1, identifier, body)),
        Result.merge(decodeDelete(v1, identifier)),
        Result.merge(decodeEvent(v1, identifier, body)),
        Result.merge(decodeAnonymousEvent(v1, body)),
      ])
    }
  })

  it.prop("Track v2", { body: Body }, ({ body }) => {
    for (const over of [workspace, idOnly, emailOnly]) {
      assertCommands([Result.merge(decodeEntity(receipt("track-v2", over), body))])
    }
  })

  it.prop("Track v2 batch", { batch: Schema.Array(Body), envelope: Value }, ({ batch, envelope }) => {
    for (const bytes of [10, 1_000_000]) {
      const decoded = decodeBatch(receipt("track-v2"), { batch }, bytes)
      assert.isTrue(Result.isSuccess(decoded))
      if (!Result.isSuccess(decoded)) return
      const { commands, errors } = decoded.success
      assertCommands(commands)
      assert.deepStrictEqual(
        commands.map(({ batchIndex }) => batchIndex),
        [...batch.keys()],
      )
      const refused = commands.flatMap(({ _tag, batchIndex }) =>
        _tag === "RejectOperation" ? [batchIndex] : [],
      )
      assert.deepStrictEqual([...new Set(errors.map((error) => error.batch_index))], refused)
    }
    decodeBatch(receipt("track-v2"), envelope, 10)
  })

  it.prop(
    "Pipelines",
    { body: Body, strict: Schema.Boolean, type: Schema.Literals(callTypes) },
    ({ body, strict, type }) => {
      const call: CallType = type
      const decoded = pipelines.decodeCall(delivery({ strict }), call, body)
      assertCommands(decoded.commands)
      assert.strictEqual(decoded.commands.length, 1)
    },
  )

  it.prop(
    "Pipelines batch",
    { batch: Schema.Array(Body), strict: Schema.Boolean, sentAt: Value, context: Value },
    ({ batch, context, sentAt, strict }) => {
      const decoded = pipelines.decodeBatch(delivery({ strict }), { batch, sentAt, context })
      assertCommands(decoded.commands)
      if (!strict) assert.strictEqual(decoded.commands.length, batch.length)
      if (decoded.refusal !== null)
        assert.isTrue(decoded.commands.every(({ _tag }) => _tag === "RejectOperation"))
    },
  )
})

const bytesOf = (text: string) => new TextEncoder().encode(text).length

const fits = (text: string) => bytesOf(text) <= 8

describe("limits count bytes", () => {
  const limits = {
    ...workspace.limits,
    attributeValueBytesMax: 8,
    attributeNameBytesMax: 8,
    personIdBytesMax: 8,
    eventNameBytesMax: 8,
  }
  const narrow = receipt("track-v1", { ...workspace, limits })
  const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(12))

  it.prop("of values and names", { name: Text, value: Text }, ({ name, value }) => {
    assert.strictEqual(Result.isSuccess(decodeIdentify(narrow, "5", { plan: value })), fits(value))
    assert.strictEqual(Result.isSuccess(decodeIdentify(narrow, "5", { [`_${name}`]: 1 })), fits(`_${name}`))
    assert.strictEqual(Result.isSuccess(decodeDelete(narrow, value)), fits(value))
    const event = decodeEvent(narrow, "5", { name: value })
    assert.strictEqual(Result.isSuccess(event), fits(value.trim()) && value.trim() !== "")
  })
})

describe("keys from outside are data", () => {
  it.prop("whatever their names", { value: Schema.Json }, ({ value }) => {
    const inner = JSON.stringify(value)
    if (inner.length > 500) return
    const text = `{"__proto__":${inner},"constructor":${inner},"hasOwnProperty":${inner}}`
    const read = (action: string) => {
      const item: unknown = JSON.parse(
        `{"type":"person","action":"${action}","identifiers":{"id":"5"},"name":"a","attributes":${text}}`,
      )
      return Result.merge(decodeEntity(receipt("track-v2"), item))
    }
    const event = read("event")
    assert.strictEqual(event._tag === "RecordEvent" ? JSON.stringify(event.data) : event._tag, text)
    const identify = read("identify")
    assert.deepStrictEqual(
      identify._tag === "IdentifyPerson"
        ? identify.assignments.map(({ name, value: kept }) => [name, JSON.stringify(kept)])
        : identify._tag,
      ["__proto__", "constructor", "hasOwnProperty"].map((name) => [name, inner]),
    )
  })
})
