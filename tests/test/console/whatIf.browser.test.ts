import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { identify } from "../../src/ingestion.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
  await identify(inlet, "ada", { plan: "pro", ssn: "1" })
  await identify(inlet, "bob", { plan: "free" })
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

describe("trials in the console", () => {
  it("say before a setting is saved which operations it would decide otherwise", async () => {
    const page = await visitWithoutErrors(opened, "/w/1/settings")
    const list = page.getByLabel("Left out, one a line")
    await list.fill("traits.ssn")
    const panel = page.getByRole("region", { name: "The last 7 days with this change" })
    await panel.getByText("2 operations decided again: 1 would be different, about 1 person.").waitFor()
    expect(await panel.getByRole("link").getAttribute("href")).toMatch(/\/w\/1\/operations\/op/)
    expect(await opened.accessibilityProblems()).toEqual([])
    await list.fill("traits.unknown")
    await panel.getByText("The change never applies").waitFor()
    await page.getByRole("button", { name: "Discard" }).click()
    await panel.waitFor({ state: "detached" })
  })

  it("wait for another trial of the workspace, and do not hold up saving", async () => {
    const page = await visitWithoutErrors(opened, "/w/1/settings", (error) => error.includes("409"))
    await page.route("**/what-if", (route) =>
      route.fulfill({ status: 409, json: { title: "Conflict", detail: "a trial runs" } }),
    )
    await page.getByRole("radio", { name: /^Accept and mark them/ }).check()
    const panel = page.getByRole("region", { name: "The last 7 days with this change" })
    await panel.getByText("Another trial of this workspace is running.").waitFor()
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("Saved.").waitFor()
    await panel.waitFor({ state: "detached" })
    await page.unroute("**/what-if")
    await page.getByRole("radio", { name: /^Accept them/ }).check()
    await panel.getByText("2 operations decided again: none would be different.").waitFor()
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("Saved.").waitFor()
  })

  it("offer a webhook of changes", async () => {
    const page = await visitWithoutErrors(opened, "/w/1/webhooks")
    await page.getByRole("button", { name: "Create webhook" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("radio", { name: /^Changes/ }).check({ timeout: 5000 })
    await dialog.getByLabel("URL").fill("http://127.0.0.1:9/hook")
    await dialog.getByLabel("Name").fill("Drift")
    await dialog.getByRole("textbox", { name: "Changes" }).fill("new_name, silent")
    await dialog.getByRole("button", { name: "Create webhook" }).click()
    await dialog.getByLabel("Signing secret", { exact: true }).waitFor()
  })
})
