import { Schema } from "effect"
import { describe, expectTypeOf, it } from "vitest"
import { Inlet, type Outcome, type OutcomeStatus, type Sending, type StandardSchema } from "@inlethq/sdk"

const options = { url: "http://127.0.0.1:8080", writeKey: "key" }

interface Events {
  signed_up: { readonly plan: "free" | "pro"; readonly seats?: number }
  searched: { readonly query?: string }
  logged_out: undefined
}

/** Type-checks calls without running them. */
const compile = (_calls: () => void): void => {}

describe("types of events", () => {
  it("a client that is not typed with its own events accepts any event", () => {
    const inlet = new Inlet(options)
    compile(() => {
      inlet.track({ userId: "ada", event: "anything" })
      inlet.track({
        anonymousId: "visitor",
        event: "anything",
        properties: { at: new Date(), nested: { n: 1 } },
      })
      // @ts-expect-error A person or a visitor is required.
      inlet.track({ event: "anything" })
      // @ts-expect-error Properties are an object.
      inlet.track({ userId: "ada", event: "anything", properties: 5 })
    })
    expectTypeOf(inlet.track({ userId: "ada", event: "e" })).toEqualTypeOf<Sending>()
  })

  it("a type map restricts the names and properties of events", () => {
    const inlet = new Inlet<Events>(options)
    compile(() => {
      inlet.track({ userId: "ada", event: "signed_up", properties: { plan: "pro", seats: 3 } })
      inlet.track({ userId: "ada", event: "searched" })
      inlet.track({ userId: "ada", event: "searched", properties: { query: "shoes" } })
      inlet.track({ userId: "ada", event: "logged_out" })
      // @ts-expect-error The name of the event is unknown.
      inlet.track({ userId: "ada", event: "signed_in" })
      // @ts-expect-error The properties are required.
      inlet.track({ userId: "ada", event: "signed_up" })
      // @ts-expect-error The plan is unknown.
      inlet.track({ userId: "ada", event: "signed_up", properties: { plan: "gold" } })
      // @ts-expect-error The event has no properties.
      inlet.track({ userId: "ada", event: "logged_out", properties: { reason: "timeout" } })
    })
  })

  it("the schemas of events restrict the properties in calls to the input types of the schemas", () => {
    const count: StandardSchema<{ readonly n: number }> = {
      "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) },
    }
    const inlet = new Inlet({
      ...options,
      events: {
        counted: count,
        signed_up: Schema.toStandardSchemaV1(Schema.Struct({ plan: Schema.Literals(["free", "pro"]) })),
      },
    })
    compile(() => {
      inlet.track({ userId: "ada", event: "counted", properties: { n: 1 } })
      inlet.track({ userId: "ada", event: "signed_up", properties: { plan: "pro" } })
      // @ts-expect-error The name of the event is unknown.
      inlet.track({ userId: "ada", event: "signed_in" })
      // @ts-expect-error The plan is unknown.
      inlet.track({ userId: "ada", event: "signed_up", properties: { plan: "gold" } })
      // @ts-expect-error The number is missing.
      inlet.track({ userId: "ada", event: "counted", properties: {} })
    })
  })
})

describe("types of results", () => {
  it("awaiting a call returns nothing, and the call's outcome has a status", () => {
    expectTypeOf<Awaited<Sending>>().toEqualTypeOf<void>()
    expectTypeOf<Sending["outcome"]>().returns.resolves.toEqualTypeOf<Outcome>()
    expectTypeOf<Outcome["status"]>().toEqualTypeOf<OutcomeStatus>()
  })
})
