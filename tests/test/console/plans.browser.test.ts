import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { tabTo } from "../../src/console/keyboard.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { identify, track } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"
import { summarized } from "../../src/summarized.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

const send = async (name: string, data: object): Promise<number> => {
  const headers = { "user-agent": "shop/1.0" }
  const { status } = await track(inlet, "POST", "/api/v1/customers/ada/events", { name, data }, headers)
  return status
}

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  for (const id of ["ada", "bob"]) await identify(inlet, id, {})
  for (const total of [1, 2.5, "cheap"]) await send("Order Placed", { total })
  await track(inlet, "POST", "/api/v1/customers/bob/events", { name: "Order Placed", data: { total: 4 } })
  await send("Signed Up", {})
  await summarized(new Management(inlet))
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

const address = "/w/1/events/event/Order%20Placed"
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text })
const detail = (page: Page) => page.getByRole("complementary", { name: "Detail" })
const panelIn = (part: Locator) => part.getByRole("region", { name: "The last 7 days with this change" })

const planOf = (total: object) => JSON.stringify({ required: ["total"], properties: { total } })

describe("plans in the console", () => {
  it("a plan is proposed from what was seen, and a mistake is said at its path", async () => {
    const page = await visitWithoutErrors(opened, address, (error) => error.includes("400"))
    await row(page, "Signed Up").getByText("no plan").waitFor()
    await detail(page).getByRole("button", { name: "Propose a plan" }).click()
    const dialog = page.getByRole("dialog", { name: "Plan for Order Placed" })
    const schema = dialog.getByLabel("Schema")
    expect(JSON.parse(await schema.inputValue())).toEqual({
      type: "object",
      properties: { total: { type: ["number", "string"] } },
      required: ["total"],
    })
    await panelIn(dialog).getByText("none would be different").waitFor()
    const save = dialog.getByRole("button", { name: "Save plan" })
    await schema.fill("{")
    await dialog.getByRole("alert").getByText("This is not JSON").waitFor()
    expect(await save.isDisabled()).toBe(true)
    await schema.fill(planOf({ type: "number", pattern: "x" }))
    const alert = dialog.getByRole("alert").getByText('properties.total: plans do not have "pattern"')
    await alert.waitFor()
    expect(await save.isDisabled()).toBe(true)
    await schema.fill(`${planOf({ type: "number", pattern: "x" })}\n`)
    expect([await alert.count(), await save.isDisabled()]).toEqual([1, true])
    expect(await opened.accessibilityProblems()).toEqual([])
    await schema.fill(planOf({ type: "number", minimum: 0 }))
    const panel = panelIn(dialog)
    await panel.getByText("1 would be different").waitFor()
    expect(await panel.getByRole("link").count()).toBe(1)
    expect(await panel.getByText("applied, with other plan").count()).toBe(1)
    expect(await opened.accessibilityProblems()).toEqual([])
    await save.click()
    await page.getByText("The plan is saved as version 1.").waitFor()
    await row(page, "Order Placed").getByText("observe").waitFor()
    const planned = detail(page).getByRole("row", { name: /required; at least 0/ })
    expect(await planned.textContent()).toContain("number")
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("the mode is switched to reject with the keyboard, and a rejected call is counted", async () => {
    const page = await visitWithoutErrors(opened, address)
    await tabTo(page, detail(page).getByRole("button", { name: "Edit" }))
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog", { name: "Edit the plan of Order Placed" })
    await tabTo(page, dialog.getByRole("radio", { name: /^Observe/ }))
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await panelIn(dialog).getByText("1 would be different").waitFor()
    await panelIn(dialog).getByText("applied → rejected (plan_value)").waitFor()
    await tabTo(page, dialog.getByRole("button", { name: "Save plan" }))
    await page.keyboard.press("Enter")
    await page.getByText("The plan is saved as version 2.").waitFor()
    expect(await send("Order Placed", { total: -1 })).toBe(400)
    expect(await send("Order Placed", { total: 3 })).toBe(200)
    await summarized(new Management(inlet))
    await opened.go(address)
    const changes = page.getByRole("region", { name: "Changes", exact: true })
    await changes.getByRole("listitem").filter({ hasText: "1 operation did not fit the plan." }).waitFor()
    const misfit = detail(page).getByRole("listitem").filter({ hasText: "minimum" })
    expect(await misfit.textContent()).toContain("rejected")
    expect(await misfit.textContent()).toContain("shop/1.0")
    expect(await opened.accessibilityProblems()).toEqual([])
    await opened.go("/w/1/events?q=plan:violated")
    expect(await row(page, "Signed Up").count()).toBe(0)
    await row(page, "Order Placed").getByRole("link", { name: "1" }).click()
    await page.getByText("1 operation matches").waitFor()
    expect(new URL(page.url()).searchParams.get("filter")).toBe(
      'plan:violated kind:event,anonymous_event name:"Order Placed"',
    )
  })

  it("a plan is deleted after a look at what would have been", async () => {
    const page = await visitWithoutErrors(opened, address)
    await detail(page).getByRole("button", { name: "Delete" }).click()
    const dialog = page.getByRole("alertdialog", { name: "Delete the plan of Order Placed" })
    await panelIn(dialog).getByText("operations decided again").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await dialog.getByRole("button", { name: "Delete plan" }).click()
    await detail(page).getByText("No plan: any data are accepted.").waitFor()
  })

  it("a name of which everything is rejected is in the list with its plan", async () => {
    const management = new Management(inlet)
    const schema = { properties: { step: { type: "integer" } }, additionalProperties: false }
    const plans = [{ kind: "event", name: "Checkout Started", mode: "reject", schema }]
    await management.call("PUT", management.pathOf("/plan"), { plans })
    expect(await send("Checkout Started", { step: "one" })).toBe(400)
    const page = await visitWithoutErrors(opened, "/w/1/events", (error) => error.includes("404"))
    await row(page, "Checkout Started").getByText("not seen").waitFor()
    await row(page, "Checkout Started").getByRole("link", { name: "1" }).waitFor()
    const changes = page.getByRole("listitem").filter({ hasText: "1 operation did not fit the plan." })
    await changes.filter({ hasText: "Checkout Started" }).waitFor()
    await row(page, "Checkout Started").getByText("reject").click()
    await detail(page).getByText("No operation that took effect was counted under this name.").waitFor()
    await detail(page).getByText("is text(3), which type of the plan does not allow").waitFor()
    await detail(page)
      .getByRole("row", { name: /^step integer/ })
      .waitFor()
  })

  it("a name of which everything is rejected because it has no plan is in the list", async () => {
    const management = new Management(inlet)
    await management.call("PATCH", management.pathOf(""), { unknown_events: "reject" })
    onTestFinished(async () => {
      await management.call("PATCH", management.pathOf(""), { unknown_events: "allow" })
    })
    expect(await send("Never Planned", {})).toBe(400)
    const page = await visitWithoutErrors(opened, "/w/1/events", (error) => error.includes("404"))
    await row(page, "Never Planned").getByText("no plan").waitFor()
    const changes = page.getByRole("listitem").filter({ hasText: "1 operation came without a plan." })
    await changes.filter({ hasText: "Never Planned" }).waitFor()
    await row(page, "Never Planned").getByText("not seen").click()
    await detail(page).getByText("has no plan").waitFor()
    await detail(page).getByText("No plan: its operations are rejected, as the settings say.").waitFor()
    await page.getByLabel("Changes of").focus()
    await page.keyboard.press("ArrowDown")
    await page.waitForURL(/last=7d/)
    await changes.filter({ hasText: "Never Planned" }).waitFor()
    await page.getByLabel("Changes of").and(page.locator(":focus")).waitFor()
  })
})
