import { Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { send, type Answer } from "../../src/http.ts"
import { Launched } from "../../src/Launched.ts"

const Printed = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    writeKey: Schema.String,
    managementToken: Schema.String,
    controlUrl: Schema.String,
  }),
)

let printed: typeof Printed.Type

beforeAll(async () => {
  const command = new Launched(new CommandLine({}).start(["emulate"]))
  const line = await eventually("the emulator prints its address", () => command.lines()[0])
  printed = Schema.decodeUnknownSync(Printed)(line)
})

/** Sends a request to the control server of the emulator. */
const control = (method: string, path: string, body?: unknown, token = printed.managementToken) => {
  const { origin, pathname } = new URL(printed.controlUrl)
  return send(origin, {
    method,
    path: pathname + path,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const identify = (userId: string, traits: object): Promise<Answer> =>
  send(printed.url, {
    method: "POST",
    path: "/v1/identify",
    headers: {
      "content-type": "application/json",
      authorization: `Basic ${btoa(`${printed.writeKey}:`)}`,
    },
    body: JSON.stringify({ userId, traits }),
  })

const Clock = Schema.Struct({ now: Schema.DateFromString })
const readClock = ({ json }: Answer) => Schema.decodeUnknownSync(Clock)(json).now.getTime()

describe("the control server of inlet emulate", () => {
  it("a restored snapshot brings back a person, and a reset of the emulator removes this person", async () => {
    await identify("ada", { plan: "pro" })
    const made = await control("POST", "/snapshots")
    expect(made).toMatchObject({ status: 201, json: { snapshot_id: "s1" } })
    expect(await control("POST", "/reset")).toMatchObject({ status: 204 })
    expect(await control("POST", "/expectations", { no_person: { id: "ada" } })).toMatchObject({
      status: 204,
    })
    expect(await control("POST", "/snapshots/s1/restore")).toMatchObject({ status: 204 })
    const pattern = { attributes: { plan: "pro" } }
    expect(await control("POST", "/expectations", { person: { id: "ada" }, pattern })).toMatchObject({
      status: 200,
      json: { id: "ada", attributes: { plan: "pro" } },
    })
  })

  it("the emulator moves its clock forward by the given milliseconds", async () => {
    const before = readClock(await control("GET", "/clock"))
    const after = readClock(await control("POST", "/clock", { advance_ms: 3_600_000 }))
    expect(after).toBeGreaterThanOrEqual(before + 3_600_000)
  })

  it("a fault that is set in the emulator for one operation affects only the next request of this operation", async () => {
    const fault = { operation: "identify", status: 503, retry_after_seconds: 1 }
    expect(await control("POST", "/faults", fault)).toMatchObject({ status: 204 })
    expect(await identify("bob", {})).toMatchObject({ status: 503 })
    expect(await identify("bob", {})).toMatchObject({ status: 200 })
  })

  it("an expectation that is not met answers 422 with the differences and the newest calls", async () => {
    await identify("eve", { plan: "free" })
    const expectation = { person: { id: "eve" }, pattern: { attributes: { plan: "pro" } }, timeout_ms: 0 }
    const answer = await control("POST", "/expectations", expectation)
    expect(answer).toMatchObject({
      status: 422,
      json: { detail: expect.stringContaining('attributes.plan: expected "pro", got "free"') },
    })
  })

  it("if the emulator is reset during an expectation, the answer to the expectation is a 409", async () => {
    const expecting = control("POST", "/expectations", { person: { id: "zoe" }, timeout_ms: 60_000 })
    // When the control server answers this second request, it is already waiting for the first expectation.
    await control("POST", "/expectations", { person: { id: "zoe" }, timeout_ms: 0 })
    await control("POST", "/reset")
    expect(await expecting).toMatchObject({
      status: 409,
      json: {
        detail: "the emulator was reset or restored during an expectation: await the expectation first",
      },
    })
  })

  it("each of several bodies that are too large is answered with 400", async () => {
    for (let request = 0; request < 5; request++) {
      expect(await control("POST", "/clock", { note: "x".repeat(3_000_000) })).toMatchObject({
        status: 400,
        json: { detail: "the body must have at most 1000000 bytes" },
      })
    }
  })

  it.each([
    ["POST", "/faults", { operation: "purchase" }, 400],
    ["POST", "/faults", { latency: 5 }, 400],
    ["POST", "/clock", undefined, 400],
    ["POST", "/snapshots/s99/restore", undefined, 404],
    ["GET", "/nothing", undefined, 404],
  ])("the invalid request %s %s %j is answered with %d", async (method, path, body, status) => {
    expect(await control(method, path, body)).toMatchObject({ status, json: { status } })
  })

  it("the control server of the emulator refuses a request without the management token", async () => {
    expect(await control("POST", "/reset", undefined, "wrong")).toMatchObject({ status: 401 })
  })
})
