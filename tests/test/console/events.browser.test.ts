import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { identify, pipelines, track } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"
import { summarized } from "../../src/summarized.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  for (const id of ["ada", "bob"]) await identify(inlet, id, { plan: "pro" })
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
const detail = (page: Page) => page.getByRole("complementary", { name: "Detail" })
const management = () => new Management(inlet)

/** Sends an event of each of two people, because keys that one person alone sends may be data. */
const order = async (version: string, properties: object): Promise<void> => {
  for (const userId of ["ada", "bob"]) {
    const headers = { "user-agent": `shop/${version}` }
    await pipelines(inlet, "/v1/track", { userId, event: "Order Placed", properties }, headers)
  }
}

describe("the page Home", () => {
  it("says that all is well, until a call is refused, and leads to what was", async () => {
    await order("1.0", { total: 12, coupon: "A" })
    await summarized(management())
    const page = await visit("/")
    await page.waitForURL(/\/w\/1\/home$/)
    const verdict = page.getByRole("region", { name: "Verdict" })
    await verdict.getByRole("heading", { name: "All well" }).waitFor()
    await page.getByRole("listitem").filter({ hasText: "shop/1.0" }).first().waitFor()
    await page
      .getByRole("listitem")
      .filter({ hasText: "new name" })
      .filter({ hasText: "Order Placed" })
      .waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await track(inlet, "PUT", "/api/v1/customers/ada", { plan: "x".repeat(1001) })
    await verdict.getByText("1 new cause of refusals since yesterday, in 1 operation.").waitFor()
    await verdict.getByRole("heading", { name: "Nothing is broken, 1 thing to look at" }).waitFor()
    await verdict.getByRole("link", { name: "Errors" }).click()
    await row(page, "plan: value for attribute").waitFor()
    expect(page.url()).toContain("/errors?only=new")
  })

  it("is not said to be well if a part could not be read", async () => {
    const page = await visitWithoutErrors(opened, "/w/1/errors", (error) => error.includes("503"))
    await page.route("**/workspaces/1/lake", (route) =>
      route.fulfill({ status: 503, json: { title: "Unavailable", detail: "The store is away." } }),
    )
    await opened.follow("/w/1/home")
    await page.getByText("Could not be read: lake.").waitFor()
    await page.unroute("**/workspaces/1/lake")
    await page.getByText("Could not be read: lake.").waitFor({ state: "detached" })
  })
})

describe("the page Events", () => {
  it("shows what another version of a client sends otherwise, and who", async () => {
    const before = (await management().activityPage({ limit: "1" })).items[0]?.sequence ?? 0
    await order("2.0", { total: "12.50", channel: "app" })
    await summarized(management())
    const page = await visit("/w/1/events")
    // Everything is new on the first day, so the changes are asked for since the first version of the client.
    await page.route("**/drift?*", (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set("since", String(before))
      return route.continue({ url: url.href })
    })
    await page.getByLabel("Changes of").selectOption("Last hour")
    const changes = page.getByRole("region", { name: "Changes", exact: true })
    const wider = changes.getByRole("listitem").filter({ hasText: "other type" })
    await wider.getByText("The path total was integer, and is string too.").waitFor()
    expect(await wider.textContent()).toContain("shop/2.0")
    await changes.getByText("The path coupon was always there, and is missing now.").waitFor()
    await changes.getByText("The path channel is new: string.").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await wider.getByRole("link", { name: "Order Placed" }).click()
    const panel = detail(page)
    await panel
      .getByRole("row", { name: /^total/ })
      .getByText("50 %")
      .first()
      .waitFor()
    expect(await panel.getByRole("row", { name: /^coupon/ }).textContent()).toContain("50\u00a0%")
    expect(await panel.getByRole("listitem").filter({ hasText: "shop/1.0" }).count()).toBe(1)
    expect(await panel.getByText("The path channel is new: string.").count()).toBe(1)
    expect(await panel.getByText("inlet types generate > events.ts").count()).toBe(1)
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.unroute("**/drift?*")
  })

  it("begins a segment of the people who sent an event, and shows its operations", async () => {
    const page = await visit("/w/1/events/event/Order%20Placed")
    await detail(page).getByRole("link", { name: "Make a segment of the people" }).click()
    await page.waitForURL(/\/segments\/new\?/)
    await page.getByText("2 people").first().waitFor()
    await page.goBack()
    await detail(page).getByRole("link", { name: "Show the operations in Live" }).click()
    await page.getByText("4 operations match").waitFor()
  })

  it("lists the attributes of people and of each type of objects", async () => {
    await management().call("POST", management().pathOf("/operations"), {
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "acme" },
      attributes: { seats: 4 },
    })
    await summarized(management())
    const page = await visit("/w/1/events?kind=person")
    await row(page, "Attributes of people").click()
    await detail(page).getByRole("row", { name: /^plan/ }).waitFor()
    await page.getByLabel("Kind").selectOption("Objects")
    await row(page, "Attributes of objects of type 1").waitFor()
    await page.getByLabel("Search events").fill("nothing like it")
    await page.getByText("No name found").waitFor()
  })
})
