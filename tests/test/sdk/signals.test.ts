import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually, within } from "../../src/eventually.ts"
import { FaultyProxy, type Fault } from "../../src/FaultyProxy.ts"
import { launchAs, type Exit } from "../../src/Launched.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { runtimes } from "../../src/runtimes.ts"
import { bundleSdk } from "../../src/sdkBundle.ts"

const folder = freshDirectory()
const calls = 300
const hourMs = 3_600_000
const unavailable: ReadonlyArray<Fault> = Array.from({ length: 20 }, () => ({ _tag: "Answer", status: 503 }))

/**
 * Returns the exit code that a shell reports. Deno removes the handler of a signal only after a while, so that a process
 * may exit with this code before the signal ends it.
 */
const shellCode = async (exit: Promise<Exit>): Promise<number | null> => {
  const { code, signal } = await within("the program ends", exit)
  return signal === "SIGTERM" ? terminated : code
}
const terminated = 143

beforeAll(async () => {
  writeFileSync(join(folder, "sdk.mjs"), await bundleSdk("Inlet.ts", false))
  writeFileSync(join(folder, "spool.mjs"), await bundleSdk("spool/FileSpool.ts", false))
})

const program = (options: string, more: string) => `
  import { Inlet } from ${JSON.stringify(join(folder, "sdk.mjs"))}
  import { FileSpool } from ${JSON.stringify(join(folder, "spool.mjs"))}
  const inlet = new Inlet({ batchWaitMs: ${hourMs}, flushOnSignals: ["SIGTERM", "SIGINT"], ${options} })
  for (let n = 0; n < ${calls}; n++) inlet.track({ userId: "ada", event: "event " + n })
  ${more}
  setInterval(() => {}, ${hourMs})
  console.log("ready")
`

describe.each(runtimes)("signals of the SDK in $name", ({ command }) => {
  /** Starts a program that has made its calls and would run forever. */
  const start = async (options: string, more: string, ...faults: ReadonlyArray<Fault>) => {
    const source = await PipelinesSource.create()
    const proxy = await FaultyProxy.start(source.inlet, ...faults)
    const file = join(freshDirectory(), "program.mjs")
    writeFileSync(file, program(options, more))
    const variables = { INLET_URL: proxy.url, INLET_WRITE_KEY: source.writeKey }
    const launched = launchAs([...command, file], variables)
    await eventually("the program is ready", () => (launched.lines().includes("ready") ? true : undefined))
    return { launched, source, proxy, variables }
  }

  it("SIGTERM ends a program after its queued calls are sent", async () => {
    const { launched, source } = await start("", "")
    expect(await shellCode(launched.signal("SIGTERM"))).toBe(terminated)
    expect(await source.activity({ limit: "1000" })).toHaveLength(calls)
  })

  it("calls that a server does not accept in time after SIGTERM are sent from the spool", async () => {
    const directory = JSON.stringify(join(freshDirectory(), "spool"))
    const spool = `spool: new FileSpool({ directory: ${directory} })`
    const options = `signalFlushMs: 1, ${spool}, onWarning: () => {}`
    const { launched, source, variables } = await start(options, "", ...unavailable)
    expect(await shellCode(launched.signal("SIGTERM"))).toBe(terminated)
    expect(await source.log()).toEqual([])
    const file = join(freshDirectory(), "next.mjs")
    const [sdk, files] = ["sdk.mjs", "spool.mjs"].map((name) => JSON.stringify(join(folder, name)))
    const next = `import { Inlet } from ${sdk}
      import { FileSpool } from ${files}
      await new Inlet({ ${spool} }).close()`
    writeFileSync(file, next)
    const { exit } = launchAs([...command, file], { ...variables, INLET_URL: source.inlet.url })
    expect(await within("the next program ends", exit)).toEqual({ code: 0, signal: null })
    expect(await source.activity({ limit: "1000" })).toHaveLength(calls)
  })

  it("calls without a spool that a server does not accept in time after SIGTERM are counted in a warning", async () => {
    const { launched, source } = await start("signalFlushMs: 1", "", ...unavailable)
    expect(await shellCode(launched.signal("SIGTERM"))).toBe(terminated)
    const lost = launched.lines().filter((line) => line.includes(`${calls} calls were lost at exit`))
    expect(lost).toHaveLength(1)
    expect(await source.log()).toEqual([])
  })

  it("a handler of the program decides when a program ends after SIGTERM", async () => {
    const handler = `process.once("SIGTERM", async () => { await inlet.flush(); process.exit(7) })`
    const { launched, source } = await start("", handler)
    expect(await within("the program ends", launched.signal("SIGTERM"))).toEqual({ code: 7, signal: null })
    expect(await source.activity({ limit: "1000" })).toHaveLength(calls)
  })

  it("a second SIGTERM ends a program at once", async () => {
    const { launched, proxy } = await start(`signalFlushMs: ${hourMs}`, "", { _tag: "Hold" })
    launched.child.kill("SIGTERM")
    await eventually("a request is held", () => (proxy.requests.length > 0 ? true : undefined))
    expect(await shellCode(launched.signal("SIGTERM"))).toBe(terminated)
  })

  it("SIGTERM ends a program that has loaded the SDK twice after both clients have sent their calls", async () => {
    const second = `const { Inlet: Other } = await import(${JSON.stringify(`${join(folder, "sdk.mjs")}?second`)})
      const other = new Other({ batchWaitMs: ${hourMs}, flushOnSignals: ["SIGTERM"] })
      other.track({ userId: "ada", event: "of the other client" })`
    const { launched, source } = await start("", second)
    expect(await shellCode(launched.signal("SIGTERM"))).toBe(terminated)
    expect(await source.activity({ limit: "1000" })).toHaveLength(calls + 1)
  })

  it("a closed client leaves SIGTERM to the program", async () => {
    const { launched } = await start("", "await inlet.close(); console.log(process.listenerCount('SIGTERM'))")
    expect(launched.lines()).toEqual(["0", "ready"])
    expect(await shellCode(launched.signal("SIGTERM"))).toBe(terminated)
  })
})
