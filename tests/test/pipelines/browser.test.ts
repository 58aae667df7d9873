import { Schema } from "effect"
import { createServer } from "node:http"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { waitMsMax } from "../../../tools/testing/patience.ts"
import { launchBrowser } from "../../src/browser.ts"
import { eventually } from "../../src/eventually.ts"
import { fresh } from "../../src/fresh.ts"
import { read, type Entry } from "../../src/Management.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

let browser: Browser
let context: BrowserContext
let source: PipelinesSource

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

beforeEach(async () => {
  context = await browser.newContext()
  context.setDefaultTimeout(waitMsMax)
  source = await PipelinesSource.create()
})
afterEach(() => context.close())

/** A browser page, with the requests and errors that it has caused. */
interface WatchedPage {
  readonly page: Page
  /** The paths of the page's POST requests. */
  readonly calls: ReadonlyArray<string>
  /** The page's requests to other origins. */
  readonly elsewhere: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
}

const openPage = async (): Promise<WatchedPage> => {
  const page = await context.newPage()
  const [calls, elsewhere, errors]: [Array<string>, Array<string>, Array<string>] = [[], [], []]
  page.on("request", (request) => {
    const url = new URL(request.url())
    if (url.origin !== new URL(source.inlet.url).origin) elsewhere.push(url.href)
    if (request.method() === "POST") calls.push(url.pathname)
  })
  page.on("pageerror", ({ message }) => errors.push(message))
  page.on("console", (message) => {
    const { url } = message.location()
    // Some browsers request the icon of a page, and the pages of this test have no icon.
    if (message.type() === "error" && !url.endsWith("/favicon.ico")) errors.push(`${url}: ${message.text()}`)
  })
  return { page, calls, elsewhere, errors }
}

/** Runs the body of an asynchronous function in a page. The body can use the browser library as `a`. */
const run = (page: Page, body: string): Promise<unknown> =>
  page.evaluate(`(async () => { const a = window.analytics; ${body} })()`)

const Visitor = Schema.Struct({ anonymousId: Schema.String })

/** Waits until the log has at least `length` entries, closes the page and returns the log. */
const logOf = async (page: Page, length: number): Promise<ReadonlyArray<Entry>> => {
  const written = async () => ((await source.log()).length >= length ? true : undefined)
  await eventually(`${length} entries`, written)
  await page.close()
  return source.log()
}

const expectOnce = (log: ReadonlyArray<Entry>, calls: ReadonlyArray<string>): void => {
  expect(log.filter(({ outcome }) => outcome === "duplicate")).toEqual([])
  expect(log).toHaveLength(calls.length)
  expect(new Set(log.map(({ id }) => id)).size).toBe(log.length)
}

/** Calls every tracking method of the library. */
const callEveryMethod = `
  await a.page("Docs", "Home", { section: 1 });
  await a.identify("ada", { email: "ada@example.com", plan: "pro" });
  await a.track("Bought", { total: 4.5, items: [{ sku: "a" }] });
  await a.group("acme", { name: "Acme", object_type_id: "2", relationship_traits: { role: "ceo" } });
  await a.alias("ada", "old");
  const anonymousId = a.user().anonymousId();
  a.reset();
  await a.track("After reset");
  return { anonymousId, isAnother: a.user().anonymousId() !== anonymousId, id: a.user().id() };`

const expectAll = async (anonymousId: string): Promise<void> => {
  const person = await source.person({ id: "ada" })
  expect(person).toMatchObject({ email: "ada@example.com", attributes: { plan: "pro", city: "Bonn" } })
  expect(person.anonymous_ids).toEqual([anonymousId])
  expect(person.relationships).toEqual([
    { object_type_id: "2", object_id: "acme", attributes: { role: "ceo" } },
  ])
  expect(await source.object("2", "acme")).toMatchObject({ attributes: { name: "Acme" } })
  expect(await source.people({ id: "old" })).toEqual([])
  const own = { svc_id: person.svc_id }
  expect(await source.event("Home")).toMatchObject({ kind: "page", subject: own, data: { section: 1 } })
  expect(await source.event("Bought")).toMatchObject({
    subject: own,
    data: { total: 4.5, items: [{ sku: "a" }] },
  })
  const after = await source.event("After reset")
  expect(after).toMatchObject({ outcome: "pending", subject: { svc_id: null } })
  expect(after.subject.anonymous_id).not.toBe(anonymousId)
}

