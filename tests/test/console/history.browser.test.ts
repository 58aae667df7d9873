import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
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

/** Opens a page of the console, which must not log an error during the test. */
const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)

describe("the history of a person in the console", () => {
  it("a slider goes back through the operations, shows what has changed since, and stands in the address", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "free" })
    await tenant.recordEvent("ada", { name: "bought" })
    await tenant.identify("ada", { plan: "pro", seats: 3 })
    const { svc_id } = await tenant.person({ id: "ada" })
    const page = await visit(`/w/${tenant.workspace}/people/${svc_id}`)
    await page.getByLabel("Moment").focus()
    await page.keyboard.press("ArrowLeft")
    const changes = page.getByLabel("Changes").getByRole("row")
    await page.getByText(/^After event bought/).waitFor()
    await changes
      .filter({ hasText: "attributes.plan" })
      .filter({ hasText: "free" })
      .filter({ hasText: "pro" })
      .waitFor()
    await changes.filter({ hasText: "attributes.seats" }).filter({ hasText: "not set" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.reload()
    await page.getByText(/^After event bought/).waitFor()
    await page.getByRole("button", { name: "Earlier" }).click()
    await page.getByText(/^After identify/).waitFor()
    await changes.filter({ hasText: "attributes.seats" }).waitFor()
    await page.getByRole("button", { name: "Now" }).click()
    await page.getByText("Move back to see what has changed since.").waitFor()
    expect(new URL(page.url()).searchParams.has("position")).toBe(false)
  })
})
