import { Inlet, type InletOptions } from "@inlethq/sdk"
import { FileSpool, type FileSpoolOptions } from "@inlethq/sdk/spool"
import { appendFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually, within } from "../../src/eventually.ts"
import { FaultyProxy, type Fault } from "../../src/FaultyProxy.ts"
import { launchAs } from "../../src/Launched.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { runtimes } from "../../src/runtimes.ts"
import { bundleSdk } from "../../src/sdkBundle.ts"

const unavailable: Fault = { _tag: "Answer", status: 503 }

const set = async (...faults: ReadonlyArray<Fault>) => {
  const source = await PipelinesSource.create()
  const proxy = await FaultyProxy.start(source.inlet, ...faults)
  const directory = join(freshDirectory(), "spool")
  const client = (options: InletOptions<never> = {}, spool: Partial<FileSpoolOptions> = {}) => {
    const inlet = new Inlet({
      url: proxy.url,
      writeKey: source.writeKey,
      onWarning: () => {},
      spool: new FileSpool({ directory, ...spool }),
      ...options,
    })
    onTestFinished(() => inlet.close())
    return inlet
  }
  return { source, proxy, directory, client }
}

const names = async (source: PipelinesSource) => (await source.log()).map(({ name }) => name)

describe("the spool of the SDK", () => {
  it("calls that a client has given up are sent once by the next client, in order", async () => {
    const { client, directory, source } = await set(unavailable, unavailable)
    const first = client({ giveUpMs: 1 })
    const sendings = ["one", "two"].map((event) => first.track({ userId: "ada", event }))
    for (const sending of sendings) {
      expect(await sending.outcome()).toMatchObject({
        status: "undelivered",
        reason: expect.stringMatching(/the server answered 503.*; kept in the spool$/),
      })
    }
    await first.close()
    expect(readdirSync(directory)).toHaveLength(1)
    const second = client()
    await second.flush()
    expect(await names(source)).toEqual(["one", "two"])
    await eventually("the spool is empty", () => (readdirSync(directory).length === 0 ? true : undefined))
  })

  it("calls that do not fit into the call buffer are sent once the buffer is empty", async () => {
    const { client, directory, proxy, source } = await set({ _tag: "Hold" })
    const inlet = client({ bufferCallsMax: 2, batchCallsMax: 1 })
    for (let n = 0; n < 10; n++) void inlet.track({ userId: "ada", event: `event ${n}` })
    await eventually("a request is held", () => (proxy.requests.length === 1 ? true : undefined))
    proxy.release()
    await eventually("all calls are sent", async () =>
      (await source.log()).length === 10 ? true : undefined,
    )
    await eventually("the spool is empty", () => (readdirSync(directory).length === 0 ? true : undefined))
    expect(new Set(await names(source)).size).toBe(10)
  })

  it("unsent calls of a closed SDK client are sent by the next client", async () => {
    const { client, source } = await set()
    const first = client()
    await first.close()
    void first.track({ userId: "ada", event: "late" })
    const second = client()
    await second.flush()
    expect(await names(source)).toEqual(["late"])
  })

  it("a call that does not fit into the size limit of the spool is lost", async () => {
    const { client, directory } = await set(unavailable)
    const inlet = client({ giveUpMs: 1 }, { bytesMax: 100 })
    const outcome = await inlet.track({ userId: "ada", event: "x".repeat(100) }).outcome()
    expect(outcome).toMatchObject({ status: "undelivered", reason: expect.not.stringContaining("spool") })
    expect(readdirSync(directory)).toEqual([])
  })

  it("a line that a crash has cut off at the end of a spool file is ignored", async () => {
    const { client, directory, source } = await set(unavailable)
    const first = client({ giveUpMs: 1 })
    await first.track({ userId: "ada", event: "whole" }).outcome()
    await first.close()
    const [file = ""] = readdirSync(directory)
    appendFileSync(join(directory, file), '{"type":"track","messageId":"cut')
    const second = client()
    await second.flush()
    expect(await names(source)).toEqual(["whole"])
  })
})

it("a directory of the spool that cannot be created is an error at once, and missing parents are created", () => {
  expect(() => new FileSpool({ directory: "/proc/inlet/spool" })).toThrow("ENOENT")
  const file = join(freshDirectory(), "file")
  writeFileSync(file, "")
  expect(() => new FileSpool({ directory: join(file, "spool") })).toThrow("ENOTDIR")
  const directory = join(freshDirectory(), "new", "spool")
  expect(new FileSpool({ directory }).next()).toBeUndefined()
  expect(statSync(directory).mode & 0o777).toBe(0o700)
})

describe.each(runtimes)("the spool of the SDK in $name", ({ command, name }) => {
  const folder = freshDirectory()

  beforeAll(async () => {
    writeFileSync(join(folder, "sdk.mjs"), await bundleSdk("Inlet.ts", false))
    writeFileSync(join(folder, "spool.mjs"), await bundleSdk("spool/FileSpool.ts", false))
  })

  it("calls that are queued when a program calls process.exit are sent by the next run", async () => {
    const { directory, proxy, source } = await set()
    const program = (body: string) => {
      const file = join(folder, "program.mjs")
      const client = `import { Inlet } from "./sdk.mjs"
        import { FileSpool } from "./spool.mjs"
        const inlet = new Inlet({ spool: new FileSpool({ directory: ${JSON.stringify(directory)} }) })
        ${body}`
      writeFileSync(file, client)
      const { exit } = launchAs([...command, file], {
        INLET_URL: proxy.url,
        INLET_WRITE_KEY: source.writeKey,
      })
      return within(`the program ends in ${name}`, exit)
    }
    const calls = `for (let n = 0; n < 3; n++) inlet.track({ userId: "ada", event: "event " + n })`
    expect(await program(`${calls}\nprocess.exit(3)`)).toEqual({ code: 3, signal: null })
    expect(await source.log()).toEqual([])
    expect(await program("await inlet.close()")).toEqual({ code: 0, signal: null })
    expect(await names(source)).toEqual(["event 0", "event 1", "event 2"])
  })
})
