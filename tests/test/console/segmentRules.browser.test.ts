import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { tabTo } from "../../src/console/keyboard.ts"
import { chooseKind, discard, field } from "../../src/console/ruleBuilder.ts"
import { smallTargets } from "../../src/console/smallTargets.ts"
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

const save = (page: Page) => page.getByRole("button", { name: /^(Create|Save) segment$/ })

/** Presses Tab until the field with a label has the focus, and types. */
const typeInto = async (page: Page, label: string, text: string): Promise<void> => {
  await tabTo(page, field(page, label))
  await page.keyboard.type(text)
}

describe("segments by rule in the console", () => {
  it("a rule is built row by row with the keyboard, and each row counts the people for whom it holds", async () => {
    const page = await visit("/w/1/segments")
    await page.getByRole("button", { name: "Create segment" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL("**/segments/new")
    await field(page, "Name").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("Buyers")
    await typeInto(page, "Description", "who bought")
    await typeInto(page, "Row 1: field", "plan")
    await typeInto(page, "Row 1: value", "pro")
    await page.getByLabel("Row 1: Holds for 1 of 2 people").waitFor()
    await page.getByRole("button", { name: "Add a row" }).focus()
    await page.keyboard.press("Enter")
    await chooseKind(page, 2, "event")
    await field(page, "Row 2: name").focus()
    await page.keyboard.type("bought")
    await page.getByText("No event so far has this name.").waitFor()
    await page.getByLabel("Row 2: Holds for 0 of 2 people").waitFor()
    await page.getByLabel("The whole rule: Holds for 0 of 2 people").waitFor()
    await field(page, "Row 2: window").selectOption({ label: "within the last" })
    await field(page, "Row 2: within").fill("a month")
    await page.getByLabel("Row 2: Not complete").waitFor()
    expect(await save(page).isDisabled()).toBe(true)
    await field(page, "Row 2: within").fill("30")
    expect(await opened.accessibilityProblems()).toEqual([])
    await save(page).click()
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

  it("the page to edit a rule shows people for whom it holds, and asks before changes are lost", async () => {
    const page = await visit("/w/1/segments/new")
    await field(page, "Row 1: field").fill("plan")
    await field(page, "Row 1: value").fill("free")
    const bob = page
      .getByRole("list", { name: "People for whom the rule holds" })
      .getByRole("link", { name: "bob" })
    expect(await bob.getAttribute("href")).toMatch(/\/w\/1\/people\//)
    await page.getByText("By the rule as it is now, 1 of the people of today would have entered").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.getByRole("button", { name: "Cancel" }).click()
    const question = page.getByRole("dialog", { name: "Changes are not saved" })
    await question.getByRole("button", { name: "Stay" }).click()
    expect(await field(page, "Row 1: value").inputValue()).toBe("free")
    await page.getByLabel("By hand").check()
    await page.getByLabel("By rule").check()
    expect(await field(page, "Row 1: value").inputValue()).toBe("free")
    await field(page, "Row 1: value").fill("")
    await page.getByLabel("Row 1: Not complete").waitFor()
    await page.keyboard.press("Escape")
    await discard(page)
  })

  it("a rule of nested groups, a negation and a switched-off age is built, and opened again as it was", async () => {
    const page = await visit("/w/1/segments/new")
    await field(page, "Name").fill("Nested")
    await chooseKind(page, 1, "event")
    await field(page, "Row 1: does it hold").selectOption({ label: "did not do" })
    await field(page, "Row 1: name").fill("bought")
    await field(page, "Row 1: window").selectOption({ label: "within the last" })
    await field(page, "Row 1: within").fill("2")
    await field(page, "Row 1: within: unit").selectOption({ label: "weeks" })
    const aged = page.getByLabel("only who has a profile at least 2 weeks old")
    await page.getByLabel("Row 1: Holds for 0 of 2 people").waitFor()
    await aged.uncheck()
    await page.getByLabel("Row 1: Holds for 2 of 2 people").waitFor()
    await page.getByRole("button", { name: "Add a group", exact: true }).click()
    await field(page, "Row 2: field").fill("plan")
    await field(page, "Row 2: value").fill("free")
    await page.getByRole("button", { name: "Add a row to group at row 2" }).click()
    await chooseKind(page, 3, "subscription")
    await field(page, "Row 3: subscription").selectOption({ label: "subscribed to the topic" })
    await field(page, "Row 3: name").fill("news")
    await field(page, "Group at row 2: which must hold").selectOption({ label: "none of these holds" })
    await page.getByLabel("The whole rule: Holds for 1 of 2 people").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await save(page).click()
    const rule = {
      and: [
        { not: { event: { name: "bought", within: "2w" } }, aged: false },
        {
          not: {
            or: [
              { attribute: { field: "plan", operator: "eq", value: "free" } },
              { subscription: { topic: "news", value: true } },
            ],
          },
        },
      ],
    }
    await detail(page)
      .getByText("Did not do bought at least 1 time within the last 2 weeks", { exact: true })
      .waitFor()
    await detail(page).getByText("Is subscribed to the topic news", { exact: true }).waitFor()
    const id = /segments\/(\d+)/.exec(page.url())?.[1]
    expect(await new Management(inlet).get(`/segments/${id}`)).toMatchObject({ rule })
    await detail(page).getByRole("button", { name: "Edit" }).click()
    await page.waitForURL(`**/segments/${id}/edit`)
    expect(await field(page, "Row 3: name").inputValue()).toBe("news")
    expect(await aged.isChecked()).toBe(false)
    await page.getByRole("button", { name: "Edit the rule as JSON" }).click()
    expect(JSON.parse(await field(page, "Row 1: JSON").inputValue())).toEqual(rule)
    await page.getByRole("button", { name: "Edit the rule as rows" }).click()
    await page.getByRole("button", { name: "Remove group at row 2" }).click()
    await page.getByLabel("The whole rule: Holds for 2 of 2 people").waitFor()
    await save(page).click()
    await page.getByText("The segment is saved, and its new rule is being built.").waitFor()
    await new Management(inlet).call("DELETE", `/workspaces/1/segments/${id}`)
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
    await page.getByLabel("Row 2: Holds for 1 of 2 people").waitFor()
    expect(await field(page, "Row 1: field").inputValue()).toBe("plan")
    expect(await field(page, "Row 2: within").inputValue()).toBe("30")
    await page.getByRole("img", { name: /^People by day/ }).waitFor()
    await field(page, "Row 1: value").fill("free")
    await page.getByLabel("The whole rule: Holds for 0 of 2 people").waitFor()
    await page.getByRole("region", { name: "The last 7 days with this change" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await save(page).click()
    await page.getByText("The segment is saved, and its new rule is being built.").waitFor()
    await detail(page).getByText("The segment has no people.").waitFor()
    await detail(page).getByText("plan is free", { exact: true }).waitFor()
    await detail(page)
      .getByText("Did bought at least 1 time within the last 30 days", { exact: true })
      .waitFor()
    await detail(page).getByRole("button", { name: "Pause" }).click()
    await detail(page).getByText("paused", { exact: true }).waitFor()
    await detail(page).getByRole("button", { name: "Resume" }).click()
    await detail(page).getByText("active", { exact: true }).waitFor()
    await detail(page).getByRole("button", { name: "Edit" }).click()
    await field(page, "Row 1: value").fill("pro")
    await save(page).click()
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
    const page = await visit("/w/1/segments/new")
    await field(page, "Name").fill("Large orders")
    await chooseKind(page, 1, "event")
    await typeInto(page, "Row 1: name", "ordered")
    await page.getByLabel("Row 1: Holds for 1 of 2 people").waitFor()
    await tabTo(page, page.getByRole("button", { name: "Add a condition to Row 1" }))
    await page.keyboard.press("Enter")
    await page.getByLabel("Row 1: Not complete").waitFor()
    await field(page, "Row 1, condition 1: field").fill("total")
    await field(page, "Row 1, condition 1: test").selectOption({ label: "≥" })
    await typeInto(page, "Row 1, condition 1: value", "200")
    await page.getByLabel("Row 1: Holds for 0 of 2 people").waitFor()
    await tabTo(page, page.getByRole("button", { name: "Remove condition 1 of Row 1" }))
    await page.keyboard.press("Enter")
    await page.getByLabel("Row 1: Holds for 1 of 2 people").waitFor()
    await save(page).click()
    await detail(page).getByText("Did ordered at least 1 time", { exact: true }).waitFor()
  })

  it("a changed rule shows no number until it is counted", async () => {
    const page = await visit("/w/1/segments/new")
    await field(page, "Row 1: field").fill("plan")
    await field(page, "Row 1: value").fill("pro")
    await page.getByLabel("Row 1: Holds for 1 of 2 people").waitFor()
    const held = Promise.withResolvers<void>()
    await page.route("**/segments/preview", async (route) => {
      await held.promise
      await route.continue()
    })
    await field(page, "Row 1: value").fill("prose")
    const counting = page.getByLabel("Row 1: Counting…")
    await counting.waitFor()
    expect(await counting.getAttribute("aria-busy")).toBe("true")
    expect(await page.getByText("Holds for 1 of 2 people").count()).toBe(0)
    held.resolve()
    const counted = page.getByLabel("Row 1: Holds for 0 of 2 people")
    await counted.waitFor()
    expect(await counted.getAttribute("aria-busy")).toBe("false")
    await page.unrouteAll()
    await discard(page)
  })

  it("the rule builder fits the width of a phone, and everything in it can be hit with a finger", async () => {
    const phone = await ConsoleVisit.open(browser, inlet, { width: 390, height: 844, theme: "dark" })
    onTestFinished(() => phone.context.close())
    await phone.signIn()
    const page = await visitWithoutErrors(phone, "/w/1/segments/new")
    await chooseKind(page, 1, "event")
    await field(page, "Row 1: does it hold").selectOption({ label: "did not do" })
    await field(page, "Row 1: name").fill("Order Placed")
    await field(page, "Row 1: window").selectOption({ label: "within the last" })
    await page.getByRole("button", { name: "Add a condition to Row 1" }).click()
    await page.getByRole("button", { name: "Add a group", exact: true }).click()
    await chooseKind(page, 2, "message")
    await page.getByRole("button", { name: "Add a campaign or another source to Row 2" }).click()
    await page.getByRole("button", { name: "Add a group to group at row 2" }).click()
    await chooseKind(page, 3, "object")
    await page.getByRole("button", { name: "Add a relationship condition to Row 3, relationship" }).click()
    const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    expect(await page.evaluate(wide)).toBe(0)
    const rule = page.getByLabel("Rule of the segment")
    expect(
      await rule.evaluate((shown) =>
        [...shown.querySelectorAll("*")]
          .filter((inside) => inside.getBoundingClientRect().right > shown.getBoundingClientRect().right)
          .map((inside) => inside.getAttribute("aria-label") ?? inside.textContent),
      ),
    ).toEqual([])
    expect(await smallTargets(page)).toEqual([])
    expect(await phone.accessibilityProblems()).toEqual([])
  })
})
