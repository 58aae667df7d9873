import type { Browser, Page, Request, Route } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { base64, identified, pipelines } from "../../src/ingestion.ts"
import { PipelinesKey, read } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

/** Opens a page of the console, which must not log an error during the test. */
const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text })

/** JavaScript source that starts reads in the page, and gives up all but the first once that is answered. */
const giveUpReads = (path: string): string => `(async () => {
  const given = new AbortController()
  const read = (signal) => fetch(${JSON.stringify(path)}, { signal }).catch(() => undefined)
  const first = read(null)
  const others = Array.from({ length: 5 }, () => read(given.signal))
  await first
  given.abort()
  await Promise.all(others)
})()`

const burst = Array.from({ length: 100 }, () => ({
  type: "person",
  action: "event",
  identifiers: { id: "ada" },
  name: "burst",
}))

describe("Live in the console", () => {
  it("every row says whom it concerns: the segment, whom a rejected call named, or its path", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "pro" })
    const rule = { attribute: { field: "plan", operator: "eq", value: "pro" } }
    const ruled = await tenant.createSegment("Pro people", rule)
    const byHand = await tenant.createSegment("Chosen people")
    const { svc_id } = await tenant.person({ id: "ada" })
    await tenant.call("PUT", tenant.pathOf(`/segments/${byHand}/people/${svc_id}`))
    await tenant.entity({ type: "person", action: "fly", identifiers: { id: "somebody" } })
    await tenant.identify("named", { plan: "x".repeat(1001) })
    const page = await visit(`/w/${tenant.workspace}/live`)
    await row(page, "segment_add").filter({ hasText: "Chosen people" }).waitFor()
    // What Inlet makes itself is left out until it is asked for.
    expect(await row(page, "segment_change").count()).toBe(0)
    await page.getByRole("button", { name: "System", exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get("system") === "show")
    await row(page, "segment_change").filter({ hasText: "Pro people" }).first().waitFor()
    await row(page, "person fly").filter({ hasText: "somebody" }).waitFor()
    await row(page, "rejected").filter({ hasText: "/api/v1/customers/named" }).waitFor()
    await row(page, "segment_change").first().click()
    await page.getByRole("link", { name: "Open segment Pro people" }).click()
    await page.waitForURL(`**/segments/${ruled}`)
  })

  it("an operation between the first list and the stream is shown, also if the filter had no match yet", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", {})
    const { page } = opened
    const stream = /\/activity\/stream/
    const held: Array<Route> = []
    await page.route(stream, (route) => void held.push(route))
    onTestFinished(() => page.unroute(stream))
    await opened.go(`/w/${tenant.workspace}/live?filter=name:between`)
    await eventually("the page asks for the stream", () => (held.length > 0 ? true : undefined))
    await tenant.recordEvent("ada", { name: "between" })
    await Promise.all(held.map((route) => route.continue()))
    await row(page, "between").waitFor()
  })

  it("the chart follows the filter and the period, and says what is in the bar under the pointer", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([identified("ada"), identified("bob")])
    await tenant.recordEvent("ada", { name: "order_placed" })
    const page = await visit(`/w/${tenant.workspace}/live?filter=name:order_placed`)
    await page.getByRole("img", { name: /Operations, Last 24 hours: 1 applied/ }).waitFor()
    await page.getByText("Last 24 hours: 1 operation matches").waitFor()
    await page.getByLabel("Period").selectOption({ label: "Last hour" })
    const chart = page.getByRole("img", { name: /Operations, Last hour: 1 applied/ })
    await chart.waitFor()
    await row(page, "order_placed").waitFor()
    await eventually("a bar is pointed at", async () => {
      const box = await chart.boundingBox()
      if (box === null) return undefined
      for (let left = box.width - 18; left > box.width - 60; left -= 6) {
        await page.mouse.move(box.x + left, box.y + 20)
        const text = await page.getByRole("tooltip").textContent()
        if (text?.includes("1 applied") === true) return true
      }
      return undefined
    })
    await page.mouse.move(0, 0)
    await page.getByRole("tooltip").waitFor({ state: "detached" })
  })

  it("the chart shows no number of the last filter as that of the next", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([identified("ada"), identified("bob")])
    const page = await visit(`/w/${tenant.workspace}/live`)
    await page.getByText("Last 24 hours: 2 operations").waitFor()
    const stats = /\/stats\?.*filter=/
    const held: Array<Route> = []
    await page.route(stats, (route) => void held.push(route))
    onTestFinished(() => page.unroute(stats))
    await page.getByPlaceholder(/^Filter/).fill("kind:event")
    await page.keyboard.press("Enter")
    await page.getByText("Last 24 hours: counting…").waitFor()
    expect(await page.getByText("2 applied").count()).toBe(0)
    await eventually("the counts are asked for", () => (held.length > 0 ? true : undefined))
    await Promise.all(held.map((route) => route.continue()))
    await page.getByText("Last 24 hours: 0 operations match").waitFor()
  })

  it("a change without a kind, and a rejected call, say what they were about", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.call("POST", tenant.pathOf("/segments"), { name: "Beta" })
    await tenant.batch([{ type: "person", action: "fly", identifiers: { id: "ada" } }])
    const page = await visit(`/w/${tenant.workspace}/live`)
    await row(page, "segment Beta").filter({ hasText: "created" }).waitFor()
    await row(page, "person fly").filter({ hasText: "rejected" }).click()
    await page.getByRole("complementary", { name: "Detail" }).getByText("person fly").waitFor()
  })

  it("a rolling period stays in the address, and keeps showing what arrives", async () => {
    const tenant = await Tenant.create({}, inlet)
    const page = await visit(`/w/${tenant.workspace}/live`)
    await page.getByLabel("Period").selectOption({ label: "Last 15 minutes" })
    await page.waitForURL(/last=15m/)
    expect(page.url()).not.toContain("from=")
    await tenant.identify("rolling", {})
    await row(page, "rolling").waitFor()
    await page.reload()
    await row(page, "rolling").waitFor()
    expect(await page.getByLabel("Period").inputValue()).toBe("15m")
    await page.clock.setSystemTime(Date.now() + 20 * 60_000)
    onTestFinished(() => page.clock.resume())
    await row(page, "rolling").waitFor({ state: "detached" })
  })

  it("a test event and an edited repetition of an operation are sent from the page", async () => {
    const tenant = await Tenant.create({}, inlet)
    const page = await visit(`/w/${tenant.workspace}/live`)
    await page.getByRole("button", { name: "Send a test event" }).click()
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await row(page, "test_event").click()
    await page.getByRole("button", { name: "Send again" }).click()
    const operation = page.getByLabel("Operation", { exact: true })
    const text = await operation.inputValue()
    await operation.fill("{")
    await page
      .getByText("This must be a JSON object with the texts type and action, or method and path.")
      .waitFor()
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true)
    await operation.fill(text.replace("test_event", "edited_event"))
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByText("The outcome is “pending”").first().waitFor()
    await row(page, "edited_event").waitFor()
  })

  it("a rejected call of the Pipelines API is sent again from the page, mended", async () => {
    const tenant = await Tenant.create({}, inlet)
    const made = await tenant.call("POST", tenant.pathOf("/keys"), { kind: "pipelines", name: "web" })
    const { write_key } = read(PipelinesKey, made.json)
    const authorization = `Basic ${base64(`${write_key}:`)}`
    await pipelines(
      inlet,
      "/v1/track",
      { userId: "ada", event: "", properties: { total: 12 } },
      { authorization },
    )
    const page = await visit(`/w/${tenant.workspace}/live`)
    await row(page, "rejected").click()
    await page.getByRole("button", { name: "Send again" }).click()
    const operation = page.getByLabel("Operation", { exact: true })
    const text = await operation.inputValue()
    await operation.fill(text.replace('"event": ""', '"event": "mended"'))
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await row(page, "mended").waitFor()
    expect((await tenant.event("mended")).data).toEqual({ total: 12 })
  })

  it("a burst while the page Start is open leaves the reads of other pages free", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", {})
    const page = await visit(`/w/${tenant.workspace}/start`)
    await page.getByText("Waiting for the next event…").waitFor()
    // The page itself asks for the explanation of each operation that it shows, and gives it up when newer ones come.
    for (let sent = 0; sent < 20; sent++) {
      await tenant.batch(burst)
      await page.evaluate(giveUpReads(`/management/v1/workspaces/${tenant.workspace}/activity?limit=100`))
    }
    await page.getByRole("link").filter({ hasText: "burst" }).first().waitFor()
    await page.getByRole("link", { name: "People" }).click()
    await row(page, "ada").waitFor()
  })

  it("a burst while the page Start is open asks for few explanations, and for none twice", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", {})
    const page = await visit(`/w/${tenant.workspace}/start`)
    await page.getByText("Waiting for the next event…").waitFor()
    const asked: Array<string> = []
    const note = (request: Request) => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith("/explanation")) asked.push(pathname)
    }
    page.on("request", note)
    onTestFinished(() => void page.off("request", note))
    const started = performance.now()
    for (let sent = 0; sent < 20; sent++) await tenant.batch(burst)
    await tenant.recordEvent("ada", { name: "last_of_all" })
    await page.getByRole("link").filter({ hasText: "last_of_all" }).first().waitFor()
    await opened.idle()
    // The list changes at most twice a second, and shows five operations.
    const changes = 2 + Math.ceil((performance.now() - started) / 500)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.length).toBeLessThanOrEqual(5 * changes)
    expect(asked).toHaveLength(new Set(asked).size)
  })
})
