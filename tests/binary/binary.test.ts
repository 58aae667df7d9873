import { cpSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { afterEach, describe, expect, inject, it } from "vitest"
import { launchBrowser } from "../src/browser.ts"
import { ConsoleVisit } from "../src/console/ConsoleVisit.ts"
import { makeCall, walkOf, wordsOf } from "../src/documents/walks.ts"
import { eventually } from "../src/eventually.ts"
import { send } from "../src/http.ts"
import { batch, entity, identify } from "../src/ingestion.ts"
import { credentials, Inlet } from "../src/Inlet.ts"
import { Management, read } from "../src/Management.ts"
import { EmptyRoot } from "./EmptyRoot.ts"

const root = new EmptyRoot(inject("binary"))

/** The CPU time of a start and of a command, in seconds. Unlike elapsed time, it does not depend on the machine's load. */
const cpuSecondsMax = { serve: 1.5, why: 0.6 }

const Lake = Schema.Struct({ lag: Schema.Int, files: Schema.Int })
const Emulator = Schema.Struct({ url: Schema.String })

const eventItem = (name: string, id: string) => ({
  type: "person",
  action: "event",
  identifiers: { id: "ada" },
  name,
  id,
})

afterEach(() => root.end())

describe("the executable in a root directory with nothing else", () => {
  it("serves, keeps its promise through a kill, and ends gracefully", async () => {
    const inlet = await root.serve()
    expect(inlet.process.cpuSeconds()).toBeLessThan(cpuSecondsMax.serve)
    expect((await identify(inlet, "ada", { plan: "pro" })).status).toBe(200)
    const ids = Array.from({ length: 500 }, (_, at) => `01ARZ3NDEKTSV4RRFFQ69G${String(at).padStart(4, "0")}`)
    for (let at = 0; at < ids.length; at += 100) {
      const items = ids.slice(at, at + 100).map((id) => eventItem("kept", id))
      expect((await batch(inlet, items)).status).toBe(200)
    }
    await inlet.kill()
    const again = await root.serve()
    const management = new Management(again)
    const kept = await management.activity({ filter: "name:kept", limit: "1000" })
    expect(new Set(kept.map(({ id }) => id))).toEqual(new Set(ids))
    expect((await management.person({ id: "ada" })).attributes).toMatchObject({ plan: "pro" })
    expect(await again.stop()).toEqual({ code: 0, signal: null })
  })

  it("shows the console in a browser, and serves the browser library", async () => {
    const inlet = await root.serve()
    const browser = await launchBrowser()
    try {
      const opened = await ConsoleVisit.open(browser, inlet)
      await opened.signIn()
      await opened.go("/w/1/people")
      await opened.page.getByRole("row").filter({ hasText: "ada" }).waitFor()
    } finally {
      await browser.close()
    }
    const path = `/v1/analytics-js/snippet/${encodeURIComponent(credentials.writeKey)}/analytics.min.js`
    const library = await send(inlet.url, { method: "GET", path })
    expect(library.status).toBe(200)
    expect(library.text.length).toBeGreaterThan(50_000)
  })

  it("writes a lake in a thread, and moves pages of the write-ahead log in another", async () => {
    const inlet = await root.serve()
    const management = new Management(inlet)
    const settings = { lake: { target: "folder", url: "/lake" } }
    expect((await management.call("PATCH", management.pathOf(""), settings)).status).toBe(200)
    await entity(inlet, eventItem("into the lake", "01ARZ3NDEKTSV4RRFFQ69H0001"))
    await eventually("the lake has everything", async () => {
      const lake = read(Lake, await management.get("/lake"))
      return lake.lag === 0 && lake.files > 0 ? true : undefined
    })
    expect((await management.call("PATCH", management.pathOf(""), { lake: null })).status).toBe(200)
    expect(inlet.process.printed).not.toMatch(/thread failed/)
  })

  it("answers why, checks itself, backs up and restores", async () => {
    const inlet = await root.serve()
    const asked = {
      INLET_URL: inlet.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_DATA_DIR: "/data",
    }
    const { operationId } = await identify(inlet, "grace", { plan: "free" })
    const why = await root.run(["why", operationId], asked)
    expect(why.code, why.stderr).toBe(0)
    expect(why.stdout).toContain("grace")
    const doctor = await root.run(["doctor"], asked)
    expect(doctor.stdout).toContain("ready at")
    const backup = await root.run(["backup", "/data/saved.inlet"], asked)
    expect(backup.code, backup.stderr).toBe(0)
    await inlet.stop()
    const restore = await root.run(["restore", "/data/saved.inlet"], { INLET_DATA_DIR: "/restored" })
    expect(restore.code, restore.stderr).toBe(0)
  })

  it("explains the first call as docs/start.md shows", async () => {
    const first = new EmptyRoot(inject("binary"))
    const inlet = await first.serve()
    const walk = walkOf("With one file")
    const { apiKey, siteId, token } = credentials
    const keys = { INLET_SITE_ID: siteId, INLET_API_KEY: apiKey, INLET_MANAGEMENT_TOKEN: token }
    await makeCall(walk, { INLET_URL: inlet.url, ...keys })
    const why = await first.run(walk.why.trim().split(" ").slice(1), { INLET_URL: inlet.url, ...keys })
    expect(wordsOf(why.stdout)).toEqual(wordsOf(walk.explanation))
    await first.end()
  })

  it("answers an assistant that speaks MCP", async () => {
    const inlet = await root.serve()
    const headers = {
      authorization: `Bearer ${credentials.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    }
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })
    const answer = await send(inlet.url, { method: "POST", path: "/mcp", headers, body })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain('"serverInfo":{"name":"inlet"')
  })

  it("is an emulator", async () => {
    const emulator = root.launch(["emulate", "--port", "0"])
    const url = await eventually("the emulator prints its address", () => {
      const line = emulator.lines().find((printed) => printed.startsWith("{"))
      return line === undefined ? undefined : read(Emulator, JSON.parse(line)).url
    })
    expect((await send(url, { method: "GET", path: "/health/ready" })).status).toBe(200)
    await emulator.signal("SIGTERM")
  })

  it("goes on with the data of the server that npm installs", async () => {
    const bundled = await Inlet.start()
    expect((await identify(bundled, "linus", { plan: "pro" })).status).toBe(200)
    await bundled.stop()
    const other = new EmptyRoot(inject("binary"))
    cpSync(bundled.dataDir, join(other.directory, "data"), { recursive: true })
    const inlet = await other.serve()
    expect((await new Management(inlet).person({ id: "linus" })).attributes).toMatchObject({ plan: "pro" })
  })
})
