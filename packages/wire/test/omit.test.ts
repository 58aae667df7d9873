import { assert, describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Result, Schema } from "effect"
import { readJson } from "../src/decoding/readJson.ts"
import { reject } from "../src/decoding/reject.ts"
import { withUnreadable } from "../src/decoding/sentCall.ts"
import { describeUnreadable } from "../src/decoding/unreadableBody.ts"
import { isCallType, type CallType } from "../src/pipelines/CallType.ts"
import * as pipelines from "../src/pipelines/decode.ts"
import { decodeTrackV1 } from "../src/track-v1/decodeTrackV1.ts"
import { decodeAddDevice } from "../src/track-v1/devices.ts"
import { decodeEvent } from "../src/track-v1/events.ts"
import { decodeForm } from "../src/track-v1/forms.ts"
import { decodeIdentify } from "../src/track-v1/people.ts"
import { decodeBatch } from "../src/track-v2/batch.ts"
import { decodeEntity } from "../src/track-v2/entity.ts"
import { importedRows } from "./csv.ts"
import { receipt, requestContext, workspace } from "./requests.ts"

const secret = "4111-secret"

const omitting = (...omit: Workspace["omit"]): Workspace => ({ ...workspace, omit })

const pipelinesCall = (over: Workspace, type: CallType, body: JsonObject, strict = false): Command => {
  const [command] = pipelines.decodeCall(requestContext({ open: () => over, strict }), type, body).commands
  assert.isDefined(command)
  return command
}

const v1 = {
  identify: (over: Workspace, body: Json) =>
    Result.merge(
      decodeTrackV1(receipt("track-v1", over), "identify", body, (rest) =>
        decodeIdentify(receipt("track-v1", over), "ada", rest),
      ),
    ),
  event: (over: Workspace, body: Json) =>
    Result.merge(
      decodeTrackV1(receipt("track-v1", over), "event", body, (rest) =>
        decodeEvent(receipt("track-v1", over), "ada", rest),
      ),
    ),
  device: (over: Workspace, body: Json) =>
    Result.merge(
      decodeTrackV1(receipt("track-v1", over), "add_device", body, (rest) =>
        decodeAddDevice(receipt("track-v1", over), "ada", rest),
      ),
    ),
  form: (over: Workspace, data: Json) =>
    Result.merge(
      decodeTrackV1(receipt("track-v1", over), "form_submission", { data }, (rest) =>
        decodeForm(receipt("track-v1", over), "f", rest),
      ),
    ),
}

const v2 = (over: Workspace, item: Json) => Result.merge(decodeEntity(receipt("track-v2", over), item))

/** Checks that nothing of the secret is left, that the command says so, and that the rest is there. */
const assertOmitted = (command: Command | undefined, ...paths: ReadonlyArray<string>) => {
  const text = JSON.stringify(command)
  assert.notInclude(text, secret)
  assert.include(text, "stays")
  assert.deepStrictEqual(command?.provenance?.omitted, paths)
}

const card = { card: secret, other: "stays" }

