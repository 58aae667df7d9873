import type { InletOptions } from "@inlethq/sdk"
import { createServer } from "node:http"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { eventually } from "../../src/eventually.ts"
import { FaultyProxy, type Fault } from "../../src/FaultyProxy.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { bundleSdk } from "../../src/sdkBundle.ts"

let browser: Browser
let code: string

beforeAll(async () => {
  browser = await launchBrowser()
  code = await bundleSdk("Inlet.ts", true)
})
afterAll(() => browser.close())

/** Serves a page of another origin than Inlet, with the SDK as a module. */
const servePage = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const isScript = request.url === "/sdk.js"
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html")
    response.end(isScript ? code : "<!doctype html><title>page</title>")
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the page is not served")
  return `http://127.0.0.1:${address.port}/`
}

interface Visit {
  readonly page: Page
  readonly source: PipelinesSource
  readonly methods: ReadonlyArray<string>
  /** Runs the body of an asynchronous function with a client named `inlet`. */
  readonly run: (body: string, options?: InletOptions<never>) => Promise<unknown>
}

const visit = async (...faults: ReadonlyArray<Fault>): Promise<Visit> => {
  const source = await PipelinesSource.create()
  const proxy = await FaultyProxy.start(source.inlet, ...faults)
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const methods: Array<string> = []
  page.on("request", (request) => {
    if (request.url().startsWith(proxy.url)) methods.push(request.method())
  })
  await page.goto(await servePage())
  const run: Visit["run"] = (body, options) =>
    page.evaluate(`(async () => {
      const { Inlet } = await import("/sdk.js")
      const inlet = new Inlet(${JSON.stringify({ url: proxy.url, writeKey: source.writeKey, ...options })})
      ${body}
    })()`)
  return { page, source, methods, run }
}

describe("the SDK in a web page", () => {
  it("a page of another origin sends calls without a preflight and reads their outcomes", async () => {
    const { methods, run, source } = await visit()
    const outcome = await run(`
      inlet.identify({ userId: "ada", traits: { plan: "pro" } })
      const sending = inlet.track({ userId: "ada", event: "clicked" })
      await inlet.close()
      return sending.outcome()
    `)
    expect(outcome).toMatchObject({ status: "applied", rule: "track-api §2.5", attempts: 1 })
    expect(methods).toEqual(["POST"])
    expect(await source.log()).toMatchObject([{ kind: "identify" }, { kind: "event", name: "clicked" }])
  })

  it("a page of another origin sends compressed calls after a preflight", async () => {
    const { methods, run, source } = await visit()
    const calls = `
      const sending = inlet.track({ userId: "ada", event: "clicked", properties: { text: "long ".repeat(1000) } })
      return sending.outcome()
    `
    expect(await run(calls, { gzip: true })).toMatchObject({ attempts: 1, reason: null })
    expect(methods).toContain("POST")
    expect(await source.log()).toMatchObject([{ name: "clicked", data: { text: "long ".repeat(1000) } }])
  })

  it("a call is applied once if the answer to its first attempt is lost", async () => {
    const { run, source } = await visit({ _tag: "DropAnswer" })
    const outcome = await run(`return inlet.track({ userId: "ada", event: "clicked" }).outcome()`)
    expect(outcome).toMatchObject({ status: "duplicate", attempts: 2 })
    expect((await source.log()).filter(({ outcome }) => outcome !== "duplicate")).toHaveLength(1)
  })

  it("the SDK sends its queued calls when the web page is closed", async () => {
    const { page, run, source } = await visit()
    const calls = `
      for (let n = 0; n < 3; n++) inlet.track({ anonymousId: "visitor", event: "left", properties: { n } })
    `
    await run(calls, { batchWaitMs: 3_600_000 })
    await page.close({ runBeforeUnload: false })
    await eventually("the calls arrive", async () => ((await source.log()).length === 3 ? true : undefined))
  })
})
