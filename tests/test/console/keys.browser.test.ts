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

it("the dialog for a new key offers the App API with its scopes, and makes a key that may do what was chosen", async () => {
  const browser = await launchBrowser()
  const inlet = await Inlet.start()
  onTestFinished(async () => {
    await browser.close()
    await inlet.stop()
  })
  const opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
  const page = await visitWithoutErrors(opened, "/w/1/keys")
  const dialog = page.getByRole("dialog")
  const create = async (name: string, scope: string | null) => {
    await page.getByRole("button", { name: "Create key" }).first().click()
    const scopes = dialog.getByRole("group", { name: "Scope" })
    await dialog.getByRole("radio", { name: /^Track API/ }).waitFor()
    expect(await scopes.count()).toBe(0)
    await dialog.getByRole("radio", { name: /^App API/ }).check()
    await scopes.waitFor()
    if (scope !== null) await scopes.getByRole("radio", { name: new RegExp(`^${scope}`) }).check()
    await dialog.getByRole("textbox").fill(name)
    await dialog.getByRole("button", { name: "Create key" }).click()
    await dialog.getByText(`Key “${name}” is ready`).waitFor()
    const [key = ""] = /\b[0-9a-f]{32}\b/.exec(await dialog.innerText()) ?? []
    await dialog.getByRole("button", { name: "Done" }).click()
    await page.getByRole("row").filter({ hasText: name }).getByText("App API").waitFor()
    const headers = { authorization: `Bearer ${key}` }
    const body = JSON.stringify({ segment: { name } })
    const read = await fetch(new URL("/v1/segments", inlet.url), { headers })
    const created = await fetch(new URL("/v1/segments", inlet.url), { method: "POST", headers, body })
    return [read.status, created.status]
  }
  expect(await create("crm", null)).toEqual([200, 403])
  expect(await create("lists", "Read and manage segments")).toEqual([200, 200])
})