describe("contract §13 omit: what a workspace takes out of calls", () => {
  it("takes properties out of events of every API", () => {
    const over = omitting("properties.card")
    assertOmitted(
      pipelinesCall(over, "track", { userId: "ada", event: "e", properties: card }),
      "properties.card",
    )
    assertOmitted(v1.event(over, { name: "e", data: card }), "properties.card")
    assertOmitted(v1.event(over, { name: "e", ...card }), "properties.card")
    const event = { type: "person", action: "event", identifiers: { id: "ada" }, name: "e" }
    assertOmitted(v2(over, { ...event, attributes: card }), "properties.card")
    assertOmitted(v2(over, { ...event, data: card }), "properties.card")
    assertOmitted(v2(over, { ...event, ...card }), "properties.card")
    assertOmitted(v1.form(over, { email: "ada@example.com", ...card }), "properties.card")
    assertOmitted(
      importedRows("events", `_cio_name,_cio_customer_id,card,other\ne,ada,${secret},stays\n`, over)[0],
      "properties.card",
    )
  })

  it("takes traits out of everything that has attributes", () => {
    const over = omitting("traits.card")
    assertOmitted(pipelinesCall(over, "identify", { userId: "ada", traits: card }), "traits.card")
    assertOmitted(
      pipelinesCall(over, "identify", { userId: "ada", context: { traits: card } }),
      "traits.card",
    )
    const group = { userId: "ada", groupId: "g", traits: { ...card, relationship_traits: card } }
    assertOmitted(pipelinesCall(over, "group", group), "traits.card")
    assertOmitted(v1.identify(over, card), "traits.card")
    assertOmitted(
      v1.device(over, { device: { id: "t", platform: "ios", ...card, attributes: card } }),
      "traits.card",
    )
    const related = [{ identifiers: { object_type_id: "1", object_id: "a" }, relationship_attributes: card }]
    const change = { action: "add_relationships", relationships: related }
    assertOmitted(v1.identify(over, { cio_relationships: change }), "traits.card")
    const person = { type: "person", identifiers: { id: "ada" } }
    assertOmitted(v2(over, { ...person, action: "identify", attributes: card }), "traits.card")
    assertOmitted(
      v2(over, { ...person, action: "add_relationships", cio_relationships: related }),
      "traits.card",
    )
    assertOmitted(v2(over, { ...person, action: "event", name: "e", attributes: card }), "traits.card")
    assertOmitted(v1.form(over, { email: "ada@example.com", ...card }), "traits.card")
    assertOmitted(importedRows("people", `id,card,other\nada,${secret},stays\n`, over)[0], "traits.card")
  })

  it("takes keys out of the context, also of a batch", () => {
    const over = omitting("context.page.search", "context.own\\.key")
    const context = { page: { search: secret, path: "stays" }, "own.key": secret }
    const call = { type: "track", userId: "ada", event: "e" }
    assertOmitted(pipelinesCall(over, "track", { ...call, context }), "page.search", "own\\.key")
    const decoded = pipelines.decodeBatch(requestContext({ open: () => over }), { batch: [call], context })
    assertOmitted(decoded.commands[0], "page.search", "own\\.key")
  })

  it("goes through lists, and tells dots inside keys and case apart", () => {
    const over = omitting("properties.items.price", "properties.a\\.b", "properties.Card", "properties.c\\\\")
    const properties = {
      items: [{ price: secret, sku: "stays" }, "price", [{ price: secret }]],
      "a.b": secret,
      a: { b: "stays" },
      card: "stays",
      price: "stays",
      "c\\": secret,
    }
    const command = pipelinesCall(over, "track", { userId: "ada", event: "e", properties })
    assertOmitted(command, "properties.items.price", "properties.a\\.b", "properties.c\\\\")
    assert.deepInclude(command, {
      data: { items: [{ sku: "stays" }, "price", [{}]], a: { b: "stays" }, card: "stays", price: "stays" },
    })
  })

  it("takes out keys that objects inherit only where they are sent", () => {
    const over = omitting("properties.__proto__", "properties.toString", "traits.constructor")
    const read = (text: string) => {
      const body = Result.getOrThrow(readJson(text))
      return isJsonObject(body) ? pipelinesCall(over, "track", body) : undefined
    }
    assertOmitted(
      read(`{"userId":"ada","event":"stays","properties":{"__proto__":{"a":"${secret}"}}}`),
      "properties.__proto__",
    )
    assert.isUndefined(read(`{"userId":"ada","event":"stays","properties":{"a":1}}`)?.provenance)
  })

  it("leaves calls as they are that have nothing to omit", () => {
    const over = omitting("properties.card", "context.page.search", "traits.ssn")
    const body = { userId: "ada", event: "e", properties: { other: 1 }, context: { page: { path: "/" } } }
    const command = pipelinesCall(over, "track", body)
    assert.deepStrictEqual(command.provenance, { context: { page: { path: "/" } } })
    assert.isUndefined(v1.identify(over, { plan: "pro" }).provenance)
  })

  it("takes out preferences in every spelling", () => {
    const over = omitting("traits.svc_subscription_preferences.topics.a")
    const dotted = { "cio_subscription_preferences.topics.a": secret, other: "stays" }
    assertOmitted(v1.identify(over, dotted), "traits.svc_subscription_preferences.topics.a")
    const nested = { cio_subscription_preferences: { topics: { a: secret } }, other: "stays" }
    assertOmitted(v1.identify(over, nested), "traits.svc_subscription_preferences.topics.a")
    assertOmitted(
      v1.identify(omitting("traits.cio_subscription_preferences"), dotted),
      "traits.cio_subscription_preferences",
    )
  })

  it("takes the paths out of what is kept of rejected calls", () => {
    const over = omitting("properties.card", "traits.card", "context.card")
    const anywhere = { properties: card, traits: card, context: card }
    for (const strict of [false, true]) {
      const command = pipelinesCall(over, "track", { userId: "ada", event: 5, ...anywhere }, strict)
      assert.strictEqual(command._tag, "RejectOperation")
      assertOmitted(command, "card", "properties.card", "traits.card")
    }
    assertOmitted(v1.event(over, { data: card }), "properties.card")
    assertOmitted(v1.event(over, { name: 5, ...card }), "properties.card")
    assertOmitted(v2(over, { type: "person", action: "event", attributes: card }), "properties.card")
    assertOmitted(v2(over, { type: "nobody", attributes: card, data: card }), "properties.card")
    const unlisted = Result.merge(
      decodeBatch(receipt("track-v2", over), { ...anywhere, attributes: card }, 10),
    )
    assert.isTrue("_tag" in unlisted)
    if ("_tag" in unlisted) assertOmitted(unlisted, "card", "properties.card", "traits.card")
  })

  it("takes them out of the other calls of a strict batch that is stopped", () => {
    const over = omitting("properties.card")
    const good = { type: "track", userId: "ada", event: "e", properties: card }
    const { commands } = pipelines.decodeBatch(requestContext({ open: () => over, strict: true }), {
      batch: [good, { type: "track" }],
    })
    assertOmitted(commands[0], "properties.card")
  })

  it("keeps no text of a body that is no JSON, only why and where", () => {
    const bytes = new TextEncoder().encode(`{"userId":"ada","properties":{"card":"${secret}",}}`)
    const read = (over: Workspace) => {
      const unreadable = describeUnreadable(bytes)
      const received = receipt("pipelines", over)
      return withUnreadable(received, reject(received, "event", [unreadable.fault]), unreadable)
    }
    assert.include(JSON.stringify(read(workspace)), secret)
    const command = read(omitting("traits.anything"))
    assert.notInclude(JSON.stringify(command), secret)
    assert.deepInclude(command.sent, { identifiers: [] })
    assert.deepInclude(command.sent?.call, { data: null, cutFrom: null })
    assert.deepStrictEqual(command.faults[0]?.values, { offset: 51, found: "the character }" })
  })

  it("cuts the query of URLs, and only tokens, wherever pages have URLs", () => {
    const url = `https://ada:${secret}@example.com/stays?q=1&access_token=${secret}&X-Amz-Signature=${secret}#id_token=${secret}`
    const page = { url, search: `?a=1&code=${secret}`, referrer: "https://example.com/", title: "stays" }
    const call = { userId: "ada", context: { page }, properties: { url, path: "/stays" }, name: url }
    const told = ["name", "page.url", "page.search", "properties.url"]
    const whole = pipelinesCall(omitting("url-query"), "page", call)
    assertOmitted(whole, ...told)
    const cut = "https://example.com/stays"
    assert.deepInclude(whole, { name: cut, data: { url: cut, path: "/stays" } })
    const tokens = pipelinesCall(omitting("url-tokens"), "page", call)
    assertOmitted(tokens, ...told)
    assert.deepInclude(tokens, { name: `${cut}?q=1`, data: { url: `${cut}?q=1`, path: "/stays" } })
    assert.deepInclude(tokens.provenance?.context?.["page"], { search: "?a=1" })
    assertOmitted(v1.event(omitting("url-query"), { type: "page", name: `${cut}?t=${secret}` }), "name")
    assertOmitted(v1.event(omitting("url-tokens"), { name: "e", data: { url } }), "properties.url")
  })

  it.each([
    ["https://a.io/p?q=1#/x?t=1", "https://a.io/p#/x", "https://a.io/p?q=1#/x?t=1"],
    ["https://a.io/p#access_token=x&a=1", "https://a.io/p", "https://a.io/p#a=1"],
    ["https://a.io/p#/x?token=x&a=1", "https://a.io/p#/x", "https://a.io/p#/x?a=1"],
    ["https://a.io/p?PHPSESSID=x", "https://a.io/p", "https://a.io/p"],
    ["https://a.io/p?x=eyJhbGciOi.eyJzdWIi.c2ln", "https://a.io/p", "https://a.io/p"],
    ["https://a.io/p?%61pi_key=x&tokens=5", "https://a.io/p", "https://a.io/p?tokens=5"],
    ["?q=a@b.io", "", "?q=a@b.io"],
    ["/p", "/p", "/p"],
    ["", "", ""],
  ])("cuts %s", (url, query, tokens) => {
    const cut = (preset: "url-query" | "url-tokens") => {
      const call = { userId: "ada", context: { page: { url } } }
      return pipelinesCall(omitting(preset), "track", { ...call, event: "e" }).provenance?.context?.["page"]
    }
    assert.deepStrictEqual([cut("url-query"), cut("url-tokens")], [{ url: query }, { url: tokens }])
  })

  it("goes on naming what parsing changed in what is left", () => {
    const text = `{"userId":"ada","event":"e","properties":{"card":9007199254740993,"n":9007199254740995,"l":[{"card":1,"n":9007199254740997}]}}`
    const body = Result.getOrThrow(readJson(text))
    assert.isTrue(isJsonObject(body))
    if (!isJsonObject(body)) return
    const command = pipelinesCall(omitting("properties.card", "properties.l.card"), "track", body)
    assert.deepStrictEqual(
      command.keptAs?.map(({ path }) => path),
      ["properties.n", "properties.l.0.n"],
    )
  })
})

