import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { eventually } from "../../src/eventually.ts"
import { filesContaining } from "../../src/files.ts"
import { Inlet } from "../../src/Inlet.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

const secret = "omittedvalue93d2"

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

it("contract §13 omit: what an operator leaves out in the console is not kept of the calls of the browser library", async () => {
  const source = await PipelinesSource.forWorkspace(inlet, 1)
  const settings = await visitWithoutErrors(opened, "/w/1/settings")
  const list = settings.getByLabel("Left out, one a line")
  await settings.getByLabel("Leave out the query strings of URLs").check()
  expect(await list.inputValue()).toBe("url-query")
  await list.press("End")
  await list.press("Enter")
  await list.pressSequentially("properties.card")
  await settings.getByRole("button", { name: "Save changes" }).click()
  await settings.getByText("Saved.").waitFor()
  expect(await opened.accessibilityProblems()).toEqual([])

  const shop = await browser.newPage()
  const path = `/v1/analytics-js/snippet/${source.writeKey}/`
  await shop.goto(`${inlet.url}${path}?q=${secret}`)
  await shop.evaluate(`(async () => {
    await new Promise((ready) => window.analytics.ready(ready));
    await window.analytics.track("Bought", { card: "${secret}", plan: "pro" });
  })()`)
  const bought = await eventually("the event is stored", async () =>
    (await source.log()).find(({ name }) => name === "Bought"),
  )
  await shop.close()
  expect(bought).toMatchObject({
    data: { plan: "pro" },
    context: { page: { path, url: `${inlet.url}${path}` } },
  })
  expect(new Set(bought.omitted)).toStrictEqual(new Set(["page.url", "page.search", "properties.card"]))
  expect(filesContaining(inlet.dataDir, secret)).toStrictEqual([])

  const page = await visitWithoutErrors(opened, `/w/1/operations/${bought.operation_id}`)
  await page.getByText("properties.card").first().waitFor()
  await opened.go("/w/1/settings")
  await list.waitFor()
  expect(await list.inputValue()).toBe("url-query\nproperties.card")
})
