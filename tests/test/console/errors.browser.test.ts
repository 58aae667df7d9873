import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { press } from "../../src/console/keyboard.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { base64, identify, track } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"
import { summarized } from "../../src/summarized.ts"

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
const detail = (page: Page) => page.getByRole("complementary", { name: "Detail" })
const shop = { "user-agent": "shop/2.1 (linux)" }

/** Sends calls that are refused because of the length of a value. */
const refuse = async (ids: ReadonlyArray<string>, headers: Record<string, string>): Promise<void> => {
  for (const id of ids) {
    const answer = await track(inlet, "PUT", `/api/v1/customers/${id}`, { plan: "x".repeat(1001) }, headers)
    expect(answer.status).toBe(400)
  }
}

describe("the page Errors", () => {
  it("says how errors get there while there are none", async () => {
    const page = await visit("/w/1/errors")
    await page.getByText("Nothing was refused in this period").waitFor()
    await page.getByText("Calls with unknown keys: none").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("shows a refused call by cause, with the answer that the client got and the clause", async () => {
    // A cause names a key only if more than one person has sent it.
    await identify(inlet, "ada", { plan: "pro" })
    await identify(inlet, "bob", { plan: "free" })
    await refuse(["a", "b", "c"], shop)
    await refuse(["d"], { "user-agent": "crm/1" })
    await summarized(new Management(inlet))
    const page = await visit("/w/1/errors")
    await row(page, "shop/2.1").waitFor()
    const texts = await row(page, "shop/2.1").textContent()
    expect(texts).toMatch(/^rejected.*new.*plan: value for attribute '…' cannot be longer than … bytes/)
    expect(await row(page, "shop/2.1").getByText("3", { exact: true }).count()).toBe(1)
    expect(await page.getByText("shop/2.1", { exact: true }).getAttribute("title")).toBe(shop["user-agent"])
    await press(page, "j", "Enter")
    const panel = detail(page)
    await panel.getByText("The answer the client got: 400").waitFor()
    expect(await panel.getByLabel("Answer to the last call", { exact: true }).textContent()).toContain(
      "cannot be longer than 1000 bytes",
    )
    await panel.getByText("The clause that decided").waitFor()
    await panel.getByText("recorded refusals").first().waitFor()
    await panel.getByText("Shorten the value").waitFor()
    await panel.getByRole("link", { name: "crm/1" }).waitFor()
    await panel.getByText(shop["user-agent"]).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await press(page, "Escape")
    await panel.waitFor({ state: "detached" })
  })

  it("saves the calls of a cause alone, sends the last one again, and leads to Live", async () => {
    const page = await visit("/w/1/errors")
    await row(page, "shop/2.1").click()
    const panel = detail(page)
    const save = async (format: string): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        panel.getByRole("button", { name: format, exact: true }).click(),
      ])
      return readFile(await file.path(), "utf8")
    }
    const lines = (await save("NDJSON")).trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line).sender.user_agent)).toEqual(Array(3).fill(shop["user-agent"]))
    expect((await save("CSV")).trimEnd().split("\r\n")).toHaveLength(4)
    await panel.getByRole("button", { name: "Send again" }).click()
    const dialog = page.getByRole("dialog", { name: "Send the call again" })
    await dialog
      .getByRole("textbox")
      .fill('{"method":"PUT","path":"/api/v1/customers/c","body":{"plan":"pro"}}')
    await dialog.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByText("The outcome is").waitFor()
    await panel.getByRole("link", { name: "Show the operations in Live" }).click()
    await page.getByRole("heading", { name: "Live", exact: true }).waitFor()
    await page.getByText("3 operations match").waitFor()
  })

  it("shows what is new alone, and says if a cause has nothing in the period", async () => {
    const page = await visit("/w/1/errors")
    await page.getByLabel("Causes").selectOption("New since yesterday")
    await row(page, "shop/2.1").waitFor()
    expect(page.url()).toContain("only=new")
    await page.getByLabel("Period").selectOption("Last hour")
    await page.waitForURL(/last=1h/)
    expect(await page.getByLabel("Period").locator("option", { hasText: "Any time" }).count()).toBe(0)
    await opened.go("/w/1/errors/none?last=1h")
    await detail(page).getByRole("link", { name: "Look at the last 30 days" }).click()
    await page.waitForURL(/errors\/none\?last=30d/)
  })

  it("names the calls whose key no workspace has", async () => {
    const wrong = { authorization: `Basic ${base64("0b1c2d3e4f5a:wrong")}`, "user-agent": "cron/3" }
    expect((await track(inlet, "PUT", "/api/v1/customers/ada", {}, wrong)).status).toBe(401)
    const page = await visit("/w/1/errors")
    const unknown = page.getByRole("region", { name: "Calls with unknown keys" })
    await page.getByText("Calls with unknown keys: 1 call").click()
    const texts = await unknown.getByRole("listitem").textContent()
    expect(texts).toMatch(/0b1c2d3e4f5a.*PUT \/api\/v1\/customers\/:identifier.*cron\/3.*127\.0\.0\.1/)
    expect(await opened.accessibilityProblems()).toEqual([])
  })
})