/** The naive model: a clone from which a path is deleted. */
const naiveWithout = (value: Json, [key = "", ...below]: ReadonlyArray<string>): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => naiveWithout(item, [key, ...below]))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): ReadonlyArray<readonly [string, Json]> => {
      if (name !== key) return [[name, inner]]
      return below.length === 0 ? [] : [[name, naiveWithout(inner, below)]]
    }),
  )
}

const places = {
  pipelines: [
    ["context", ["context"]],
    ["traits", ["context", "traits"]],
    ["traits", ["traits"]],
    ["traits", ["traits", "relationship_traits"]],
    ["properties", ["properties"]],
  ],
  entity: [
    ["traits", ["attributes"]],
    ["traits", ["device", "attributes"]],
    ["traits", ["cio_relationships", "relationship_attributes"]],
  ],
  event: [
    ["traits", ["attributes"]],
    ["properties", ["attributes"]],
    ["properties", ["data"]],
  ],
} as const

interface ModelPath {
  readonly root: "context" | "properties" | "traits"
  readonly keys: ReadonlyArray<string>
}

const naiveCall = (body: Json, paths: ReadonlyArray<ModelPath>, at: keyof typeof places): Json =>
  paths.reduce(
    (rest, { keys, root }) =>
      places[at].reduce(
        (one: Json, [of, place]) => (of === root ? naiveWithout(one, [...place, ...keys]) : one),
        rest,
      ),
    body,
  )

