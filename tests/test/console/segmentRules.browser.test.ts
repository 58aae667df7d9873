import { contextFields } from "@inlethq/core/rule/contextKeys"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { tabTo } from "../../src/console/keyboard.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { batch, event, identified } from "../../src/ingestion.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
  await batch(inlet, [identified("ada", { plan: "pro" }), identified("bob", { plan: "free" })])
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text })
const detail = (page: Page) => page.getByLabel("Detail")

/** Presses Tab until the field with a label has the focus, and types. */
const typeInto = async (page: Page, label: string, text: string): Promise<void> => {
  await tabTo(page, page.getByLabel(label, { exact: true }).last())
  await page.keyboard.type(text)
}

describe("segments by rule in the console", () => {
  it("a rule is built row by row with the keyboard, and each row counts the people for whom it holds", async () => {
    const page = await visit("/w/1/segments")
    await page.getByRole("button", { name: "Create segment" }).focus()
    await page.keyboard.press("Enter")
    await page.keyboard.type("Buyers")
    await typeInto(page, "Description", "who bought")
    await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowDown")
    await typeInto(page, "Attribute", "plan")
    await typeInto(page, "Value", "pro")
    await page.getByLabel("Row 1: Holds for 1 of 2 people").waitFor()
    await page.getByRole("button", { name: "Add a row" }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Kind of row 2").selectOption({ label: "Event" })
    await page.getByLabel("Event", { exact: true }).focus()
    await page.keyboard.type("bought")
    await page.getByLabel("Row 2: Holds for 0 of 2 people").waitFor()
    await page.getByLabel("The whole rule: Holds for 0 of 2 people").waitFor()
    await page.getByLabel("In the last").fill("30 days")
    await page.getByLabel("Row 2: Not complete").waitFor()
    expect(await page.getByRole("dialog").getByRole("button", { name: "Create segment" }).isDisabled()).toBe(
      true,
    )
    await page.getByLabel("In the last").fill("30d")
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.getByRole("dialog").getByRole("button", { name: "Create segment" }).click()
    await detail(page).getByText("active", { exact: true }).waitFor()
    await row(page, "Buyers").getByText("by rule", { exact: true }).waitFor()
    expect(await new Management(inlet).get("/segments")).toMatchObject({
      items: [
        {
          name: "Buyers",
          kind: "rule",
          rule: {
            and: [
              { attribute: { field: "plan", operator: "eq", value: "pro" } },
              { event: { name: "bought", within: "30d" } },
            ],
          },
        },
      ],
    })
  })

  it("a condition on an event offers the fields of the context that rules can test", async () => {
    const page = await visit("/w/1/segments")
    await page.getByRole("button", { name: "Create segment" }).click()
    await page.getByLabel("By rule").check()
    await page.getByLabel("Kind of row 1").selectOption({ label: "Event" })
    await page.getByLabel("Event", { exact: true }).fill("bought")
    await page.getByRole("button", { name: "Add a condition to row 1" }).click()
    const field = page.getByLabel("Event has", { exact: true })
    await field.fill("context.page.path")
    const offered = await page.evaluate<ReadonlyArray<string>>(
      "[...document.activeElement.list.options].map(({ value }) => value)",
    )
    expect(offered).toStrictEqual(contextFields)
    expect(offered).toContain("context.page.path")
    await page.getByLabel("Value", { exact: true }).fill("/pricing")
    await page.getByLabel("Row 1: Holds for 0 of 2 people").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.getByRole("button", { name: "Cancel" }).click()
  })

  it("the page of a segment shows who entered by which operation, and the page of a person proves why", async () => {
    await event(inlet, "ada", { name: "bought" })
    const page = await visit("/w/1/segments")
    await row(page, "Buyers").click()
    const entered = detail(page).getByRole("listitem").filter({ hasText: "entered" })
    await entered.filter({ hasText: "bought" }).waitFor()
    await detail(page)
      .getByRole("img", { name: /People who would have entered and left by day/ })
      .waitFor()
    await entered.getByRole("link", { name: "ada" }).click()
    await detail(page).getByRole("button", { name: "Why" }).click()
    const tree = detail(page).getByLabel("Why", { exact: true })
    await tree.getByText('event "bought" at least 1 time in the last 30d').waitFor()
    await tree.getByText("no longer holds from").first().waitFor()
    expect(await tree.getByRole("link").first().getAttribute("href")).toMatch(/\/operations\/op/)
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("a rule is changed in the rows that it was built with, and its segment is paused and resumed", async () => {
    const page = await visit("/w/1/segments")
    await row(page, "Buyers").click()
    await detail(page).getByRole("button", { name: "Edit" }).click()
    const dialog = page.getByRole("dialog")
    await page.getByLabel("Row 2: Holds for 1 of 2 people").waitFor()
    expect(await dialog.getByLabel("Attribute", { exact: true }).inputValue()).toBe("plan")
    expect(await dialog.getByLabel("In the last").inputValue()).toBe("30d")
    await dialog.getByLabel("Value", { exact: true }).fill("free")
    await page.getByLabel("The whole rule: Holds for 0 of 2 people").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await dialog.getByRole("button", { name: "Save segment" }).click()
    await page.getByText("The segment is saved, and its new rule is being built.").waitFor()
    await detail(page).getByText("The segment has no people.").waitFor()
    await detail(page).getByText("plan is free", { exact: true }).waitFor()
    await detail(page).getByText("event bought at least 1 time in the last 30d", { exact: true }).waitFor()
    await detail(page).getByRole("button", { name: "Pause" }).click()
    await detail(page).getByText("paused", { exact: true }).waitFor()
    await detail(page).getByRole("button", { name: "Resume" }).click()
    await detail(page).getByText("active", { exact: true }).waitFor()
    await detail(page).getByRole("button", { name: "Edit" }).click()
    await dialog.getByLabel("Value", { exact: true }).fill("pro")
    await dialog.getByRole("button", { name: "Save segment" }).click()
    await detail(page).getByRole("link", { name: "ada" }).first().waitFor()
  })

  it("how much of a new rule is built is shown while it is built", async () => {
    const page = await visit("/w/1/segments")
    await page.route(/\/segments\/\d+$/, async (route) => {
      const answer = await route.fetch()
      const segment: object = await answer.json()
      const next = { version: 7, rule: { event: { name: "bought" } } }
      await route.fulfill({ json: { ...segment, next, progress: 0.426 } })
    })
    await row(page, "Buyers").click()
    await detail(page).getByText("42 % of version 7 is built").waitFor()
    await page.unrouteAll({ behavior: "ignoreErrors" })
  })

  it("the proof of a membership is opened and followed with the keyboard, also on the width of a phone", async () => {
    const { svc_id } = await new Management(inlet).person({ id: "ada" })
    const page = await visit("/w/1/people")
    await page.setViewportSize({ width: 375, height: 700 })
    await opened.go(`/w/1/people/${svc_id}`)
    await tabTo(page, detail(page).getByRole("button", { name: "Why" }))
    await page.keyboard.press("Enter")
    const tree = detail(page).getByLabel("Why", { exact: true })
    await tree.getByText("no longer holds from").first().waitFor()
    const content = page.getByLabel("Content of the detail")
    expect(await content.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)).toBe(0)
    await tabTo(page, tree.getByRole("link").first())
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/operations\/op/)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it("conditions of a row are added and removed with the keyboard", async () => {
    await event(inlet, "ada", { name: "ordered", data: { total: 120 } })
    const page = await visit("/w/1/segments")
    await page.getByRole("button", { name: "Create segment" }).click()
    const dialog = page.getByRole("dialog")
    await page.keyboard.type("Large orders")
    await page.getByLabel("By rule").check()
    await page.getByLabel("Kind of row 1").selectOption({ label: "Event" })
    await typeInto(page, "Event", "ordered")
    await page.getByLabel("Row 1: Holds for 1 of 2 people").waitFor()
    await tabTo(page, dialog.getByRole("button", { name: "Add a condition to row 1" }))
    await page.keyboard.press("Enter")
    await page.getByLabel("Row 1: Not complete").waitFor()
    await dialog.getByLabel("Event has", { exact: true }).fill("total")
    await dialog.getByLabel("Test").selectOption({ label: "≥" })
    await typeInto(page, "Value", "200")
    await page.getByLabel("Row 1: Holds for 0 of 2 people").waitFor()
    await tabTo(page, dialog.getByRole("button", { name: "Remove condition 1 of row 1" }))
    await page.keyboard.press("Enter")
    await page.getByLabel("Row 1: Holds for 1 of 2 people").waitFor()
    await dialog.getByRole("button", { name: "Create segment" }).click()
    await detail(page).getByText("event ordered at least 1 time", { exact: true }).waitFor()
  })

  it("a changed rule shows no number until it is counted", async () => {
    const page = await visit("/w/1/segments")
    await page.getByRole("button", { name: "Create segment" }).click()
    await page.keyboard.type("Counted")
    await page.getByLabel("By rule").check()
    await typeInto(page, "Attribute", "plan")
    await typeInto(page, "Value", "pro")
    await page.getByLabel("Row 1: Holds for 1 of 2 people").waitFor()
    const held = Promise.withResolvers<void>()
    await page.route("**/segments/preview", async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByLabel("Value", { exact: true }).last().fill("prose")
    const counting = page.getByLabel("Row 1: Counting…")
    await counting.waitFor()
    expect(await counting.getAttribute("aria-busy")).toBe("true")
    expect(await page.getByText("Holds for 1 of 2 people").count()).toBe(0)
    held.resolve()
    const counted = page.getByLabel("Row 1: Holds for 0 of 2 people")
    await counted.waitFor()
    expect(await counted.getAttribute("aria-busy")).toBe("false")
    await page.unrouteAll()
    await page.getByRole("dialog").getByRole("button", { name: "Create segment" }).click()
    await row(page, "Counted").waitFor()
  })

  it("the rule builder fits the width of a phone", async () => {
    const page = await visit("/w/1/segments")
    await page.setViewportSize({ width: 375, height: 700 })
    await page.getByRole("button", { name: "Create segment" }).click()
    await page.getByLabel("By rule").check()
    await page.getByLabel("Kind of row 1").selectOption({ label: "Event" })
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Add a condition to row 1" }).click()
    await dialog.getByRole("button", { name: "Add a row" }).click()
    await page.getByLabel("Kind of row 2").selectOption({ label: "Message" })
    expect(await dialog.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)).toBe(0)
    expect(await opened.accessibilityProblems()).toEqual([])
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})
