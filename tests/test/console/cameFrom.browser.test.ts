import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  opened = await ConsoleVisit.open(browser, inlet, { width: 1600, height: 900 })
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

it("the pages of an operation and of a person show where the browser library says they were", async () => {
  const source = await PipelinesSource.forWorkspace(inlet, 1)
  const shop = await browser.newPage()
  const path = `/v1/analytics-js/snippet/${source.writeKey}/`
  const address = `${inlet.url}${path}?utm_source=newsletter&utm_campaign=spring`
  await shop.goto(address, { referer: "https://www.example.com/launch" })
  await shop.evaluate(`(async () => {
    const a = window.analytics;
    await new Promise((ready) => a.ready(ready));
    await window.analytics.identify("ada");
    await window.analytics.track("Bought");
  })()`)
  const bought = await eventually("the event is stored", async () =>
    (await source.log()).find(({ name }) => name === "Bought"),
  )
  await shop.close()

  const live = await visitWithoutErrors(opened, "/w/1/live")
  await live.getByText(path).first().waitFor()

  const page = await visitWithoutErrors(opened, `/w/1/operations/${bought.operation_id}`)
  const facts = page.locator("section", { hasText: "Where it came from" })
  await facts.waitFor()
  const shown = await facts.innerText()
  for (const fact of [address, "https://www.example.com/launch", "spring, newsletter", "analytics.js"]) {
    expect(shown).toContain(fact)
  }

  const person = await visitWithoutErrors(opened, `/w/1/people/${bought.subject.svc_id}`)
  await person.getByText("Last seen").waitFor()
  await person.getByText(address).first().waitFor()
})
