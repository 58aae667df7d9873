import { assert, describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { withSent } from "../src/decoding/sentCall.ts"
import { readJson } from "../src/decoding/readJson.ts"
import { refuseBroken } from "../src/decoding/readOtherwise.ts"
import { isJsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { decodeCall } from "../src/pipelines/decode.ts"
import type { CallType } from "../src/pipelines/CallType.ts"
import { decodeAnonymousEvent, decodeEvent } from "../src/track-v1/events.ts"
import { decodeIdentify } from "../src/track-v1/people.ts"
import { decodeEntity } from "../src/track-v2/entity.ts"

import { receipt, requestContext, workspace } from "./requests.ts"

const read = (text: string) => Result.getOrThrow(readJson(text))

const v1 = (decode: (body: unknown) => Result.Result<Command, RejectOperation>) => (text: string) => {
  const body = read(text)
  return withSent(received, Result.merge(refuseBroken(received, decode(body), body)), body)
}

const received = receipt("track-v1")
const identify = v1((body) => decodeIdentify(received, "ada", body))
const event = v1((body) => decodeEvent(received, "ada", body))
const anonymous = v1((body) => decodeAnonymousEvent(received, body))
const v2 = (text: string) => Result.merge(decodeEntity(receipt("track-v2"), read(text)))
const pipelines = (type: CallType, text: string) => {
  const [command] = decodeCall(requestContext(), type, read(text)).commands
  assert.isDefined(command)
  return command
}

/** What a command says about values that were read otherwise: path, value as sent, as kept, and why. */
const otherwise = ({ keptAs = [] }: Command) =>
  keptAs.map(({ kept, path, sent, why }) => [path, sent, kept, why])

const faults = ({ faults }: Command) => faults.map(({ field, reason }) => `${field}: ${reason}`)

const dataOf = (command: Command) =>
  command._tag === "RecordEvent" && isJsonObject(command.data) ? command.data : null

const beside = (data: string) =>
  v2(
    `{"type":"person","action":"event","identifiers":{"id":"u"},"name":"e","attributes":{"a":1},"data":${data}}`,
  )

describe("contract §16 values read otherwise: what a decoder read differently than it was sent", () => {
  it("names an unsubscribed that is no boolean", () => {
    assert.deepStrictEqual(otherwise(identify('{"unsubscribed":"yes"}')), [
      ["unsubscribed", "yes", false, "not_boolean"],
    ])
    assert.deepStrictEqual(
      otherwise(
        v2('{"type":"person","action":"identify","identifiers":{"id":"u"},"attributes":{"unsubscribed":1}}'),
      ),
      [["attributes.unsubscribed", 1, true, "not_boolean"]],
    )
    assert.deepStrictEqual(
      otherwise(pipelines("identify", '{"userId":"u","traits":{"unsubscribed":null}}')),
      [["traits.unsubscribed", null, false, "not_boolean"]],
    )
    assert.deepStrictEqual(otherwise(identify('{"unsubscribed":false,"a":"yes"}')), [])
  })

  it("reads the texts true and false of topics, and keeps other texts, as faults", () => {
    const command = identify(
      '{"cio_subscription_preferences":{"topics":{"a":"false","b":true,"c":"maybe"}},"svc_subscription_preferences.topics.d":"1"}',
    )
    assert.deepStrictEqual(otherwise(command), [
      ["svc_subscription_preferences.topics.a", "false", false, "topic_text"],
      ["svc_subscription_preferences.topics.c", "maybe", "maybe", "unknown_topic_text"],
      ["svc_subscription_preferences.topics.d", "1", true, "topic_text"],
    ])
    assert.deepStrictEqual(faults(command), [
      "svc_subscription_preferences.topics.a: invalid",
      "svc_subscription_preferences.topics.c: invalid",
      "svc_subscription_preferences.topics.d: invalid",
    ])
    assert.deepStrictEqual(command._tag === "IdentifyPerson" && command.assignments, [
      {
        name: "svc_subscription_preferences",
        value: { topics: { a: false, b: true, c: "maybe" } },
      },
      { name: "svc_subscription_preferences.topics.d", value: true },
    ])
  })

  it("names integers that lost digits, unless they are times or were left out", () => {
    assert.deepStrictEqual(
      otherwise(identify('{"external":738529527931269425,"created_at":1643104800123456789}')),
      [["external", "738529527931269425", 738_529_527_931_269_400, "rounded"]],
    )
    assert.deepStrictEqual(otherwise(event('{"name":"e","data":{"ids":[9007199254740993]}}')), [
      ["data.ids.0", "9007199254740993", 9_007_199_254_740_992, "rounded"],
    ])
    assert.deepStrictEqual(
      otherwise(
        pipelines(
          "track",
          '{"userId":"u","event":"e","properties":{"n":9007199254740993},"other":{"n":9007199254740993}}',
        ),
      ),
      [["properties.n", "9007199254740993", 9_007_199_254_740_992, "rounded"]],
    )
  })

  it("replaces half a character in a value, which is a fault as well", () => {
    const command = identify(String.raw`{"city":"x\ud83d"}`)
    assert.deepStrictEqual(otherwise(command), [["city", String.raw`x\ud83d`, "x\uFFFD", "characters"]])
    assert.deepStrictEqual(
      command.faults.map(({ field, value }) => [field, value]),
      [["city", String.raw`x\ud83d`]],
    )
    assert.deepStrictEqual(command._tag === "IdentifyPerson" && command.assignments, [
      { name: "city", value: "x\uFFFD" },
    ])
  })

  it("contract §8 flat events: moves fields beside the data of a Track event into the data", () => {
    const command = event('{"name":"e","plan":"pro","id":"k","data":{"a":1,"b":2},"b":3}')
    assert.deepStrictEqual(dataOf(command), { a: 1, b: 2, plan: "pro" })
    assert.deepStrictEqual(otherwise(command), [
      ["plan", "pro", "pro", "flat_field"],
      ["b", 3, 2, "flat_field_repeated"],
    ])
    assert.deepStrictEqual(dataOf(anonymous('{"name":"e","n":1}')), { n: 1 })
    assert.deepStrictEqual(
      dataOf(v2('{"type":"person","action":"event","identifiers":{"id":"u"},"name":"e","plan":"pro"}')),
      { plan: "pro" },
    )
    assert.deepStrictEqual(dataOf(pipelines("track", '{"userId":"u","event":"e","plan":"pro"}')), {})
  })

  it("names data beside attributes, which it does not read", () => {
    assert.deepStrictEqual(otherwise(beside('{"b":2}')), [["data", { b: 2 }, null, "data_beside_attributes"]])
    assert.deepStrictEqual(otherwise(beside('{"a":1}')), [])
  })
})

describe("contract §6 half characters: an identifier with half a character is invalid", () => {
  it.each([
    [
      "an id in traits",
      () => pipelines("identify", String.raw`{"userId":"u","traits":{"id":"a\ud83d"}}`),
      "traits.id",
    ],
    ["a userId", () => pipelines("identify", String.raw`{"userId":"a\ud83d"}`), "userId"],
    [
      "an anonymousId",
      () => pipelines("track", String.raw`{"anonymousId":"a\ud83d","event":"e"}`),
      "anonymousId",
    ],
    [
      "a messageId",
      () => pipelines("track", String.raw`{"userId":"u","event":"e","messageId":"a\ud83d"}`),
      "messageId",
    ],
    ["an id in the body", () => identify(String.raw`{"id":"a\ud83d"}`), "id"],
    [
      "an identifier of v2",
      () => v2(String.raw`{"type":"person","action":"identify","identifiers":{"id":"a\ud83d"}}`),
      "identifiers.id",
    ],
    [
      "a secondary of a merge",
      () =>
        v2(String.raw`{"type":"person","action":"merge","primary":{"id":"a"},"secondary":{"id":"b\ud83d"}}`),
      "secondary.id",
    ],
  ])("refuses %s", (_, decode, field) => {
    const command = decode()
    assert.strictEqual(command._tag, "RejectOperation")
    assert.deepStrictEqual(faults(command), [`${field}: invalid`])
  })

  it("accepts U+FFFD that the client sent itself, and half a character in the data of an event", () => {
    assert.strictEqual(pipelines("identify", '{"userId":"a\uFFFD"}')._tag, "IdentifyPerson")
    assert.strictEqual(event(String.raw`{"name":"e","data":{"id":"a\ud83d"}}`)._tag, "RecordEvent")
  })
})

describe("contract §6 placeholders: identifiers that were not set", () => {
  const strict = { ...workspace, placeholderIds: "reject" } as const

  it.each(["undefined", "NULL", "0", "-1", "[object Object]", "Guest"])(
    "refuses %s if the workspace does",
    (id) => {
      const item = { type: "person", action: "identify", identifiers: { id } }
      assert.strictEqual(Result.merge(decodeEntity(receipt("track-v2"), item))._tag, "IdentifyPerson")
      const refused = Result.merge(decodeEntity(receipt("track-v2", strict), item))
      assert.strictEqual(refused._tag, "RejectOperation")
      assert.deepStrictEqual(faults(refused), ["id: invalid"])
    },
  )

  it("accepts other ids, and the deletion of a placeholder", () => {
    for (const item of [
      { type: "person", action: "identify", identifiers: { id: "undefined-7" } },
      { type: "person", action: "delete", identifiers: { id: "undefined" } },
    ]) {
      assert.isTrue(Result.isSuccess(decodeEntity(receipt("track-v2", strict), item)))
    }
  })
})