const keys = ["a", "b", "A", "a.b", "c\\", "traits", "page"] as const
const Leaf = Schema.Union([Schema.Literals([secret, 1, "x"]), Schema.Null, Schema.Boolean])
const levelOf = (inner: Schema.Codec<Json>) => {
  const one = Schema.Union([Leaf, inner])
  const value = Schema.optionalKey(Schema.Union([Leaf, inner, Schema.Array(one)]))
  return Schema.Struct({
    a: value,
    b: value,
    A: value,
    "a.b": value,
    "c\\": value,
    traits: value,
    page: value,
  })
}
const Tree = levelOf(levelOf(levelOf(Leaf)))
const Path = Schema.Struct({
  root: Schema.Literals(["context", "properties", "traits"]),
  keys: Schema.Array(Schema.Literals(keys)).check(Schema.isMinLength(1), Schema.isMaxLength(3)),
})
const Paths = Schema.Array(Path).check(Schema.isMinLength(1), Schema.isMaxLength(5))

const written = ({ keys, root }: ModelPath): string =>
  [root, ...keys.map((key) => key.replaceAll(/[.\\]/g, "\\$&"))].join(".")

/** Compares what a workspace that omits paths makes of a call with what any other makes of the call without them. */
const assertSame = (
  body: JsonObject,
  paths: ReadonlyArray<ModelPath>,
  at: keyof typeof places,
  decode: (over: Workspace, body: JsonObject) => Command,
) => {
  const before = structuredClone(body)
  const { provenance, workspace: _1, ...command } = decode(omitting(...paths.map(written)), body)
  const rest = naiveCall(body, paths, at)
  assert.isTrue(isJsonObject(rest))
  if (!isJsonObject(rest)) return
  const { provenance: expected, workspace: _2, ...model } = decode(workspace, rest)
  assert.deepStrictEqual<unknown>(command, model)
  const { omitted = [], ...came } = provenance ?? {}
  assert.deepStrictEqual(came, expected ?? {})
  assert.strictEqual(omitted.length > 0, JSON.stringify(rest) !== JSON.stringify(body))
  assert.deepStrictEqual(body, before)
}

