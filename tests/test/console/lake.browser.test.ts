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

  it("lists its files, each with its positions and its hash, and says why a lake cannot be written", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "pro" })
    const folder = join(freshDirectory(), "lake")
    await tenant.updateSettings({ lake: { target: "folder", url: folder } })
    const page = await visit(`/w/${tenant.workspace}/lake`)
    await page.getByRole("row").filter({ hasText: "activity" }).filter({ hasText: "1 to 1" }).click()
    await page
      .getByRole("dialog")
      .getByText(/^[0-9a-f]{64}$/)
      .waitFor()
    const noFolder = join(folder, "lake", String(tenant.workspace), "_manifest.json")
    await tenant.updateSettings({ lake: { target: "folder", url: noFolder } })
    await visit(`/w/${tenant.workspace}/lake`)
    await page.getByText(/^cannot use .*: it is a file, not a folder$/).waitFor()
    await page.getByText("The failure above says why.").waitFor()
  })
})
