import { Inlet, make } from "@inlethq/sdk/effect"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { FaultyProxy } from "../../src/FaultyProxy.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

const run = <A, E>(program: Effect.Effect<A, E, Inlet>, url: string, writeKey: string) =>
  Effect.runPromise(Effect.provide(program, Inlet.layer({ url, writeKey, onWarning: () => {} })))

describe("the SDK for effects", () => {
  it("a call of the Effect client is sent when its effect runs, and its outcome names the rule", async () => {
    const source = await PipelinesSource.create()
    const program = Effect.gen(function* () {
      const inlet = yield* Inlet
      const identify = inlet.identify({ userId: "ada", traits: { plan: "pro" } })
      const sent = [yield* identify, yield* identify]
      yield* inlet.flush
      return yield* Effect.forEach(sent, ({ outcome }) => outcome)
    })
    const outcomes = await run(program, source.inlet.url, source.writeKey)
    expect(outcomes).toMatchObject([
      { status: "created", rule: "track-api §2.1 rule 1", attempts: 1 },
      { status: "applied", rule: "track-api §2.1 rule 2", attempts: 1 },
    ])
    expect(await source.log()).toHaveLength(2)
  })

  it("closing the scope delivers the queued calls, even if they need retries", async () => {
    const source = await PipelinesSource.create()
    const proxy = await FaultyProxy.start(source.inlet, { _tag: "DropAnswer" }, { _tag: "Refuse" })
    const program = Effect.flatMap(Inlet, (inlet) => inlet.track({ userId: "ada", event: "signed_up" }))
    const { messageId } = await run(program, proxy.url, source.writeKey)
    expect(await source.log()).toMatchObject([
      { id: messageId, name: "signed_up", outcome: "pending" },
      { outcome: "duplicate" },
    ])
  })

  it("an event that does not fit its schema is rejected", async () => {
    const source = await PipelinesSource.create()
    const events = { counted: Schema.toStandardSchemaV1(Schema.Struct({ n: Schema.Finite })) }
    const program = Effect.gen(function* () {
      const inlet = yield* make({
        url: source.inlet.url,
        writeKey: source.writeKey,
        events,
        onWarning: () => {},
      })
      const { outcome } = yield* inlet.track({
        userId: "ada",
        event: "counted",
        properties: { n: Number.NaN },
      })
      return yield* outcome
    })
    const outcome = await Effect.runPromise(Effect.scoped(program))
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.stringContaining("properties.n: ") })
    expect(await source.log()).toEqual([])
  })

  it("the Effect client fails with the reason if its options are invalid", async () => {
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(make({ url: "inlet", writeKey: "key" }))))
    expect(error).toMatchObject({
      _tag: "InvalidOptions",
      message: expect.stringContaining("url must be an http"),
    })
  })
})
