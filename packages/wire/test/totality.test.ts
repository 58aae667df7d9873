import { assert, describe, it } from "@effect/vitest"
import type { Assignment } from "@inlethq/core/state/Attributes"
import { Command } from "@inlethq/core/Command"
import { Arbitrary, Result, Schema } from "effect"
import { type CallType, callTypes } from "../src/pipelines/CallType.ts"
import * as pipelines from "../src/pipelines/decode.ts"
import { decodeMetric, decodePushMetric, decodeUnsubscribe } from "../src/track-v1/deliveries.ts"
import { decodeAddDevice, decodeDeleteDevice } from "../src/track-v1/devices.ts"
import { decodeAnonymousEvent, decodeEvent } from "../src/track-v1/events.ts"
import { decodeForm } from "../src/track-v1/forms.ts"
import {
  decodeDelete,
  decodeIdentify,
  decodeMerge,
  decodeSuppress,
  decodeUnsuppress,
} from "../src/track-v1/people.ts"
import { decodeMembership } from "../src/track-v1/segments.ts"
import { decodeBatch } from "../src/track-v2/batch.ts"
import { decodeEntity } from "../src/track-v2/entity.ts"
import { Body, FormFields, RelationshipChange, TrackBody, Value } from "./arbitraries.ts"
import { requestContext, emailOnly, idOnly, receipt, workspace } from "./requests.ts"

const isCommand = Schema.is(Command)

const assertCommands = (commands: ReadonlyArray<unknown>) => {
  for (const command of commands) assert.isTrue(isCommand(command))
}

describe("decoders never throw and return only valid commands", () => {
  it.prop(
    "the decoder decodes any Track v1 body without throwing",
    { body: TrackBody, identifier: Schema.String },
    ({ body, identifier }) => {
      for (const over of [workspace, idOnly, emailOnly]) {
        const v1 = receipt("track-v1", over)
        assertCommands([
          Result.merge(decodeIdentify(v1, identifier, body)),
          Result.merge(decodeDelete(v1, identifier)),
          Result.merge(decodeSuppress(v1, identifier)),
          Result.merge(decodeUnsuppress(v1, identifier)),
          Result.merge(decodeMerge(v1, body)),
          Result.merge(decodeEvent(v1, identifier, body)),
          Result.merge(decodeAnonymousEvent(v1, body)),
          Result.merge(decodeAddDevice(v1, identifier, body)),
          Result.merge(decodeDeleteDevice(v1, "5", identifier)),
        ])
      }
    },
  )

  it.prop(
    "the decoder decodes any Track v1 relationships without throwing",
    { change: RelationshipChange },
    ({ change }) => {
      assertCommands([Result.merge(decodeIdentify(receipt("track-v1"), "5", { cio_relationships: change }))])
    },
  )

  it.prop(
    "the decoder decodes any Track v1 delivery, form and segment without throwing",
    {
      body: TrackBody,
      data: FormFields,
      segment: Schema.Union([Schema.String, Schema.Literals(["1", "007"])]),
      text: Schema.String,
    },
    ({ body, data, segment, text }) => {
      const v1 = receipt("track-v1")
      const membership = (idType: string) =>
        Result.merge(decodeMembership(v1, "add", segment, `id_type=${idType}`, body))
      assertCommands([
        Result.merge(decodeMetric(v1, body)),
        Result.merge(decodePushMetric(v1, body)),
        Result.merge(decodeUnsubscribe(v1, text, body)),
        Result.merge(decodeUnsubscribe(v1, null, body)),
        Result.merge(decodeForm(v1, text, { data })),
        Result.merge(decodeForm(v1, "f", { data })),
        Result.merge(decodeMembership(v1, "remove", segment, text, body)),
        ...["id", "email", "cio_id"].map(membership),
      ])
    },
  )

  it.prop("the decoder decodes any Track v2 entity without throwing", { body: TrackBody }, ({ body }) => {
    for (const over of [workspace, idOnly, emailOnly]) {
      assertCommands([Result.merge(decodeEntity(receipt("track-v2", over), body))])
    }
  })

  it.prop(
    "the decoder decodes any Track v2 batch without throwing",
    { batch: Schema.Array(TrackBody), envelope: Value },
    ({ batch, envelope }) => {
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
        assert.deepStrictEqual([...new Set(errors.map((error) => error.batchIndex))], refused)
      }
      decodeBatch(receipt("track-v2"), envelope, 10)
    },
  )

  it.prop(
    "the decoder decodes any Pipelines call without throwing",
    { body: Body, strict: Schema.Boolean, type: Schema.Literals(callTypes) },
    ({ body, strict, type }) => {
      const call: CallType = type
      const decoded = pipelines.decodeCall(requestContext({ strict }), call, body)
      assertCommands(decoded.commands)
      assert.strictEqual(decoded.commands.length, 1)
    },
  )

  it.prop(
    "the decoder decodes any Pipelines batch without throwing",
    { batch: Schema.Array(Body), strict: Schema.Boolean, sentAt: Value, context: Value },
    ({ batch, context, sentAt, strict }) => {
      const decoded = pipelines.decodeBatch(requestContext({ strict }), { batch, sentAt, context })
      assertCommands(decoded.commands)
      if (!strict) assert.strictEqual(decoded.commands.length, batch.length)
      if (decoded.refusal !== null)
        assert.isTrue(decoded.commands.every(({ _tag }) => _tag === "RejectOperation"))
    },
  )
})

