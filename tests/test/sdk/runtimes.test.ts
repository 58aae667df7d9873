import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { within } from "../../src/eventually.ts"
import { FaultyProxy, type Fault } from "../../src/FaultyProxy.ts"
import { launchAs } from "../../src/Launched.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { runtimes, type Runtime } from "../../src/runtimes.ts"
import { bundleSdk } from "../../src/sdkBundle.ts"

const folder = freshDirectory()

beforeAll(async () => {
  writeFileSync(join(folder, "sdk.mjs"), await bundleSdk("Inlet.ts", false))
})

/** The largest allowed size of the minified SDK, in bytes after gzip. */
const gzipBytesMax = 12 * 1024

it("the browser bundle of the SDK is at most 12 KB after gzip and imports nothing", async () => {
  const code = await bundleSdk("Inlet.ts", true)
  expect(gzipSync(code).length).toBeLessThanOrEqual(gzipBytesMax)
  expect(code).not.toMatch(/\bimport\b|\brequire\(/)
})

const unavailable: Fault = { _tag: "Answer", status: 503 }

describe.each(runtimes)("the SDK in $name", ({ command, name }: Runtime) => {
  /**
   * Runs a program that has the SDK's class `Inlet` in scope. A proxy between the SDK and the server causes the given
   * faults.
   */
  const run = async (program: string, ...faults: ReadonlyArray<Fault>) => {
    const source = await PipelinesSource.create()
    const proxy = await FaultyProxy.start(source.inlet, ...faults)
    const file = join(freshDirectory(), "program.mjs")
    const client = `import { Inlet } from ${JSON.stringify(join(folder, "sdk.mjs"))}\n`
    writeFileSync(file, client + program)
    const launched = launchAs([...command, file], { INLET_URL: proxy.url, INLET_WRITE_KEY: source.writeKey })
    const exit = await within(`the program ends in ${name}`, launched.exit)
    return { exit, lines: launched.lines(), log: await source.log(), proxy }
  }

  it("calls that are queued when a program ends are delivered", async () => {
    const { exit, lines, log } = await run(`
      const inlet = new Inlet({ batchWaitMs: 3_600_000 })
      inlet.track({ userId: "ada", event: "signed_up", properties: { plan: "pro" } })
      console.log("last line")
    `)
    expect(exit).toEqual({ code: 0, signal: null })
    expect(lines).toEqual(["last line"])
    expect(log).toMatchObject([{ name: "signed_up", data: { plan: "pro" } }])
  })

  it("a program ends although the server is unavailable, and warns that a call is lost", async () => {
    const { exit, lines, log } = await run(
      `
      const inlet = new Inlet()
      inlet.track({ userId: "ada", event: "e" })
    `,
      ...Array.from({ length: 20 }, () => unavailable),
    )
    expect(exit).toEqual({ code: 0, signal: null })
    expect(lines.join()).toContain("the client will retry")
    expect(log).toEqual([])
  })

  it("a program that awaits a flush stays alive through retries", async () => {
    const { exit, lines, log, proxy } = await run(
      `
      const inlet = new Inlet({ onWarning: () => {} })
      const sending = inlet.track({ userId: "ada", event: "e" })
      await inlet.flush()
      console.log((await sending.outcome()).attempts)
    `,
      unavailable,
      unavailable,
    )
    expect(exit).toEqual({ code: 0, signal: null })
    expect(lines).toEqual(["3"])
    expect(log).toHaveLength(1)
    expect(proxy.requests).toHaveLength(3)
  })

  it("a program that waits for room in the call buffer stays alive through retries", async () => {
    const { exit, log } = await run(
      `
      const inlet = new Inlet({ bufferCallsMax: 10, batchCallsMax: 2, onWarning: () => {} })
      for (let n = 0; n < 100; n++) await inlet.track({ userId: "ada", event: "e", properties: { n } })
      await inlet.close()
    `,
      unavailable,
      unavailable,
    )
    expect(exit).toEqual({ code: 0, signal: null })
    expect(log).toHaveLength(100)
  })

  it("an SDK client that is closed does not keep the program running", async () => {
    const { exit, log } = await run(`
      const inlet = new Inlet()
      for (let n = 0; n < 3000; n++) await inlet.track({ userId: "ada", event: "e", properties: { n } })
      await inlet[Symbol.asyncDispose]()
    `)
    expect(exit).toEqual({ code: 0, signal: null })
    expect(log).toHaveLength(3000)
  })
})
