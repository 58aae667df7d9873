import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { press } from "../../src/console/keyboard.ts"
import { chooseKind, discard, field } from "../../src/console/ruleBuilder.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { identified } from "../../src/ingestion.ts"
import { shoppers, shopPeople } from "../../src/segments/shopPeople.ts"
import { summarized } from "../../src/summarized.ts"
import { Tenant } from "../../src/Tenant.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit
let shop: Tenant

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
  shop = await Tenant.create({}, inlet)
  await shopPeople((items) => shop.batch(items))
  await summarized(shop)
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)

/** Types a text into the field with the focus, key by key, without a pause. */
const typing = (text: string): string => `
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
  for (const [i] of [...${JSON.stringify(text)}].entries()) {
    value.set.call(document.activeElement, ${JSON.stringify(text)}.slice(0, i + 1))
    document.activeElement.dispatchEvent(new Event("input", { bubbles: true }))
  }`

/** What the field with the focus offers. */
const offered = (page: Page) => page.getByRole("listbox").getByRole("option")

describe("what the rule builder offers in a shop", () => {
  afterEach(() => discard(opened.page))

  it("names and values are offered with how often there are any, and taken with the keyboard", async () => {
    const page = await visit(`/w/${shop.workspace}/segments/new`)
    await chooseKind(page, 1, "event")
    await field(page, "Row 1: name").focus()
    await offered(page)
      .filter({ hasText: /^Order Placed\d+$/ })
      .waitFor()
    await page.keyboard.type("ord")
    await offered(page).filter({ hasText: "Order Placed" }).waitFor()
    await press(page, "ArrowDown", "Enter")
    await eventually("the name is taken", async () =>
      (await field(page, "Row 1: name").inputValue()) === "Order Placed" ? true : undefined,
    )
    await page.getByRole("button", { name: "Add a condition to Row 1" }).click()
    await field(page, "Row 1, condition 1: field").focus()
    await offered(page)
      .filter({ hasText: /^total\d+$/ })
      .waitFor()
    await offered(page).filter({ hasText: "items.sku" }).click()
    expect(await page.getByLabel("any element of a list").isChecked()).toBe(true)
    await field(page, "Row 1, condition 1: field").fill("currency")
    await field(page, "Row 1, condition 1: value").focus()
    await offered(page).first().waitFor()
    expect(await offered(page).allInnerTexts()).toEqual([
      expect.stringMatching(/^EUR\s+\d+$/),
      expect.stringMatching(/^USD\s+\d+$/),
    ])
    await page.keyboard.press("Escape")
    await field(page, "Row 1, condition 1: value").fill("GBP")
    await page
      .getByText(/^None of the newest 200 events passes this test\. currency is, for example, EUR, USD\.$/)
      .waitFor()
    await page.getByLabel(`Row 1: Holds for 0 of ${shoppers} people`).waitFor()
  })

  it("a path is said to be no name of a page, and its pattern is a click away", async () => {
    const page = await visit(`/w/${shop.workspace}/segments/new`)
    await chooseKind(page, 1, "page")
    await field(page, "Row 1: name").fill("/pricing")
    await page
      .getByText(
        /^No page view so far has this name\. 2 names contain it, such as https:\/\/shop\.example\/pricing/,
      )
      .waitFor()
    await page.getByLabel(`Row 1: Holds for 0 of ${shoppers} people`).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Use */pricing*" }).click()
    await page.getByText("No page view so far").waitFor({ state: "detached" })
    await page.getByLabel(/Row 1: Holds for [1-9]\d* of/).waitFor()
  })

  it("attributes, types of objects and topics are offered", async () => {
    const page = await visit(`/w/${shop.workspace}/segments/new`)
    await field(page, "Row 1: field").focus()
    await offered(page)
      .filter({ hasText: /^plan\d+$/ })
      .click()
    await field(page, "Row 1: value").focus()
    await offered(page)
      .filter({ hasText: /^team\d+$/ })
      .click()
    expect(await field(page, "Row 1: value").inputValue()).toBe("team")
    await page.getByRole("button", { name: "Add a row" }).click()
    await chooseKind(page, 2, "object")
    await field(page, "Row 2: name").focus()
    await offered(page).filter({ hasText: /^1/ }).click()
    await page.getByRole("button", { name: "Add an object condition to Row 2" }).click()
    await field(page, "Row 2, condition 1: field").focus()
    await offered(page)
      .filter({ hasText: /^seats\d+$/ })
      .click()
    await field(page, "Row 2, condition 1: value").focus()
    await offered(page).first().waitFor()
    await field(page, "Row 2, condition 1: value").fill("30")
    await page.getByRole("button", { name: "Add a row" }).click()
    await chooseKind(page, 3, "subscription")
    await field(page, "Row 3: subscription").selectOption({ label: "subscribed to the topic" })
    await field(page, "Row 3: name").focus()
    await offered(page)
      .filter({ hasText: /^news\d+$/ })
      .click()
    await page.getByLabel(/^The whole rule: Holds for \d+ of/).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("a value with a comma stays one item of a list", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([
      identified("bonn", { city: "Bonn, Germany" }),
      identified("paris", { city: "Paris" }),
    ])
    const page = await visit(`/w/${tenant.workspace}/segments/new`)
    await field(page, "Row 1: field").fill("city")
    await field(page, "Row 1: test").selectOption({ label: "is one of" })
    await field(page, "Row 1: value").fill("Paris, bo")
    await offered(page).filter({ hasText: "Bonn, Germany" }).click()
    expect(await field(page, "Row 1: value").inputValue()).toBe('Paris, "Bonn, Germany"')
    await page.getByLabel("Row 1: Holds for 2 of 2 people").waitFor()
  })

  it("values are read once a name is typed, not at every key", async () => {
    const page = await visit(`/w/${shop.workspace}/segments/new`)
    await chooseKind(page, 1, "event")
    await page.getByRole("button", { name: "Add a condition to Row 1" }).click()
    await field(page, "Row 1, condition 1: field").fill("currency")
    const asked: Array<string | null> = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith("/activity")) asked.push(searchParams.get("filter"))
    })
    // All keys are pressed before any timer of the page can end, however slow the machine is.
    await field(page, "Row 1: name").focus()
    await page.evaluate(typing("Order Placed"))
    expect(await field(page, "Row 1: name").inputValue()).toBe("Order Placed")
    await field(page, "Row 1, condition 1: value").focus()
    await offered(page).filter({ hasText: "EUR" }).waitFor()
    expect(asked).toEqual([expect.stringContaining('name:"Order Placed"')])
    await page.keyboard.press("Escape")
  })
})
