import { Inlet } from "@inlethq/sdk"
import { createInlet } from "@inlethq/testing"
import { TrackClient } from "customerio-node"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { within } from "../../src/eventually.ts"
import { launchAs } from "../../src/Launched.ts"

const emulator = await createInlet({
  seed: [
    { type: "identify", userId: "ada", traits: { plan: "free" } },
    { type: "track", userId: "ada", event: "Signed Up" },
  ],
})
afterAll(() => emulator.close())
beforeEach(() => emulator.reset())

const hourMs = 3_600_000

const client = () => new Inlet({ url: emulator.url, writeKey: emulator.writeKey, onWarning: () => {} })

describe("the emulator", () => {
  it("an emulator receives and applies calls of the SDK", async () => {
    await using inlet = client()
    void inlet.track({ userId: "ada", event: "Paid", properties: { total: 5 } })
    const paid = await emulator.waitFor(async () => (await emulator.activity({ name: "Paid" }))[0])
    expect(paid).toMatchObject({ kind: "event", outcome: "applied", data: { total: 5 } })
  })

  it("an emulator receives and applies calls of customerio-node", async () => {
    const { apiKey, siteId, url } = emulator
    await new TrackClient(siteId, apiKey, { url: `${url}/api/v1` }).identify("bob", { plan: "pro" })
    expect(await emulator.people({ id: "bob" })).toMatchObject([{ id: "bob", attributes: { plan: "pro" } }])
  })

  it("a reset of the emulator removes all data except the seed, and keeps the address and the keys", async () => {
    const { apiKey, siteId, url, writeKey } = emulator
    await using inlet = client()
    await inlet.identify({ userId: "bob" }).outcome()
    emulator.fail({ status: 500 })
    await emulator.reset()
    expect(emulator).toMatchObject({ apiKey, siteId, url, writeKey })
    expect((await emulator.people()).map(({ id }) => id)).toEqual(["ada"])
    expect((await emulator.activity()).map(({ kind }) => kind)).toEqual(["identify", "event"])
    expect(await inlet.track({ userId: "ada", event: "e" }).outcome()).toMatchObject({ attempts: 1 })
  })

  it("createInlet rejects if a call of its seed is invalid, and stops its server", async () => {
    const free = await createInlet()
    await free.close()
    const port = Number(new URL(free.url).port)
    const starting = createInlet({ port, seed: [{ type: "track", userId: "ada" }] })
    await expect(starting).rejects.toThrow(
      "call 1 of the seed is rejected: event: event name must not be blank",
    )
    await expect(fetch(free.url)).rejects.toThrow("fetch failed")
  })

  it("a reset of the emulator ends a running expectation with an error that names the reset", async () => {
    const failing = expect(emulator.expectPerson({ id: "bob" }, {}, 60_000)).rejects.toThrow(
      "the emulator was reset or restored during an expectation: await the expectation first",
    )
    await emulator.reset()
    await failing
  })

  it("contract §7 trigger window: an event that is 72 hours old can no longer trigger messages", async () => {
    await using inlet = client()
    const eligible = async (anonymousId: string, hours: number) => {
      await inlet.track({ anonymousId, event: anonymousId }).outcome()
      emulator.advance(hours * hourMs)
      await inlet.identify({ userId: anonymousId, anonymousId }).outcome()
      return (await emulator.activity({ name: anonymousId }))[0]?.trigger_eligible
    }
    expect(await eligible("early", 71)).toBe(true)
    expect(await eligible("late", 73)).toBe(false)
  })

  it("a client retries after a fault, and its call is applied once", async () => {
    await using inlet = client()
    emulator.fail({ path: "/v1/batch", status: 503, retryAfterSeconds: 0 })
    emulator.fail({ drop: "before" })
    emulator.fail({ drop: "after", latencyMs: 1 })
    const outcome = await inlet.track({ userId: "ada", event: "Paid" }).outcome()
    expect(outcome).toMatchObject({ status: "duplicate", attempts: 4 })
    const paid = await emulator.activity({ name: "Paid", outcome: "applied" })
    expect(paid).toHaveLength(1)
  })

  it("a fault of the emulator for one path affects the given number of requests to this path", async () => {
    emulator.fail({ path: "/v1/track", times: 2, status: 418 })
    const post = async (path: string) => {
      const headers = { authorization: `Basic ${btoa(`${emulator.writeKey}:`)}` }
      const body = JSON.stringify({ userId: "ada", event: "e" })
      return (await fetch(`${emulator.url}${path}`, { method: "POST", headers, body })).status
    }
    const paths = ["/v1/identify", "/v1/track", "/v1/track", "/v1/track"]
    const statuses: Array<number> = []
    for (const path of paths) statuses.push(await post(path))
    expect(statuses).toEqual([200, 418, 418, 200])
  })

  it("refuses a fault that no emulator knows, in the process as over HTTP", async () => {
    const misspelt = { status: 500, latency: 5 }
    expect(() => emulator.fail(misspelt)).toThrow(/latency/)
    expect(() => emulator.fail({ status: 99 })).toThrow(/status/)
    expect(() => emulator.fail({ times: 0 })).toThrow(/times/)
  })

  it("a fault that is set in the emulator for one operation affects only requests of this operation", async () => {
    const headers = { authorization: `Basic ${btoa(`${emulator.siteId}:${emulator.apiKey}`)}` }
    const call = async (method: string, body?: string) =>
      (await fetch(`${emulator.url}/api/v1/customers/bob`, { method, headers, body: body ?? null })).status
    emulator.fail({ operation: "delete", status: 503 })
    expect([await call("PUT", "{}"), await call("DELETE"), await call("DELETE")]).toEqual([200, 503, 200])
    await emulator.expectNoPerson({ id: "bob" })
  })

  it.each(["reset", "close"] as const)("%s ends the requests that a fault delays", async (method) => {
    const delaying = method === "reset" ? emulator : await createInlet()
    const post = async () => {
      const headers = { authorization: `Basic ${btoa(`${delaying.writeKey}:`)}` }
      return (await fetch(`${delaying.url}/v1/track`, { method: "POST", headers, body: "{}" })).status
    }
    delaying.fail({ latencyMs: hourMs })
    delaying.fail({ status: 418 })
    const answers = [post(), post()]
    const results = Promise.allSettled(answers)
    // One request has the status of the second fault, so the first fault delays the other request.
    expect(await Promise.race(answers)).toBe(418)
    await within(method, delaying[method]())
    const statuses = (await results).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(["fulfilled", "rejected"])
  })

  it("a program ends after a client has given up a delayed request and the emulator is closed", async () => {
    const source = join(import.meta.dirname, "../../../packages/testing/src/createInlet.ts")
    const file = join(freshDirectory(), "program.mjs")
    const program = `
      import { createInlet } from ${JSON.stringify(source)}
      const emulator = await createInlet()
      emulator.fail({ latencyMs: ${hourMs} })
      emulator.fail({ status: 418 })
      const given = new AbortController()
      const post = () => fetch(emulator.url + "/v1/track", { method: "POST", body: "{}", signal: given.signal })
      const answers = [post(), post()]
      const results = Promise.allSettled(answers)
      const { status } = await Promise.race(answers)
      given.abort()
      await results
      await emulator.close()
      console.log(status)
    `
    writeFileSync(file, program)
    const launched = launchAs([process.execPath, file], {})
    expect(await within("the program ends", launched.exit)).toEqual({ code: 0, signal: null })
    expect(launched.lines()).toEqual(["418"])
  })

  it("restoring a snapshot brings back the people, the activity, the suppressions and the time", async () => {
    await using inlet = client()
    await inlet.identify({ userId: "bob", traits: { plan: "pro" } }).outcome()
    await inlet.suppressPerson({ userId: "eve" }).outcome()
    const before = await emulator.activity()
    const snapshot = emulator.snapshot()
    const at = emulator.now()
    for (const attempt of [1, 2]) {
      await inlet.identify({ userId: "bob", traits: { plan: `free ${attempt}` } }).outcome()
      await inlet.deletePerson({ userId: "ada" }).outcome()
      emulator.advance(48 * hourMs)
      await emulator.restore(snapshot)
      expect(await emulator.activity()).toEqual(before)
      await emulator.expectPerson({ id: "bob" }, { attributes: { plan: "pro" } })
      await emulator.expectPerson({ id: "ada" })
      expect(await inlet.track({ userId: "eve", event: "e" }).outcome()).toMatchObject({ status: "ignored" })
      expect(emulator.now().getTime() - at.getTime()).toBeLessThan(48 * hourMs)
      await emulator.restore(snapshot)
    }
  })

  it("contract §8: log entries that are not events are pruned after 30 days", async () => {
    emulator.advance(31 * 24 * hourMs)
    await emulator.waitFor(async () =>
      (await emulator.activity({ kind: "identify" })).length === 0 ? true : undefined,
    )
    await emulator.expectEvent("Signed Up")
  })

  it("an expectation waits until the server has the data that the expectation describes", async () => {
    await using inlet = client()
    const expecting = emulator.expectEvent("Paid", { subject: { id: "ada" }, data: { total: 5 } })
    void inlet.track({ userId: "ada", event: "Paid", properties: { total: 5 } })
    expect(await expecting).toMatchObject({ outcome: "applied" })
    await emulator.expectActivity({ kind: "identify" }, { operation_id: /^op/ })
  })

  it("a failed expectation lists the differences and the newest calls", async () => {
    const failing = emulator.expectPerson({ id: "ada" }, { attributes: { plan: "pro" } }, 0)
    await expect(failing).rejects.toThrow(
      /^expected a person with id=ada that fits the pattern\nThe closest of 1 differs:\n {2}attributes\.plan: expected "pro", got "free"\nThe newest calls:\n {2}op\S+ identify ada created\n {2}op\S+ event Signed Up ada applied$/,
    )
    await expect(emulator.expectEvent("Paid", {}, 0)).rejects.toThrow('The server has no event "Paid".')
    await expect(emulator.expectNoPerson({ id: "ada" }, 0)).rejects.toThrow(
      "expected no person with id=ada, but the server has one",
    )
  })

  it("waitFor rejects if its function finds nothing in the given time", async () => {
    await expect(emulator.waitFor(() => undefined, 1)).rejects.toThrow("waitFor found nothing within 1 ms")
  })

  it("two emulators run side by side until they are closed", async () => {
    const other = await createInlet()
    expect(other.url).not.toBe(emulator.url)
    expect(await other.people()).toEqual([])
    await within("the emulator stops", other.close())
    await expect(fetch(other.url)).rejects.toThrow("fetch failed")
  })
})
