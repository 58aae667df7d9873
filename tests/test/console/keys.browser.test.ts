import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { base64, batch, identified } from "../../src/ingestion.ts"

const apiKey = "7f3a-from-the-environment"
const writeKey = "short-write-key"

it("the page of keys shows the kind, beginning, creation and last use of each key, also of keys from environment variables", async () => {
  const dataDir = join(freshDirectory(), "data")
  const env = { INLET_API_KEY: apiKey, INLET_WRITE_KEY: writeKey }
  const before = await Inlet.start({ dataDir, env })
  await batch(before, [identified("ada")], {
    authorization: `Basic ${base64(`${credentials.siteId}:${apiKey}`)}`,
  })
  // A server writes when its keys were used every minute, and when it stops.
  await before.stop()
  const browser = await launchBrowser()
  const inlet = await Inlet.start({ dataDir, env })
  onTestFinished(async () => {
    await browser.close()
    await inlet.stop()
  })
  const opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
  const page = await visitWithoutErrors(opened, "/w/1/keys")
  const cells = async (kind: string) => {
    const row = page.getByRole("row").filter({ hasText: kind })
    await row.waitFor()
    const texts = await row.getByRole("gridcell").allTextContents()
    return texts.map((text) => (/ago$|^now$/.test(text) ? "a time" : text))
  }
  expect(await page.getByRole("columnheader").allTextContents()).toEqual([
    "Name",
    "For",
    "Site ID",
    "Begins with",
    "Created",
    "Last used",
    "Expires",
  ])
  expect(await cells("Track API")).toEqual([
    "default",
    "Track API",
    credentials.siteId,
    "7f3a…",
    "a time",
    "a time",
    "never",
  ])
  expect(await cells("Pipelines API")).toEqual([
    "default",
    "Pipelines API",
    "",
    "not shown",
    "a time",
    "never",
    "never",
  ])
  const shown = await page.content()
  expect(shown).not.toContain(apiKey)
  expect(shown).not.toContain(writeKey)
})
