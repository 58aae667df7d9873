import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine, hasTerminals } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { FaultyProxy, type Fault } from "../../src/FaultyProxy.ts"
import { send } from "../../src/http.ts"
import { credentials } from "../../src/Inlet.ts"
import { Launched } from "../../src/Launched.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

/** Starts a proxy with these faults. Returns the proxy, a new workspace, and the command line for both. */
const start = async (...faults: ReadonlyArray<Fault>) => {
  const tenant = await Tenant.create()
  const proxy = await FaultyProxy.start(sharedServer, ...faults)
  const inlet = new CommandLine({
    INLET_URL: proxy.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
    INLET_SITE_ID: tenant.siteId,
    INLET_API_KEY: tenant.apiKey,
  })
  return { inlet, proxy, tenant }
}

/** Writes an exported file of 300 objects. `inlet import` sends these objects in two requests. */
const writeObjects = (): string => {
  const file = join(freshDirectory(), "objects.ndjson")
  const lines = Array.from({ length: 300 }, (_, i) =>
    JSON.stringify({
      object_type_id: "1",
      object_id: `o${i}`,
      svc_object_id: "o",
      attributes: {},
      people_total: 0,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
      relationships: [],
    }),
  )
  writeFileSync(file, `${lines.join("\n")}\n{"end":true,"count":300}\n`)
  return file
}

/** The fault of a request that the released proxy forwards. */
const forwarded: Fault = { _tag: "Hold" }

const note = ({ url }: FaultyProxy, { workspace }: Tenant) => `Sending to workspace ${workspace} at ${url}\n`

const person = { type: "person", action: "identify", identifiers: { id: "ada" } }

const resume = "inlet: import interrupted; send the same file again to resume"

const serverGone = ({ url }: FaultyProxy) =>
  `inlet: no server responds at ${url}: start one with \`inlet serve\`, or set --url`

