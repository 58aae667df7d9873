import type { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Placeholders, replay, requests, type Request } from "../../src/pipelinesReplay.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

type JsonObject = { readonly [key: string]: Schema.Json }

const isObject = (value: Schema.Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objectAt = (value: Schema.Json | undefined, key: string): JsonObject => {
  const inner = isObject(value) ? value[key] : undefined
  return isObject(inner) ? inner : {}
}

/** Returns the calls of a request as sent, with the defaults of their batch. */
const callsOf = (
  body: Schema.Json,
): ReadonlyArray<{ readonly context: JsonObject; readonly integrations: JsonObject }> => {
  const batch = isObject(body) ? body["batch"] : undefined
  const items = Array.isArray(batch) ? batch : [body]
  return items.map((item: Schema.Json) => {
    const integrations = isObject(item) && isObject(item["integrations"]) ? item : body
    return {
      context: { ...objectAt(body, "context"), ...objectAt(item, "context") },
      integrations: objectAt(integrations, "integrations"),
    }
  })
}

/** The address of a request that comes from a browser or an app, which the context has if the client names none. */
const addressOf = ({ headers }: Request): JsonObject => {
  const isClientSide =
    headers["origin"] !== undefined || /^analytics-(ios|kotlin)/.test(headers["user-agent"] ?? "")
  return isClientSide ? { ip: "127.0.0.1" } : {}
}

const orMissing = (object: JsonObject) => (Object.keys(object).length === 0 ? undefined : object)

/** Requests of which each call is stored for a person or a visitor, so that nothing of it may be missing. */
const isKept = ({ body, name, status }: Request): boolean =>
  status === 200 &&
  body !== undefined &&
  isObject(body) &&
  callsOf(body).some(({ context }) => orMissing(context) !== undefined) &&
  !/metric|[Dd]elete|[Ss]uppress|groupId null/.test(name)

describe("contract §13 context: recorded requests of public clients", () => {
  const kept = requests.filter(isKept)
  it("have contexts of browsers, servers and apps", () => {
    for (const client of ["cdp-analytics-js", "node", "swift", "kotlin"])
      expect(kept.filter(({ name }) => name.includes(client)).length, client).toBeGreaterThan(0)
  })

  for (const request of kept) {
    it.concurrent(`the entries keep where the calls of “${request.name}” came from`, async () => {
      const source = await PipelinesSource.create({ ip: "keep" })
      const placeholders = new Placeholders(source)
      const calls = callsOf(placeholders.json(request.body ?? null))
      await replay(source, placeholders, request)
      const entries = (await source.log()).slice(-calls.length)
      expect(entries.map(({ context, integrations }) => ({ context, integrations }))).toEqual(
        calls.map(({ context, integrations }) => ({
          context: orMissing({ ...addressOf(request), ...context }),
          integrations: orMissing(integrations),
        })),
      )
    })
  }
})