const snippetOf = ({ inlet, writeKey }: PipelinesSource) =>
  `${inlet.url}/v1/analytics-js/snippet/${writeKey}/`

describe("@customerio/cdp-analytics-browser in a browser", () => {
  it("contract §13 script: a page with one script tag can make every call, and each call is stored once", async () => {
    await source.post("identify", { userId: "old", traits: { city: "Bonn" } })
    const { calls, errors, elsewhere, page } = await openPage()
    await page.goto(snippetOf(source))
    expect(await page.textContent("pre")).toBe(`<script src="${snippetOf(source)}analytics.min.js"></script>`)
    await run(page, `a.track("Early"); await new Promise((ready) => a.ready(ready));`)
    const { anonymousId } = read(Visitor, await run(page, callEveryMethod))
    const log = (await logOf(page, 8)).slice(1)
    await expectAll(anonymousId)
    expect(await source.event("Early")).toMatchObject({ subject: { id: "ada", anonymous_id: anonymousId } })
    expectOnce(log, calls)
    expect(calls).toEqual(["/v1/t", "/v1/p", "/v1/i", "/v1/t", "/v1/g", "/v1/a", "/v1/t"])
    expect(elsewhere).toEqual([])
    expect(errors).toEqual([])
  })

  it("contract §13 settings: the library loaded with Inlet as its cdnURL sends its calls to Inlet", async () => {
    await source.post("identify", { userId: "old", traits: { city: "Bonn" } })
    const { calls, errors, elsewhere, page } = await openPage()
    await page.goto(`${source.inlet.url}/health/live`)
    await page.addScriptTag({ url: `${source.inlet.url}/v1/analytics-js/index.js` })
    const options = JSON.stringify({ writeKey: source.writeKey, cdnURL: source.inlet.url })
    await run(
      page,
      `const [loaded] = await window.AnalyticsNext.AnalyticsBrowser.load(${options}); window.analytics = loaded;`,
    )
    const { anonymousId } = read(Visitor, await run(page, callEveryMethod))
    const log = (await logOf(page, 7)).slice(1)
    await expectAll(anonymousId)
    expectOnce(log, calls)
    expect(elsewhere).toEqual([])
    expect(errors).toEqual([])
  })

  it("contract §13 CORS: the library works on a page of another origin", async () => {
    const html = `<!doctype html><script src="${snippetOf(source)}analytics.min.js"></script><h1>Shop</h1>`
    const shop = createServer((_request, response) => {
      response.setHeader("content-type", "text/html")
      response.end(html)
    })
    await new Promise<void>((listening) => shop.listen(0, "127.0.0.1", listening))
    const address = shop.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    try {
      const { errors, page } = await openPage()
      await page.goto(`http://localhost:${port}/`)
      await run(
        page,
        `await new Promise((ready) => a.ready(ready)); await window.analytics.identify("eve", { plan: "free" });`,
      )
      await logOf(page, 1)
      expect((await source.person({ id: "eve" })).attributes).toEqual({ plan: "free" })
      expect(errors).toEqual([])
    } finally {
      shop.close()
      shop.closeAllConnections()
    }
  })

  it("the library delivers calls made while offline exactly once after the browser reconnects", async () => {
    const { calls, page } = await openPage()
    await page.goto(snippetOf(source))
    await run(page, `await new Promise((ready) => a.ready(ready)); await window.analytics.identify("ada");`)
    const names = Array.from({ length: 12 }, () => fresh("offline"))
    await context.setOffline(true)
    await run(page, `for (const name of ${JSON.stringify(names)}) a.track(name, { name });`)
    expect(await source.activity({ kind: "event" })).toEqual([])
    await context.setOffline(false)
    const log = await logOf(page, names.length + 1)
    expect(
      log
        .filter(({ kind }) => kind === "event")
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted())
    expectOnce(log, calls)
  })

  it("with an unknown write key, the library does not load and sends no request", async () => {
    const { calls, errors, page } = await openPage()
    await page.goto(snippetOf(source))
    const load = `window.AnalyticsNext.AnalyticsBrowser.load({ writeKey: "nobody", cdnURL: location.origin })`
    await page.addScriptTag({ url: `${source.inlet.url}/v1/analytics-js/index.js` })
    const failed = await run(page, `return ${load}.then(() => "loaded", ({ message }) => message);`)
    expect(failed).toContain("unknown write key")
    expect(errors.join()).toContain("404")
    expect(calls).toEqual([])
  })
})
