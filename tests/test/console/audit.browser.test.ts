import { readFile } from "node:fs/promises"
import { Schema } from "effect"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management, read } from "../../src/Management.ts"

let browser: Browser
let inlet: Inlet
let admin: ConsoleVisit
let management: Management

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  management = new Management(inlet)
  admin = await ConsoleVisit.open(browser, inlet)
  await admin.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

it("the page of the audit log lists, filters, shows and exports records", async () => {
  await management.call("PATCH", "/workspaces/1", { name: "Shop", retention_days: 90 })
  await management.call("POST", management.pathOf("/keys"), { kind: "track", name: "web" })
  const page = await visitWithoutErrors(admin, "/w/1/audit")
  const rows = page.getByRole("grid", { name: "Audit" }).getByRole("row")
  const row = (text: string) => rows.filter({ hasText: text })
  await row("key.create").first().waitFor()
  await row("workspace.update").first().waitFor()
  expect(await admin.accessibilityProblems()).toEqual([])

  await row("workspace.update").first().click()
  const dialog = page.getByRole("dialog", { name: "workspace.update" })
  await dialog.getByRole("row", { name: "retention_days null 90" }).waitFor()
  await dialog.getByText("the installation's token (token)").waitFor()
  expect(await admin.accessibilityProblems()).toEqual([])
  await dialog.getByRole("button", { name: "Done" }).click()

  const offered = await page
    .getByLabel("Action")
    .locator("option")
    .evaluateAll((options) => options.map((option) => option.getAttribute("value")))
  expect(offered).toEqual(expect.arrayContaining(["view", "duplicate", "lake", "mcp"]))
  await page.getByLabel("Action").selectOption("key")
  await page.waitForURL(/action=key/)
  await row("workspace.update").first().waitFor({ state: "detached" })
  await row("key.create").first().waitFor()
  await page.getByLabel("Action").selectOption("webhook")
  await page.getByRole("heading", { name: "No records" }).waitFor()
  await page.getByLabel("Action").selectOption("session")
  await page.getByLabel("Records about").selectOption("installation")
  await row("session.sign_in").first().waitFor()

  const downloading = page.waitForEvent("download")
  await page.getByRole("link", { name: "Export" }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe("audit.ndjson")
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\n")
  expect(lines[0]).toContain('"action":"session.sign_in"')
  expect(lines.at(-1)).toMatch(/^\{"end":true,"count":\d+\}$/)
})

it("a phone, which has no room for the outcome, shows beside the action that it was refused", async () => {
  await management.call("PATCH", "/workspaces/1", { audit_days: -1 })
  const phone = await ConsoleVisit.open(browser, inlet, { width: 390, height: 844 })
  onTestFinished(() => phone.context.close())
  await phone.context.addCookies(await admin.context.cookies())
  await phone.go("/w/1/audit?outcome=refused")
  const row = phone.page.getByRole("row").filter({ hasText: "workspace.update" })
  await row.getByText("refused").waitFor()
  expect(await phone.page.getByRole("columnheader", { name: "Outcome" }).count()).toBe(0)
})

it("a token that is not an admin has no page of the audit log", async () => {
  const { json } = await management.call("POST", "/tokens", {
    name: "reader",
    scope: "read",
    workspaces: null,
  })
  const { token } = read(Schema.Struct({ token: Schema.String }), json)
  const opened = await ConsoleVisit.open(browser, inlet)
  onTestFinished(() => opened.context.close())
  await opened.signIn(token)
  await opened.page.getByRole("link", { name: "Keys" }).first().waitFor()
  expect(await opened.page.getByRole("link", { name: "Audit" }).count()).toBe(0)
  await opened.go("/w/1/audit")
  await opened.page.getByText("This needs the scope admin").waitFor()
})
