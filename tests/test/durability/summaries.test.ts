import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { fresh } from "../../src/fresh.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { summarized } from "../../src/summarized.ts"
import { Tenant } from "../../src/Tenant.ts"

/** Returns the files below a folder that contain a text. */
const filesWith = (folder: string, text: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text))

const commandLineOf = (server: Inlet, tenant: Tenant) =>
  new CommandLine({
    INLET_URL: server.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })

describe("summaries of a log", () => {
  it("a key that one person alone has sent is in no file once the receipt of the erasure is sealed", async () => {
    const server = await Inlet.start()
    const tenant = await Tenant.create({}, server)
    const inlet = commandLineOf(server, tenant)
    // A key with digits would look like data, and not be stored in the first place.
    const planted = fresh("planted").replaceAll(/\d/g, (digit) => "klmnopqrst".charAt(Number(digit)))
    for (const id of ["ada", "bob"]) {
      await tenant.identify(id, { plan: "pro" })
      await tenant.recordEvent(id, {
        name: "bought",
        data: { total: 1, [`${planted}-${id}`]: { inner: 1 } },
      })
      await tenant.identify(id, { [planted]: id, [`${planted} of ${id}`]: 1 })
      await tenant.recordEvent(id, { name: "bought", data: { total: 2 } })
    }
    await summarized(tenant)
    const shown = JSON.stringify(await tenant.get("/event-types/event/bought"))
    expect(shown).toContain("total")
    expect(shown).not.toContain(planted)
    expect(JSON.stringify(await tenant.get("/event-types/person/attributes"))).toContain(planted)
    for (const id of ["ada", "bob"])
      await tenant.entity({ type: "person", identifiers: { id }, action: "delete" })
    await eventually("both receipts are sealed", async () => {
      const listed = await inlet.json("erasure", "list")
      const states = JSON.stringify(listed).match(/"state":"\w+"/g) ?? []
      return states.length === 2 && states.every((state) => state.includes("sealed")) ? true : undefined
    })
    await server.stop()
    expect(filesWith(server.dataDir, `${planted}-`)).toEqual([])
    expect(filesWith(server.dataDir, `${planted} of`)).toEqual([])
  })

  it("a key of somebody who was a visitor before or was merged goes with the person, and causes have no keys of theirs", async () => {
    const server = await Inlet.start()
    const tenant = await Tenant.create({}, server)
    const inlet = commandLineOf(server, tenant)
    const planted = fresh("planted").replaceAll(/\d/g, (digit) => "klmnopqrst".charAt(Number(digit)))
    const event = (fields: object, key: string) =>
      tenant.entity({
        type: "person",
        action: "event",
        name: "bought",
        attributes: { [`${planted} ${key}`]: 1 },
        ...fields,
      })
    await event({ anonymous_id: "cookie" }, "visited")
    await tenant.identify("ada", { anonymous_id: "cookie" })
    await tenant.identify("ada", { [`${planted} refused`]: "x".repeat(2000) })
    await event({ identifiers: { id: "ada" } }, "visited")
    await tenant.identify("bob", {})
    await event({ identifiers: { id: "bob" } }, "merged")
    await summarized(tenant)
    await tenant.entity({ type: "person", action: "merge", primary: { id: "ada" }, secondary: { id: "bob" } })
    await event({ identifiers: { id: "ada" } }, "merged")
    await summarized(tenant)
    const causes = JSON.stringify(await tenant.get("/causes"))
    expect(causes).toContain("attribute_value_too_long")
    expect(causes).not.toContain(planted)
    expect(filesWith(server.dataDir, `.${planted} `)).not.toEqual([])
    await tenant.entity({ type: "person", identifiers: { id: "ada" }, action: "delete" })
    await eventually("the receipt is sealed", async () =>
      JSON.stringify(await inlet.json("erasure", "list")).includes('"state":"sealed"') ? true : undefined,
    )
    await server.stop()
    for (const key of ["visited", "merged"]) {
      expect(filesWith(server.dataDir, `${planted} ${key}`), key).toEqual([])
    }
  })

  it("a server that is killed again and again counts each event once", async () => {
    let server = await Inlet.start()
    let tenant = await Tenant.create({}, server)
    let sent = 0
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < 40; index++) {
        sent++
        await tenant.recordEvent(`person ${index % 3}`, { name: "bought", data: { total: index } })
      }
      // The summary may be anywhere between its last stored state and the end of the log.
      if (round % 2 === 0) await summarized(tenant)
      await server.kill()
      server = await Inlet.start({ dataDir: server.dataDir })
      tenant = tenant.on(server)
    }
    await summarized(tenant)
    expect(await tenant.get("/event-types/event/bought")).toMatchObject({
      count: sent,
      sampled: sent,
      days: [{ count: sent }],
      shape: [{ path: "total", types: { integer: sent }, count: sent, presence: 1, missing: null }],
    })
    await server.stop()
  })
})
