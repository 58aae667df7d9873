import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { within } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { fresh } from "../../src/fresh.ts"
import { event, identify, track } from "../../src/ingestion.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { Management } from "../../src/Management.ts"
import { launch } from "../../src/Launched.ts"

describe("a second server on the same data directory", () => {
  it("a second server on the same data directory prints one line that names the directory and exits with 1", async () => {
    const inlet = await Inlet.start()
    const second = launch(variablesFor(inlet.dataDir))
    expect(await within("the server exits", second.exit)).toEqual({ code: 1, signal: null })
    expect(second.lines()).toHaveLength(1)
    expect(second.lines()[0]).toContain(inlet.dataDir)
    expectTrackSuccess(await identify(inlet, fresh("p"), {}))
    await inlet.stop()
  })
})

describe("an invalid setting", () => {
  const file = join(freshDirectory(), "file")
  writeFileSync(file, "")
  // Each case starts a server process. Therefore `packages/runtime/test/Settings.test.ts` checks the other invalid values
  // inside its own process.
  it.concurrent.each([
    ["INLET_PORT", "eighty"],
    ["INLET_STORE", "postgres://ada:hidden@db:99999/inlet"],
    ["INLET_LOG", "loud"],
    ["INLET_DATA_DIR", file],
    // In /proc, directories cannot be created.
    ["INLET_DATA_DIR", "/proc/inlet/data"],
    ["INLET_KAFKA_TLS", file],
    ["INLET_KAFKA_PASSWORD", "secret"],
  ])(
    "with %s=%s the server prints one line that names the variable and exits with 1",
    async (variable, value) => {
      const process = launch({ ...variablesFor(join(freshDirectory(), "data")), [variable]: value })
      expect(await within("the server exits", process.exit)).toEqual({ code: 1, signal: null })
      expect(process.lines()).toHaveLength(1)
      expect(process.lines()[0]).toContain(variable)
    },
  )
})

describe("a valid setting", () => {
  it("INLET_REGION and INLET_PUBLIC_URL appear in the region lookup", async () => {
    const env = { INLET_REGION: "eu", INLET_PUBLIC_URL: "https://track-eu.example.com" }
    const inlet = await Inlet.start({ env })
    const region = await track(inlet, "GET", "/api/v1/accounts/region")
    expect(region.json).toEqual({
      region: "eu",
      environment_id: 1,
      url: expect.stringMatching(/^https:\/\/track-eu\.example\.com\/?$/),
    })
    await inlet.stop()
  })

  it("contract §1 written brand: INLET_BRAND sets the prefix in answers, changes and reasons, and both prefixes are accepted", async () => {
    const inlet = await Inlet.start()
    const management = new Management(inlet)
    const [id, name] = [fresh("p"), fresh("o")]
    const svc = await management.operation(
      await identify(inlet, id, { "cio_subscription_preferences.topics.news": true }),
    )
    await inlet.stop()

    const again = await Inlet.start({ dataDir: inlet.dataDir, env: { INLET_BRAND: "cio" } })
    const cio = new Management(again)
    const path = "subscription_preferences.topics.news"
    const [entry] = await cio.activity({ kind: "identify" })
    expect(svc.changes).toContainEqual({ path: `svc_${path}`, from: null, to: true })
    expect(entry?.changes).toContainEqual({ path: `cio_${path}`, from: null, to: true })
    const data = { "svc_subscription_preferences.topics.news": true }
    expect([entry?.data, entry?.subject.svc_id]).toEqual([data, svc.subject.svc_id])

    const item = { type: "object", action: "identify", identifiers: { object_id: name } }
    for (const key of ["svc_relationships", "cio_relationships"]) {
      const wrong = await track(again, "POST", "/api/v2/entity", { ...item, [key]: "none" })
      expect(wrong.status).toBe(400)
      expect(wrong.json).toMatchObject({ errors: [{ field: "cio_relationships" }] })
      const refused = await cio.operation(wrong)
      expect(refused.reason).toContain("cio_relationships")
      const unknown = [{ identifiers: { svc_id: "p999999999" } }]
      const partial = await track(again, "POST", "/api/v2/entity", { ...item, [key]: unknown })
      expect(partial.status).toBe(200)
      expect((await cio.operation(partial)).reason).toContain("cio_relationships.0")
    }
    await again.stop()
  })

  it("INLET_STORE=memory runs a server without a database file", async () => {
    const inlet = await Inlet.start({ env: { INLET_STORE: "memory" } })
    const [id, name] = [fresh("p"), fresh("e")]
    expectTrackSuccess(await identify(inlet, id, { plan: "pro" }))
    expectTrackSuccess(await event(inlet, id, { name, id: name }))
    expectTrackSuccess(await event(inlet, id, { name, id: name }))
    const management = new Management(inlet)
    expect((await management.person({ id })).attributes).toEqual({ plan: "pro" })
    expect((await management.event(name)).subject.id).toBe(id)
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  })
})
