import type { Browser, Page, Route } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
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

const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)

/** Answers requests to a path until the end of the test. */
const answer = async (path: RegExp, respond: (route: Route) => Promise<void>): Promise<void> => {
  await opened.page.route(path, respond)
  onTestFinished(() => opened.page.unroute(path, respond))
}

describe("what the console says while not everything was looked at", () => {
  it("a search of people says how far it is, goes on by itself, and finds nobody only at its end", async () => {
    const tenant = await Tenant.create({}, inlet)
    const held = Promise.withResolvers<void>()
    await answer(/\/people\?.*filter=/, async (route) => {
      const isLast = route.request().url().includes("after=")
      if (isLast) await held.promise
      const page = isLast
        ? { items: [], next: null, searched: 1200 }
        : { items: [], next: "cursor", searched: 5000 }
      await route.fulfill({ json: page })
    })
    const page = await visit(`/w/${tenant.workspace}/people?q=plan%3Dpro`)
    await page.getByText("0 matches, searching on: 5,000 people so far…").waitFor()
    await page.getByRole("heading", { name: "Nothing found so far" }).waitFor()
    expect(await page.getByText("Nobody found").count()).toBe(0)
    held.resolve()
    await page.getByText("0 matches. Everybody was searched.").waitFor()
    await page.getByRole("heading", { name: "Nobody found" }).waitFor()
  })

  it("the chart counts what a filter matches since a time, and says that it counted no older operations", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", {})
    await answer(/\/stats\?.*filter=/, async (route) => {
      const response = await route.fetch()
      const stats = await response.json()
      await route.fulfill({ json: { ...stats, counted_from: stats.steps.at(-2).at } })
    })
    const page = await visit(`/w/${tenant.workspace}/live?filter=name:absent`)
    await page.getByText(/0 operations match, counted since .*\. Older ones were not counted\./).waitFor()
    const chart = page.getByRole("img", { name: /counted since/ })
    const box = await chart.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 20)
    await page.getByRole("tooltip").getByText("Not counted").waitFor()
    await page.mouse.move(0, 0)
  })

  it("the chart never has fewer operations than the list below it", async () => {
    const tenant = await Tenant.create({}, inlet)
    const page = await visit(`/w/${tenant.workspace}/live?filter=name:arrived`)
    await page.getByText("Last 24 hours: 0 operations match").waitFor()
    const held: Array<Route> = []
    await answer(/\/stats\?.*filter=/, async (route) => void held.push(route))
    await tenant.recordEvent("ada", { name: "arrived" })
    await page.getByRole("row").filter({ hasText: "arrived" }).waitFor()
    await page.getByText("Last 24 hours: counting…").waitFor()
    await opened.page.unroute(/\/stats\?.*filter=/)
    await Promise.all(held.map((route) => route.continue()))
    await page.getByText("Last 24 hours: 1 operation matches").waitFor()
  })

  it("a list that was searched in part says so instead of finding nothing", async () => {
    const tenant = await Tenant.create({}, inlet)
    await answer(/\/search\?/, (route) =>
      route.fulfill({ json: { items: [], partly_searched: ["segment"] } }),
    )
    const page = await visit(`/w/${tenant.workspace}/segments?q=old`)
    await page.getByRole("heading", { name: "Nothing found so far" }).waitFor()
    await page.getByText("Only the newest segments were searched.").waitFor()
  })

  it("the causes of failures say how many operations were counted", async () => {
    const tenant = await Tenant.create({}, inlet)
    for (let part = 0; part < 3; part++) {
      const wrong = { type: "person", action: "fly", identifiers: { id: "ada" } }
      await tenant.batch(Array.from({ length: 100 }, () => wrong))
    }
    const page = await visit(`/w/${tenant.workspace}/health`)
    await page.getByText(/Older operations were not counted: the newest 250 rejected were, since/).waitFor()
  })
})
