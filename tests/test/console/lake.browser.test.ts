import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { freshDirectory } from "../../src/cleanup.ts"
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

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

/** A file as the manifest of a lake lists it. The first real one is written after minutes. */
const file = {
  table: "activity",
  path: "1/activity/day=2026-11-23/00000000000000000001-00000000000000000012.g7.parquet",
  from: 1,
  to: 12,
  generation: 7,
  rows: 11,
  erased: 1,
  pruned: 0,
  bytes: 4096,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
}

describe("the lake in the console", () => {
  it("is started in a folder, shows how far it has come and SQL that reads it, is checked and stopped", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "pro" })
    const page = await visit(`/w/${tenant.workspace}/lake`)
    await page.getByText("No lake yet").waitFor()
    await button(page, "Start a lake").click()
    const folder = join(freshDirectory(), "lake")
    await page.getByLabel("Folder", { exact: true }).fill(folder)
    expect(await opened.accessibilityProblems()).toEqual([])
    await button(page, "Start the lake").click()
    await page.getByText(folder).first().waitFor()
    await page.getByText(/^(nothing yet|everything, up to position|up to position)/).waitFor()
    await page.getByLabel("Read it with").selectOption({ label: "DuckDB" })
    await page.getByLabel("SQL for DuckDB", { exact: true }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await button(page, "Verify").click()
    await page.getByText("Nothing is wrong.").waitFor()
    await button(page, "Done").click()
    await button(page, "Erase now").click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Erase now" }).click()
    await page.getByText("The files with rows of deleted people are being written again.").waitFor()
    await button(page, "Stop").click()
    await button(page, "Stop the lake").click()
    await page.getByText("No lake yet").waitFor()
  })

  it("lists its files, each with its positions and its hash", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.updateSettings({ lake: { target: "folder", url: join(freshDirectory(), "lake") } })
    const { page } = opened
    await page.route(/\/lake\/files/, (route) => route.fulfill({ json: { items: [file], next: null } }))
    await visit(`/w/${tenant.workspace}/lake`)
    await page.getByRole("row").filter({ hasText: "1 to 12" }).filter({ hasText: "4 KB" }).click()
    await page.getByRole("dialog").getByText(file.sha256).waitFor()
    await page.unrouteAll({ behavior: "ignoreErrors" })
  })
})
