import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { press } from "../../src/console/keyboard.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { identified } from "../../src/ingestion.ts"
import { summarized } from "../../src/summarized.ts"
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
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const event = (id: string, name: string) => ({ type: "person", action: "event", identifiers: { id }, name })

describe("the query line", () => {
  it("completes names that exist with their counts, and shows the operations of the one that is chosen", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([
      identified("ada"),
      event("ada", "Order Placed"),
      event("ada", "Order Placed"),
      event("ada", "signed_up"),
    ])
    await summarized(tenant)
    const page = await visit(`/w/${tenant.workspace}/live`)
    await press(page, "/")
    await page.keyboard.type("name:ord")
    await page.getByRole("option", { name: /^name:"Order Placed".*2$/ }).click()
    await page.waitForURL((url) => url.searchParams.get("filter") === 'name:"Order Placed"')
    await page.getByText("2 operations match").waitFor()
    await row(page, "Order Placed").nth(1).waitFor()
    expect(await row(page, "signed_up").count()).toBe(0)
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("keeps what is typed before its script has arrived, completes it then, and asks for it without", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([identified("ada"), event("ada", "signed_up")])
    await summarized(tenant)
    const other = await ConsoleVisit.open(browser, inlet)
    onTestFinished(() => other.context.close())
    await other.context.addCookies(await opened.context.cookies())
    const { page } = other
    const held = Promise.withResolvers<void>()
    await page.route("**/assets/dialogs-*.js", async (route) => {
      await held.promise
      await route.continue()
    })
    await other.go(`/w/${tenant.workspace}/live`)
    await row(page, "signed_up").waitFor()
    await press(page, "/")
    await page.keyboard.type("kind:identify")
    await page.keyboard.press("Enter")
    await row(page, "signed_up").waitFor({ state: "detached" })
    await page.getByLabel("Filter", { exact: true }).fill("name:sig")
    held.resolve()
    await page.getByRole("option", { name: /^name:signed_up.*1$/ }).waitFor()
    await page.keyboard.type("n")
    expect(await page.getByRole("combobox", { name: "Filter" }).inputValue()).toBe("name:sign")
  })

  it("filters by a cell under the pointer, and with the key f", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([identified("ada"), event("ada", "signed_up"), event("nobody", "lost")])
    const page = await visit(`/w/${tenant.workspace}/live`)
    await row(page, "lost").getByRole("gridcell").nth(2).hover()
    await page.getByTitle("Only name:lost").click()
    await page.waitForURL((url) => url.searchParams.get("filter") === "name:lost")
    await row(page, "signed_up").waitFor({ state: "detached" })
    await button(page, "Clear the filter").click()
    await row(page, "signed_up").waitFor()
    await press(page, "Escape", "j", "f")
    const dialog = page.getByRole("dialog", { name: "Filter by a value of the row" })
    await dialog.getByText("outcome:pending").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await dialog.getByRole("listitem").filter({ hasText: "outcome:" }).getByText("All others").click()
    await page.waitForURL((url) => url.searchParams.get("filter") === "-outcome:pending")
    await row(page, "lost").waitFor({ state: "detached" })
  })

  it("searches the log to its end by itself, and shows what it finds on the way", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([identified("needle"), event("needle", "first")])
    for (let sent = 0; sent < 12; sent++) {
      await tenant.batch(Array.from({ length: 900 }, (_, n) => event("needle", `filler ${sent} ${n}`)))
    }
    const page = await visit(`/w/${tenant.workspace}/live?filter=id:none`)
    await page.getByText("No operation matches").waitFor()
    await opened.go(`/w/${tenant.workspace}/live?filter=name:fir*`)
    await row(page, "first").waitFor()
  })

  it("shows the chosen columns, saves them with the filter as a view, opens it again and deletes it", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([identified("ada"), event("ada", "signed_up")])
    const page = await visit(`/w/${tenant.workspace}/live?filter=kind:event`)
    await button(page, "Columns").click()
    await page.getByLabel("Operation id").check()
    await page.getByLabel("Reason").uncheck()
    await page.keyboard.press("Escape")
    await page.getByRole("columnheader", { name: "Operation id" }).waitFor()
    await button(page, "Views").click()
    await page.getByRole("menuitem", { name: "Save this view…" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Events with ids")
    expect(await opened.accessibilityProblems()).toEqual([])
    await button(page, "Save view").click()
    await button(page, "Events with ids").waitFor()
    const address = page.url()
    await opened.go(`/w/${tenant.workspace}/live`)
    await button(page, "Views").click()
    await page.getByRole("menuitem", { name: "Events with ids" }).click()
    await page.waitForURL(address)
    await page.getByRole("columnheader", { name: "Operation id" }).waitFor()
    expect(await page.getByRole("columnheader", { name: "Reason" }).count()).toBe(0)
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      (async () => {
        await button(page, "Download the list").click()
        await page.getByRole("menuitem", { name: /^NDJSON/ }).click()
      })(),
    ])
    const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(["signed_up"])
    await button(page, "Events with ids").click()
    await page.getByRole("menuitem", { name: /^Delete “Events with ids”/ }).click()
    await button(page, "Delete view").click()
    await button(page, "Views").waitFor()
  })

  it("finds people by parts of names and emails in any order, and by several attributes", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([
      identified("zoe1", { name: "Zoë Müller", email: "zm@shop.example", plan: "pro", country: "DE" }),
      identified("ada1", { name: "Ada King Lovelace", email: "ada@example.com", plan: "pro", country: "AT" }),
      identified("bob1", { name: "Bob", plan: "free" }),
    ])
    const page = await visit(`/w/${tenant.workspace}/people`)
    const line = page.getByRole("combobox", { name: "Search people" })
    for (const [query, found] of [
      ["muller zoe", "zoe1"],
      ["shop.exa", "zoe1"],
      ["lovelace ada", "ada1"],
      ["plan:pro -country:DE", "ada1"],
    ] as const) {
      await line.fill(query)
      await page.getByText("1 match. Everybody was searched.").waitFor()
      await row(page, found).waitFor()
    }
    await line.fill("plan:")
    await page.getByRole("option", { name: /^plan:pro.*2$/ }).click()
    await page.getByText("2 matches. Everybody was searched.").waitFor()
    await row(page, "zoe1").getByRole("gridcell").first().hover()
    await page.getByTitle("Only email:*@shop.example").click()
    await page.getByText("1 match. Everybody was searched.").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
  })
})