const bytesOf = (text: string) => new TextEncoder().encode(text).length

const fits = (text: string) => bytesOf(text) <= 8

describe("limits are measured in bytes", () => {
  const limits = {
    ...workspace.limits,
    attributeValueBytesMax: 8,
    attributeNameBytesMax: 8,
    personIdBytesMax: 8,
    objectIdBytesMax: 8,
    eventNameBytesMax: 8,
  }
  const narrow = receipt("track-v1", { ...workspace, limits })
  const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(12))

  it.prop(
    "values and names of attributes are limited by their UTF-8 bytes",
    { name: Text, value: Text },
    ({ name, value }) => {
      assert.strictEqual(Result.isSuccess(decodeIdentify(narrow, "5", { plan: value })), fits(value))
      assert.strictEqual(Result.isSuccess(decodeIdentify(narrow, "5", { [`_${name}`]: 1 })), fits(`_${name}`))
      assert.strictEqual(Result.isSuccess(decodeDelete(narrow, value)), fits(value))
      const event = decodeEvent(narrow, "5", { name: value })
      assert.strictEqual(Result.isSuccess(event), fits(value.trim()) && value.trim() !== "")
    },
  )

  it.prop(
    "objects, relationships, devices and forms are limited by their UTF-8 bytes",
    { name: Text, value: Text },
    ({ name, value }) => {
      const isTaken = (item: object) =>
        Result.isSuccess(decodeEntity(narrow, { type: "object", action: "identify", ...item }))
      const related = (identifiers: object, relationship_attributes: object) =>
        decodeIdentify(narrow, "5", {
          svc_relationships: {
            action: "add_relationships",
            relationships: [{ identifiers, relationship_attributes }],
          },
        })
      const attributes = { [`_${name}`]: value }
      const both = fits(`_${name}`) && fits(value)
      assert.strictEqual(isTaken({ identifiers: { object_id: value } }), fits(value))
      assert.strictEqual(isTaken({ identifiers: { object_type_id: value, object_id: "1" } }), fits(value))
      assert.strictEqual(isTaken({ identifiers: { object_id: "1" }, attributes }), both)
      assert.strictEqual(Result.isSuccess(related({ object_id: value }, {})), fits(value))
      assert.strictEqual(Result.isSuccess(related({ object_id: "1" }, attributes)), both)
      const device = { id: "t", platform: "ios", attributes }
      assert.strictEqual(Result.isSuccess(decodeAddDevice(narrow, "5", { device })), both)
      assert.strictEqual(Result.isSuccess(decodeForm(narrow, "f", { data: attributes })), both)
    },
  )
})

const kept = (assignments: ReadonlyArray<Assignment>) =>
  assignments.map(({ name, value }) => [name, JSON.stringify(value)])

/** Generates JSON values that fit the size limit of an attribute value. */
const shortJson = Arbitrary.filter(
  Arbitrary.schema(Schema.Json),
  (value) => JSON.stringify(value).length <= 500,
)

describe("keys with the names of JavaScript object members", () => {
  it.prop("a key of any name, such as __proto__, is stored as data", { value: shortJson }, ({ value }) => {
    const inner = JSON.stringify(value)
    const text = `{"__proto__":${inner},"constructor":${inner},"hasOwnProperty":${inner}}`
    const read = (action: string) => {
      const item: unknown = JSON.parse(
        `{"type":"person","action":"${action}","identifiers":{"id":"5"},"name":"a","attributes":${text}}`,
      )
      return Result.merge(decodeEntity(receipt("track-v2"), item))
    }
    const names = ["__proto__", "constructor", "hasOwnProperty"]
    const expected = names.map((name) => [name, inner])
    const event = read("event")
    assert.strictEqual(event._tag === "RecordEvent" ? JSON.stringify(event.data) : event._tag, text)
    const identify = read("identify")
    assert.deepStrictEqual(
      identify._tag === "IdentifyPerson" ? kept(identify.assignments) : identify._tag,
      expected,
    )
    const device: unknown = JSON.parse(`{"device":{"id":"t","platform":"ios","attributes":${text}}}`)
    const added = Result.merge(decodeAddDevice(receipt("track-v1"), "5", device))
    assert.deepStrictEqual(added._tag === "AddDevice" ? kept(added.assignments) : added._tag, expected)
    const object: unknown = JSON.parse(
      `{"type":"object","action":"identify","identifiers":{"object_id":"5"},"attributes":${text},` +
        `"cio_relationships":[{"identifiers":{"id":"5"},"relationship_attributes":${text}}]}`,
    )
    const identified = Result.merge(decodeEntity(receipt("track-v2"), object))
    assert.deepStrictEqual(
      identified._tag === "IdentifyObject"
        ? [identified.assignments, ...identified.entries.map(({ assignments }) => assignments)].map(kept)
        : identified._tag,
      [expected, expected],
    )
  })
})
