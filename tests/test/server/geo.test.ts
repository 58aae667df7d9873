import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { fresh } from "../../src/fresh.ts"
import { identify, pipelines } from "../../src/ingestion.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch } from "../../src/Launched.ts"
import { waitForAddresses } from "../../src/listenAddresses.ts"
import { Management } from "../../src/Management.ts"
import { buildMmdb } from "../../src/mmdb.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

const names = (en: string) => ({ names: { en, de: `${en} (de)` } })

const berlin = {
  country: { iso_code: "DE", ...names("Germany") },
  subdivisions: [{ iso_code: "BE", ...names("Land Berlin") }],
  city: names("Berlin"),
}

const file = join(freshDirectory(), "places.mmdb")
writeFileSync(
  file,
  buildMmdb({
    "203.0.113.0/25": berlin,
    "203.0.113.128/25": { registered_country: { iso_code: "AT" } },
    "2001:db8:1::/48": { country_code: "fr", state1: "Bretagne", city: "Brest" },
    "198.51.100.0/24": { city: names("Nowhere") },
  }),
)

const inlet = await Inlet.start({ env: { INLET_GEO: file, INLET_TRUSTED_PROXIES: "127.0.0.1" } })
const plain = await Inlet.start()
afterAll(() => Promise.all([inlet.stop(), plain.stop()]))

const placeDE = { country: "DE", region: "Land Berlin", city: "Berlin" }

const told = async (source: PipelinesSource) =>
  (await source.log()).map(({ context, geo }) => [context, geo] as const)

describe("INLET_GEO", () => {
  it("contract §13 places: an entry has the place of the address in its context, and the address is cut", async () => {
    const source = await PipelinesSource.create({}, inlet)
    const addresses = [
      "203.0.113.7",
      "::ffff:203.0.113.200",
      "2001:db8:1:2::3",
      "198.51.100.1",
      "192.0.2.1",
      "x",
    ]
    const batch = addresses.map((ip) => ({ type: "track", userId: "ada", event: "seen", context: { ip } }))
    await source.post("batch", { batch })
    expect(await told(source)).toEqual([
      [{ ip: "203.0.113.0" }, placeDE],
      [{ ip: "203.0.113.0" }, { country: "AT" }],
      [{ ip: "2001:db8:1::" }, { country: "FR", region: "Bretagne", city: "Brest" }],
      [{ ip: "198.51.100.0" }, undefined],
      [{ ip: "192.0.2.0" }, undefined],
      [undefined, undefined],
    ])
  })

  it("contract §13 addresses: a call of a browser has the place of its request, whatever is kept of the address", async () => {
    for (const [ip, context] of [
      ["drop", undefined],
      ["truncate", { ip: "203.0.113.0" }],
      ["keep", { ip: "203.0.113.7" }],
    ] as const) {
      const source = await PipelinesSource.create({ ip }, inlet)
      const headers = { origin: "https://shop.example.com", "x-forwarded-for": "203.0.113.7" }
      await source.post("track", { userId: "ada", event: "seen" }, headers)
      expect(await told(source), ip).toEqual([[context, placeDE]])
    }
  })

  it("a workspace that keeps no context has no place, and neither has a call of the Track API", async () => {
    const source = await PipelinesSource.create({ context: "off" }, inlet)
    await source.post("track", { userId: "ada", event: "seen", context: { ip: "203.0.113.7" } })
    expect(await told(source)).toEqual([[undefined, undefined]])
    const management = new Management(inlet)
    const track = await identify(inlet, fresh("p"), { plan: "pro" })
    expect((await management.operation(track)).geo).toBeUndefined()
  })

  it("the country filters the log, and inlet why says the place", async () => {
    const source = await PipelinesSource.create({}, inlet)
    const context = { ip: "203.0.113.7" }
    const answer = await source.post("track", { userId: "ada", event: "here", context })
    await source.post("track", { userId: "ada", event: "there", context: { ip: "192.0.2.1" } })
    const management = new Management(inlet, source.workspace)
    const found = await management.activity({ filter: "country:DE" })
    expect(found.map(({ name }) => name)).toEqual(["here"])
    const commandLine = new CommandLine({
      INLET_URL: inlet.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(source.workspace),
    })
    const { stdout } = await commandLine.run(["why", answer.operationId ?? ""])
    expect(stdout).toMatch(/place\s+Berlin, Land Berlin, DE/)
  })

  it("a replay carries the place to a server that knows none, and looks up nothing", async () => {
    const source = await PipelinesSource.create({ ip: "keep" }, plain)
    await source.post("track", { userId: "bob", event: "before", context: { ip: "203.0.113.7" } })
    const located = await PipelinesSource.create({ ip: "keep" }, inlet)
    await located.post("track", { userId: "ada", event: "seen", context: { ip: "203.0.113.7" } })
    for (const [from, to] of [
      [located, plain],
      [source, inlet],
    ] as const) {
      const target = await new Management(to).createWorkspace()
      const commandLine = new CommandLine({
        INLET_URL: from.inlet.url,
        INLET_MANAGEMENT_TOKEN: credentials.token,
        INLET_TO_TOKEN: credentials.token,
        INLET_WORKSPACE: String(from.workspace),
      })
      await commandLine.json("replay", "--to", `${to.url}#${target}`)
      const [entry] = await new Management(to, target).activity({ kind: "event" })
      expect(entry?.context).toEqual({ ip: "203.0.113.0" })
      expect(entry?.geo).toEqual(from === located ? placeDE : undefined)
    }
  })
})

const countryOf = async (url: string) => {
  const answer = await pipelines({ url }, "/v1/track", {
    userId: "ada",
    event: fresh("e"),
    context: { ip: "203.0.113.7" },
  })
  const served = { url, token: credentials.token }
  return (await new Management(served).operation(answer)).geo
}

describe("the file of INLET_GEO", () => {
  it("is replaced without a restart, and a broken one is logged once and not used", async () => {
    const replaced = join(freshDirectory(), "places.mmdb")
    writeFileSync(replaced, buildMmdb({ "203.0.113.0/24": { country: { iso_code: "DE" } } }))
    const process = launch({ ...variablesFor(join(freshDirectory(), "data")), INLET_GEO: replaced })
    const { url } = await waitForAddresses(process)
    expect(await countryOf(url)).toEqual({ country: "DE" })

    writeFileSync(replaced, "not a database")
    const logged = () => process.lines().filter((line) => line.includes("INLET_GEO"))
    await eventually("the server logs INLET_GEO", () => (logged().length > 0 ? true : undefined))
    expect(await countryOf(url)).toEqual({ country: "DE" })

    const next = `${replaced}.next`
    writeFileSync(next, buildMmdb({ "203.0.113.0/24": { country: { iso_code: "NL" } } }))
    renameSync(next, replaced)
    await eventually("the new file is used", async () =>
      (await countryOf(url))?.country === "NL" ? true : undefined,
    )
    expect(logged()).toHaveLength(1)
    await process.signal("SIGTERM")
  })

  it.each([
    ["a missing file", join(freshDirectory(), "none.mmdb")],
    ["a folder", freshDirectory()],
    ["another file", import.meta.filename],
  ])("ends the start with one line if it is %s", async (_what, path) => {
    const process = launch({ ...variablesFor(join(freshDirectory(), "data")), INLET_GEO: path })
    expect(await within("the server exits", process.exit)).toEqual({ code: 1, signal: null })
    expect(process.lines()).toHaveLength(1)
    expect(process.lines()[0]).toContain("INLET_GEO")
  })
})
