import { assert, describe, it } from "@effect/vitest"
import { Command } from "@inlethq/core/Command"
import { Schema } from "effect"
import { callTypes } from "../src/pipelines/CallType.ts"
import { decodeBatch, decodeCall } from "../src/pipelines/decode.ts"
import { requestContext, workspace } from "./requests.ts"

const isCommand = Schema.is(Command)

const names = [
  "Device Created or Updated",
  "Device Deleted",
  "User Deleted",
  "User Suppressed",
  "User Unsuppressed",
  "Relationship Deleted",
  "Object Deleted",
  "Group Deleted",
  "Report Delivery Event",
  "Report Content Event",
  "Application Installed",
  "Application Opened",
  "Application Uninstalled",
] as const

/**
 * Keys that the decoders look for inside traits, properties and contexts, and keys such as `__proto__` that could break
 * a decoder.
 */
const Key = Schema.Union([
  Schema.Literals(["token", "type", "last_used", "device", "app", "version", "traits", "attributes"]),
  Schema.Literals(["objectId", "object_type_id", "objectTypeId", "groupId", "objectAttributes"]),
  Schema.Literals(["relationship_traits", "relationshipAttributes", "relationship_attributes", "_timestamp"]),
  Schema.Literals(["deliveryId", "metric", "recipient", "actionType", "cio_relationships", "email"]),
  Schema.Literals(["__proto__", "constructor", "toString", ""]),
])

const Simple = Schema.Union([
  Schema.Json,
  Schema.Literals(["", "5", "a@b.io", "cio_p11000000001", "opened", "ios", "2026-03-01T12:00:00Z"]),
  Schema.Literals(["x".repeat(151), "x".repeat(1001), 0, -1, 1.5, 1e300]),
])

const Inner = Schema.Record(Key, Simple)
const Value = Schema.Union([Simple, Schema.Record(Key, Schema.Union([Simple, Inner]))])
const field = Schema.optionalKey(Value)

const Item = Schema.Struct({
  type: Schema.optionalKey(Schema.Union([Schema.Literals(callTypes), Value])),
  event: Schema.optionalKey(Schema.Union([Schema.Literals(names), Value])),
  userId: field,
  anonymousId: field,
  groupId: field,
  previousId: field,
  messageId: field,
  traits: field,
  properties: field,
  context: field,
  timestamp: field,
  sentAt: field,
  name: field,
  writeKey: Schema.optionalKey(Schema.Literals(["none", "one"])),
})

const open = (key: string | null) => (key === "none" ? undefined : workspace)

describe("Pipelines codecs never throw and return only valid commands", () => {
  it.prop(
    "the decoder decodes any single Pipelines call without throwing",
    { body: Item, strict: Schema.Boolean, type: Schema.Literals(callTypes) },
    ({ body, strict, type }) => {
      const { commands, refusal } = decodeCall(requestContext({ strict }), type, body)
      assert.lengthOf(commands, 1)
      for (const command of commands) assert.isTrue(isCommand(command))
      if (!strict) assert.isNull(refusal)
    },
    { arbitrary: { runs: 500 } },
  )

  it.prop(
    "the decoder decodes any Pipelines batch without throwing and gives each recorded call its own index",
    { batch: Schema.Array(Item), context: Value },
    ({ batch, context }) => {
      const { commands, unauthorized } = decodeBatch(requestContext({ open }), { batch, context })
      for (const command of commands) assert.isTrue(isCommand(command))
      assert.deepStrictEqual(
        commands.map(({ batchIndex }) => batchIndex),
        [...batch.keys()],
      )
      assert.strictEqual(unauthorized, batch.filter(({ writeKey }) => writeKey === "none").length)
    },
    { arbitrary: { runs: 200 } },
  )
})