describe("interrupted commands", () => {
  it("inlet import of an exported file says how to continue if the server is gone after the first lines", async () => {
    // `fetch` may try a refused request once more on a new connection.
    const { inlet, proxy, tenant } = await start(forwarded, { _tag: "Refuse" }, { _tag: "Refuse" })
    proxy.release()
    const file = writeObjects()
    const { code, stderr } = await inlet.run(["import", "objects", file])
    expect([code, stderr]).toEqual([1, `${resume}\n${serverGone(proxy)}\n`])
    expect(proxy.requests.length).toBeGreaterThan(1)
    expect(await tenant.objects()).not.toEqual([])
    const direct = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    expect(await direct.json("import", "objects", file)).toMatchObject({
      imported: 50,
      skipped: 250,
      failed: 0,
    })
  })

  it("inlet send batch says where to continue if the server is gone or a line is not JSON", async () => {
    const { inlet, proxy, tenant } = await start(forwarded, forwarded, { _tag: "Refuse" })
    proxy.release()
    const line = `${JSON.stringify(person)}\n`
    const gone = await inlet.run(["send", "batch", "-"], line.repeat(2001))
    expect([gone.code, gone.stderr]).toEqual([
      1,
      `${note(proxy, tenant)}inlet: the server acknowledged the lines up to 2000: continue with --from 2001\n${serverGone(proxy)}\n`,
    ])
    const broken = await inlet.run(["send", "batch", "-"], `${line}{"type":\n${line}`)
    expect([broken.code, broken.stderr]).toEqual([
      1,
      `${note(proxy, tenant)}inlet: the server acknowledged the lines up to 1: continue with --from 2\ninlet: line 2 is not a JSON value of at most 64 KB: each line must be one entity of Track v2\n`,
    ])
  })

  it("Ctrl-C ends inlet import with exit code 130 and a line that says how to continue", async () => {
    const csv = join(freshDirectory(), "people.csv")
    writeFileSync(csv, "id\nada\n")
    for (const args of [
      ["people", csv],
      ["objects", writeObjects()],
    ]) {
      const { inlet, proxy } = await start({ _tag: "Hold" })
      const command = new Launched(inlet.start(["import", ...args]))
      await eventually("a request is sent", () => (proxy.requests.length > 0 ? true : undefined))
      expect(await within("the import ends", command.signal("SIGINT"))).toEqual({ code: 130, signal: null })
      expect(command.lines()).toEqual([resume])
    }
  })

  it("Ctrl-C ends a command that waits for an answer with exit code 130", async () => {
    const { inlet, proxy } = await start({ _tag: "Hold" })
    const command = new Launched(inlet.start(["people", "list"]))
    await eventually("a request is sent", () => (proxy.requests.length > 0 ? true : undefined))
    expect(await within("the command ends", command.signal("SIGINT"))).toEqual({ code: 130, signal: null })
    expect(command.lines()).toEqual([])
  })

  it.runIf(hasTerminals).each([
    ["Ctrl-C", "\u0003", 130],
    ["the answer no", "n\r", 1],
  ])("%s to a question changes nothing, and the exit code is not 0", async (_, keys, code) => {
    const { inlet, tenant } = await start()
    await tenant.identify("ada")
    const command = new Launched(inlet.startOnTerminal(["people", "delete", "ada"]))
    await eventually("the question is shown", () =>
      command.printed.includes("Delete ada") ? true : undefined,
    )
    command.child.stdin?.write(keys)
    expect(await within("the command ends", command.exit)).toEqual({ code, signal: null })
    expect(command.printed).toContain("inlet: nothing was changed")
    expect(await tenant.people({ id: "ada" })).toHaveLength(1)
  })

  it.runIf(hasTerminals).each([
    { answer: "Ctrl-C", keys: "\u0003", code: 130, status: 200 },
    { answer: "no", keys: "n\r", code: 1, status: 200 },
    { answer: "yes", keys: "y\r", code: 0, status: 401 },
  ])(
    "$answer to the question of inlet keys revoke exits with code $code, and the key then gets a $status",
    async ({ code, keys, status }) => {
      const { inlet } = await start()
      const key = Object(await inlet.json("keys", "create", "shop", "--kind", "track"))
      const authorization = `Basic ${Buffer.from(`${key["site_id"]}:${key["api_key"]}`).toString("base64")}`
      const statusOfKey = async (): Promise<number> =>
        (await send(sharedServer.url, { method: "GET", path: "/api/v1/auth", headers: { authorization } }))
          .status
      expect(await statusOfKey()).toBe(200)
      const command = new Launched(inlet.startOnTerminal(["keys", "revoke", String(key["key_id"])]))
      await eventually("the question is shown", () =>
        command.printed.includes(`Revoke key ${key["key_id"]}?`) ? true : undefined,
      )
      command.child.stdin?.write(keys)
      expect(await within("the command ends", command.exit)).toEqual({ code, signal: null })
      if (code !== 0) expect(command.printed).toContain("inlet: nothing was changed")
      expect(await statusOfKey()).toBe(status)
    },
  )

  it("Ctrl-C before the first answer ends inlet send batch with exit code 130 and a line that says so", async () => {
    const { inlet, proxy } = await start({ _tag: "Hold" })
    const file = join(freshDirectory(), "items.ndjson")
    writeFileSync(file, `${JSON.stringify(person)}\n`)
    const command = new Launched(inlet.start(["send", "batch", file]))
    await eventually("a request is sent", () => (proxy.requests.length > 0 ? true : undefined))
    expect(await within("the command ends", command.signal("SIGINT"))).toEqual({ code: 130, signal: null })
    expect(command.lines()).toEqual([
      "inlet: interrupted; the server acknowledged no line: run the same command again",
    ])
  })

  it.each(["people list", "send batch -"])(
    "inlet %s says that the connection closed if a response is incomplete",
    async (command) => {
      const { inlet, proxy } = await start({ _tag: "CutAnswer" })
      const { code, stderr } = await inlet.run(command.split(" "), `${JSON.stringify(person)}\n`)
      expect([code, stderr]).toEqual([
        1,
        `inlet: the connection to ${proxy.url} closed before the response was complete: check whether the request was applied, and run the command again\n`,
      ])
    },
  )
})
