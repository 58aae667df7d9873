import { execFileSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { Launched } from "../../src/Launched.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const start = async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  return { tenant, inlet, directory: freshDirectory() }
}

/** Returns the JSON values of the lines of a text. */
const valuesIn = (text: string): ReadonlyArray<unknown> =>
  text
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line))

describe("inlet export", () => {
  it("inlet export writes a private file when the export is complete, or prints the lines", async () => {
    const { directory, inlet, tenant } = await start()
    await tenant.identify("ada", { email: "ada@example.com", plan: "pro" })
    await tenant.recordEvent("ada", { name: "bought", data: { price: 7 }, id: "e1" })
    const file = join(directory, "people.ndjson")
    writeFileSync(file, "an earlier export")
    const [said] = await inlet.lines("export", "people", "--output", file)
    expect(said).toMatch(/^1 people exported to .*people\.ndjson in \d+\.\d s$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.part`)).toBe(false)
    expect(valuesIn(readFileSync(file, "utf8"))).toEqual([
      expect.objectContaining({ id: "ada", email: "ada@example.com", attributes: { plan: "pro" } }),
      { end: true, count: 1 },
    ])
    const { code, stdout } = await inlet.run(["export", "events"])
    expect(code).toBe(0)
    expect(valuesIn(stdout)).toEqual([
      expect.objectContaining({ id: "e1", name: "bought", data: { price: 7 } }),
      { end: true, count: 1 },
    ])
    expect(await inlet.json("export", "events", "--since", "2100-01-01", "--output", file)).toEqual({
      file,
      count: 0,
    })
    for (const kind of ["objects", "segments", "deliveries", "activity"]) {
      const ran = await inlet.run(["export", kind])
      expect(valuesIn(ran.stdout).at(-1), kind).toMatchObject({ end: true })
    }
  })

  it("inlet export rejects wrong times with exit code 2, and wrong paths, tokens and workspaces with exit code 1", async () => {
    const { inlet } = await start()
    const time = await inlet.run(["export", "events", "--since", "soon"])
    expect([time.code, time.stderr]).toEqual([2, expect.stringContaining("Expected a time, such as")])
    const path = await inlet.run(["export", "people", "--output", "/nowhere/people.ndjson"])
    expect([path.code, path.stderr]).toEqual([
      1,
      expect.stringContaining("cannot write /nowhere/people.ndjson"),
    ])
    const token = await inlet.run(["export", "people", "--token", "wrong"])
    expect([token.code, token.stderr]).toEqual([
      1,
      expect.stringContaining("the server does not accept the management token"),
    ])
    const workspace = await inlet.run(["export", "people", "--workspace", "999999"])
    expect([workspace.code, workspace.stderr]).toEqual([
      1,
      expect.stringContaining("workspace 999999 not found"),
    ])
  })

  const endings = {
    "ends without its last line": ['{"id":"ada"}\n'],
    "is closed in a line": ['{"id":"a'],
    "says that it is incomplete": [
      '{"id":"ada"}\n',
      '{"end":false,"count":1,"error":"the disk is broken"}\n',
    ],
  }
  const servers = Object.entries(endings).map(
    ([name, parts]) =>
      [
        name,
        createServer((_request, response) => {
          response.writeHead(200, { "content-type": "application/x-ndjson" })
          for (const part of parts) response.write(part)
          if (name === "is closed in a line") setImmediate(() => response.destroy())
          else response.end()
        }),
      ] as const,
  )
  afterAll(() => {
    for (const [, server] of servers) server.close()
  })

  it.each(servers)(
    "inlet export exits with code 1 and writes no file if the export %s",
    async (_, server) => {
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))
      const { port }: AddressInfo = Object(server.address())
      const inlet = new CommandLine({ INLET_URL: `http://127.0.0.1:${port}`, INLET_MANAGEMENT_TOKEN: "t" })
      const file = join(freshDirectory(), "people.ndjson")
      for (const args of [["--output", file], []]) {
        const { code, stderr } = await inlet.run(["export", "people", ...args])
        expect(code).toBe(1)
        expect(stderr).toContain("the export is incomplete; start it again: ")
      }
      expect(existsSync(file)).toBe(false)
      expect(existsSync(`${file}.part`)).toBe(false)
    },
  )

  it("inlet export never writes through a symbolic link in the place of its incomplete file", async () => {
    const { directory, inlet } = await start()
    const [file, other] = [join(directory, "people.ndjson"), join(directory, "other")]
    writeFileSync(other, "kept")
    symlinkSync(other, `${file}.part`)
    await inlet.lines("export", "people", "--output", file)
    expect(readFileSync(other, "utf8")).toBe("kept")
    expect(readFileSync(file, "utf8")).toContain('"end":true')
    expect(lstatSync(file).isSymbolicLink()).toBe(false)
  })

  it("inlet export writes into pipes and devices, through links, and replaces none of them", async () => {
    const { directory, inlet, tenant } = await start()
    await tenant.identify("ada")
    const at = (name: string) => join(directory, name)
    execFileSync("mkfifo", [at("pipe")])
    symlinkSync("/dev/null", at("null"))
    writeFileSync(at("other"), "an earlier export")
    symlinkSync(at("other"), at("link"))
    symlinkSync(at("missing"), at("dangling"))
    const piped = readFile(at("pipe"), "utf8")
    for (const name of ["pipe", "null", "link"]) await inlet.lines("export", "people", "--output", at(name))
    for (const text of [await piped, readFileSync(at("other"), "utf8")])
      expect(valuesIn(text).at(-1)).toEqual({ end: true, count: 1 })
    const refused = await inlet.run(["export", "people", "--output", at("dangling")])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("is a link that leads nowhere"),
    ])
    expect(lstatSync(at("pipe")).isFIFO()).toBe(true)
    for (const name of ["null", "link", "dangling"]) expect(lstatSync(at(name)).isSymbolicLink()).toBe(true)
    expect(existsSync(at("missing"))).toBe(false)
  })

  it("Ctrl-C ends inlet export with exit code 130 and removes the incomplete file", async () => {
    const directory = freshDirectory()
    const file = join(directory, "people.ndjson")
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" })
      response.write('{"id":"ada"}\n')
    })
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))
    const { port }: AddressInfo = Object(server.address())
    const inlet = new CommandLine({ INLET_URL: `http://127.0.0.1:${port}`, INLET_MANAGEMENT_TOKEN: "t" })
    const command = new Launched(inlet.start(["export", "people", "--output", file]))
    await eventually("the first line is written", () =>
      existsSync(`${file}.part`) && statSync(`${file}.part`).size > 0 ? true : undefined,
    )
    expect(await within("inlet export ends", command.signal("SIGINT"))).toEqual({ code: 130, signal: null })
    expect(command.lines()).toEqual([
      "inlet: the export is incomplete; start it again: the command was interrupted",
    ])
    expect(existsSync(`${file}.part`)).toBe(false)
    server.closeAllConnections()
    server.close()
  })
})