describe("contract §13 omit: any call and any paths", () => {
  it.prop(
    "Pipelines calls are decoded as if their sender had left the paths out",
    {
      type: Schema.Literals(["identify", "track", "page", "screen", "group", "alias"]),
      body: Schema.Struct({
        userId: Schema.optionalKey(Schema.Literals(["ada", ""])),
        event: Schema.Literals(["e", 5]),
        groupId: Schema.Literals(["g"]),
        previousId: Schema.Literals(["p"]),
        context: Schema.optionalKey(Tree),
        traits: Schema.optionalKey(Tree),
        properties: Schema.optionalKey(Tree),
      }),
      paths: Paths,
    },
    ({ body, paths, type }) => {
      assert.isTrue(isCallType(type))
      assertSame(body, paths, "pipelines", (over, call) => pipelinesCall(over, type, call))
    },
  )

  it.prop(
    "entities of the Track API are decoded as if their sender had left the paths out",
    {
      type: Schema.Literals(["person", "object"]),
      action: Schema.Literals(["identify", "add_relationships", "add_device", "merge"]),
      body: Schema.Struct({
        identifiers: Schema.optionalKey(
          Schema.Struct({
            id: Schema.Literal("ada"),
            object_id: Schema.Literal("a"),
            object_type_id: Schema.Literal("1"),
          }),
        ),
        attributes: Schema.optionalKey(Tree),
        device: Schema.optionalKey(Schema.Struct({ token: Leaf, platform: Leaf, attributes: Tree })),
        cio_relationships: Schema.optionalKey(Schema.Array(Schema.Struct({ relationship_attributes: Tree }))),
      }),
      paths: Paths,
    },
    ({ action, body, paths, type }) => assertSame({ type, action, ...body }, paths, "entity", v2),
  )

  it.prop(
    "events of the Track API are decoded as if their sender had left the paths out",
    {
      action: Schema.Literals(["event", "page", "screen"]),
      body: Schema.Struct({
        name: Schema.optionalKey(Schema.Literals(["e", ""])),
        identifiers: Schema.optionalKey(Schema.Struct({ id: Schema.Literals(["ada"]) })),
        attributes: Schema.optionalKey(Tree),
        data: Schema.optionalKey(Tree),
      }),
      paths: Paths,
    },
    ({ action, body, paths }) => assertSame({ type: "person", action, ...body }, paths, "event", v2),
  )
})
