import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { Inlet } from "../src/Inlet.ts"
import { FileSpool } from "../src/spool/FileSpool.ts"
import type { Spool } from "../src/spool/Spool.ts"

const freshDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "inlet-spool-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const spoolModule = new URL("../src/spool/FileSpool.ts", import.meta.url).href

/** Runs a program that has a spool in scope, in a process whose files hold at most 1,024 bytes. Returns what it prints. */
const runOnFullDisk = (program: string): string => {
  const directory = freshDirectory()
  const file = join(directory, "program.mjs")
  writeFileSync(
    file,
    `import { FileSpool } from ${JSON.stringify(spoolModule)}
    const spool = new FileSpool({ directory: ${JSON.stringify(join(directory, "spool"))} })
    const call = (messageId, bytes) => JSON.stringify({ messageId, text: "x".repeat(bytes) })
    ${program}`,
  )
  return execFileSync("bash", ["-c", 'ulimit -f 1; exec "$0" "$1"', process.execPath, file], {
    encoding: "utf8",
  })
}

describe.skipIf(process.platform === "win32")("a spool on a full disk", () => {
  it("does not keep a call that is written only in part, and keeps the calls after it whole", () => {
    const printed = runOnFullDisk(`
      console.log(spool.keep(call("whole", 600)), spool.keep(call("cut", 600)), spool.keep(call("small", 100)))
      console.log(spool.next().calls.map((json) => JSON.parse(json).messageId).join())
    `)
    expect(printed).toBe("true false true\nwhole,small\n")
  })
})

/** A client with a spool, what it sends and what it warns of. The server accepts every batch. */
const client = (spool: Spool) => {
  const warnings: Array<string> = []
  const requests: Array<string> = []
  const inlet = new Inlet({
    url: "http://127.0.0.1:1",
    writeKey: "key",
    batchWaitMs: 0,
    spool,
    onWarning: (warning) => warnings.push(warning),
    fetch: async (url, init) => {
      requests.push(await new Request(url, init).text())
      return new Response("{}")
    },
  })
  onTestFinished(() => inlet.close())
  return { inlet, requests, warnings }
}

const fails = () => {
  throw new Error("no space")
}

it("a spool keeps no call in a file that was removed with its directory", () => {
  const directory = freshDirectory()
  const spool = new FileSpool({ directory, bytesMax: 60 })
  expect(spool.keep('{"messageId":"first"}')).toBe(true)
  expect(spool.keep('{"messageId":"second"}')).toBe(true)
  expect(spool.keep('{"messageId":"too many"}')).toBe(false)
  rmSync(directory, { recursive: true })
  expect(spool.keep('{"messageId":"lost"}')).toBe(false)
  mkdirSync(directory)
  expect(spool.keep('{"messageId":"last"}')).toBe(true)
  expect(spool.next()?.calls).toEqual(['{"messageId":"last"}'])
})

describe("a client whose spool fails", () => {
  it("warns that the directory was removed, and sends its calls", async () => {
    const directory = freshDirectory()
    const spool = new FileSpool({ directory })
    rmSync(directory, { recursive: true })
    const { inlet, warnings } = client(spool)
    expect(await inlet.track({ userId: "ada", event: "e" }).outcome()).toMatchObject({ status: "accepted" })
    await inlet.flush()
    expect(warnings).toEqual([expect.stringMatching(/^inlet: the spool failed: Error: ENOENT/)])
  })

  it("sends the calls of the directory once it can be read again", async () => {
    const directory = freshDirectory()
    const spool = new FileSpool({ directory })
    rmSync(directory, { recursive: true })
    const { inlet, requests } = client(spool)
    mkdirSync(directory)
    expect(spool.keep('{"type":"track","messageId":"kept"}')).toBe(true)
    await inlet.track({ userId: "ada", event: "e" }).outcome()
    await inlet.flush()
    expect(requests).toEqual([expect.stringContaining('"e"'), expect.stringContaining('"kept"')])
  })

  it("gives a call its outcome although the spool throws", async () => {
    const { inlet, warnings } = client({ keep: fails, next: () => undefined })
    await inlet.close()
    expect(await inlet.track({ userId: "ada", event: "e" }).outcome()).toMatchObject({
      status: "undelivered",
      reason: "the client is closed",
    })
    expect(warnings).toEqual(["inlet: the spool failed: Error: no space"])
  })
})
