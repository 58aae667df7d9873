import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { consolePages } from "../../src/console/consolePages.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { focusOf, press, tabStopsMax, tabTo } from "../../src/console/keyboard.ts"
import { eventually } from "../../src/eventually.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { batch, pipelines, identified } from "../../src/ingestion.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  opened = await ConsoleVisit.open(browser, inlet)
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

/** Opens a page of the console, which must not log an error during the test. */
const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text })
const detail = (page: Page) => page.getByRole("complementary", { name: "Detail" })

/** Waits until the element with this role or tag and this name has the focus. */
const waitForFocus = (page: Page, element: string): Promise<true> =>
  eventually(`the focus is on: ${element}`, async () =>
    (await focusOf(page)).element === element ? true : undefined,
  )

/** Waits until the element has the focus, and expects that the focus is visible. */
const expectFocus = async (page: Page, element: string): Promise<void> => {
  await waitForFocus(page, element)
  expect((await focusOf(page)).isVisible, element).toBe(true)
}

/** Opens the menu that has the focus, and chooses the last of its three actions. */
const chooseDelete = async (page: Page): Promise<void> => {
  await press(page, "Enter")
  await waitForFocus(page, "menuitem Merge another person")
  await press(page, "ArrowDown", "ArrowDown")
  await waitForFocus(page, "menuitem Delete")
  await press(page, "Enter")
}

/** Pairs of a key and a page. Pressing `g` and then the key opens the page. */
const goKeys = [
  ["h", "home"],
  ["l", "live"],
  ["e", "errors"],
  ["v", "events"],
  ["p", "people"],
  ["u", "duplicates"],
  ["o", "objects"],
  ["s", "segments"],
  ["f", "forms"],
  ["d", "deliveries"],
  ["i", "imports"],
  ["w", "webhooks"],
  ["r", "lake"],
  ["x", "erasures"],
  ["k", "keys"],
  ["t", "tokens"],
  ["a", "audit"],
  ["c", "settings"],
  ["m", "health"],
] as const

describe("the console with the keyboard only", () => {
  it("an operator can sign in, create a key and open the first event without a mouse", async () => {
    const page = await visit("/sign-in")
    await tabTo(page, page.getByLabel("Management token"))
    await page.keyboard.type(credentials.token)
    await press(page, "Enter")
    await tabTo(page, button(page, "Create a key for the examples"))
    await press(page, "Enter")
    await page.getByText("Copy it now").waitFor()
    await pipelines(inlet, "/v1/track", { userId: "ada", event: "signed_up" })
    await tabTo(page, page.getByRole("link").filter({ hasText: "signed_up" }))
    await press(page, "Enter")
    await page.getByRole("heading", { name: "What was sent" }).waitFor()
  })

  it("an operator can filter, open, move through and close operations without a mouse", async () => {
    await batch(inlet, [identified("grace"), identified("alan"), identified("mary")])
    const page = await visit("/w/1/live")
    await row(page, "mary").waitFor()
    await press(page, "/")
    await page.keyboard.type("kind:identify")
    await press(page, "Enter", "Escape")
    await page.waitForURL(/filter=kind/)
    await row(page, "signed_up").waitFor({ state: "detached" })
    await row(page, "mary").waitFor()
    await press(page, "j", "j", "k")
    await expectFocus(page, "grid Operations")
    await press(page, "Enter")
    await detail(page).getByText("mary").first().waitFor()
    const first = page.url()
    await press(page, "j")
    await page.waitForURL((url) => url.href !== first)
    await detail(page).getByText("alan").first().waitFor()
    await press(page, "Escape")
    await detail(page).waitFor({ state: "detached" })
    expect(page.url()).toContain("filter=kind")
    await press(page, "Space")
    await button(page, "Continue").waitFor()
    await press(page, "Space")
    await button(page, "Pause").waitFor()
  })

  it("the filter is completed with arrow keys, Enter and Tab, and Enter without a choice applies it", async () => {
    const page = await visit("/w/1/live")
    const filter = page.getByRole("combobox", { name: "Filter" })
    const chosen = page
      .getByRole("option", { selected: true })
      .or(page.locator("[role=option][data-highlighted]"))
    await press(page, "/")
    await page.getByRole("option", { name: "-outcome:applied,created" }).waitFor()
    await page.keyboard.type("ki")
    await page.getByRole("option", { name: /^kind:/ }).waitFor()
    await press(page, "ArrowUp")
    expect(await chosen.count()).toBe(0)
    await press(page, "ArrowDown", "ArrowDown", "Enter")
    await page.getByRole("option", { name: /^kind:identify/ }).waitFor()
    expect(await filter.inputValue()).toBe("kind:")
    await page.keyboard.type("i")
    await press(page, "ArrowDown", "Tab")
    await eventually("the completed value", async () =>
      (await filter.inputValue()) === "kind:identify" ? true : undefined,
    )
    await expectFocus(page, "combobox Filter")
    await page.keyboard.type(" sou")
    await page.getByRole("option", { name: /^source:/ }).waitFor()
    await press(page, "Escape")
    await page.getByRole("listbox", { name: "Completions" }).waitFor({ state: "detached" })
    expect(await filter.inputValue()).toBe("kind:identify sou")
    await press(page, "Backspace", "Backspace", "Backspace", "Enter")
    await page.waitForURL((url) => url.searchParams.get("filter") === "kind:identify")
    await press(page, "Escape")
    await waitForFocus(page, "body")
    expect(await filter.inputValue()).toBe("kind:identify")
  })

  it("an operator can find, change and delete a person without a mouse", async () => {
    await batch(inlet, [identified("henry", { plan: "free" })])
    const page = await visit("/w/1/people")
    await row(page, "henry").waitFor()
    await press(page, "/")
    await page.keyboard.type("hen")
    await page.waitForURL(/q=hen/)
    await row(page, "ada").waitFor({ state: "detached" })
    await row(page, "henry").waitFor()
    await press(page, "Escape", "j", "Enter")
    await tabTo(page, button(page, "Edit plan"))
    await press(page, "Enter")
    await expectFocus(page, "input Value")
    await press(page, "ControlOrMeta+a")
    await page.keyboard.type("pro")
    await press(page, "Enter")
    await detail(page).getByRole("listitem").filter({ hasText: "pro" }).waitFor()
    await expectFocus(page, "button Edit plan")
    await tabTo(page, button(page, "Actions"))
    await press(page, "Enter")
    await waitForFocus(page, "menuitem Merge another person")
    await press(page, "Escape")
    await expectFocus(page, "button Actions")
    expect(await detail(page).count()).toBe(1)
    await chooseDelete(page)
    await expectFocus(page, "input Identifier")
    await press(page, "Escape")
    await expectFocus(page, "button Actions")
    await chooseDelete(page)
    await expectFocus(page, "input Identifier")
    await page.keyboard.type("henry")
    await press(page, "Enter")
    await page.getByText("Nobody found").waitFor()
    expect(page.url()).toContain("q=hen")
    await expectFocus(page, "grid People")
  })

  it("closing the detail of a row in the console returns the focus to the row", async () => {
    await batch(inlet, [identified("nora"), identified("otto")])
    const page = await visit("/w/1/people")
    const closeWithEscape = async (): Promise<void> => {
      await press(page, "Escape")
      await detail(page).waitFor({ state: "detached" })
    }
    await row(page, "nora").waitFor()
    await row(page, "nora").click()
    await tabTo(page, button(page, "Set attribute"))
    await closeWithEscape()
    await expectFocus(page, "grid People")
    expect(await row(page, "nora").getAttribute("aria-selected")).toBe("true")
    await press(page, "Enter")
    await detail(page).getByText("nora").first().waitFor()
    const address = page.url()
    await tabTo(page, button(page, "Close"))
    await press(page, "Enter")
    await detail(page).waitFor({ state: "detached" })
    await expectFocus(page, "grid People")
    await page.goto(address)
    await detail(page).getByText("nora").first().waitFor()
    await closeWithEscape()
    await expectFocus(page, "grid People")
    expect(await row(page, "nora").getAttribute("aria-selected")).toBe("true")
    await page.goto(address)
    await tabTo(page, button(page, "Set attribute"))
    await page.setViewportSize({ width: 800, height: 900 })
    await closeWithEscape()
    await expectFocus(page, "grid People")
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it("an operator can create a webhook without a mouse", async () => {
    const page = await visit("/w/1/webhooks")
    await tabTo(page, button(page, "Create webhook"))
    await press(page, "Enter")
    await page.getByRole("dialog").waitFor()
    await tabTo(page, page.getByLabel("URL"))
    await page.keyboard.type("https://1.1.1.1/hook")
    await press(page, "Tab")
    await page.keyboard.type("Warehouse")
    await press(page, "Enter")
    await page.getByText("The webhook is ready").waitFor()
    await tabTo(page, button(page, "Done"))
    await press(page, "Enter")
    await detail(page).getByText("Warehouse").first().waitFor()
    await expectFocus(page, "button Create webhook")
    await press(page, "Escape")
    await detail(page).waitFor({ state: "detached" })
  })

  it("an operator can create and revoke a key without a mouse", async () => {
    const page = await visit("/w/1/keys")
    await tabTo(page, button(page, "Create key"))
    await press(page, "Enter")
    await expectFocus(page, "input Name")
    await page.keyboard.type("checkout")
    await press(page, "Enter")
    await page.getByText("is ready").waitFor()
    await tabTo(page, button(page, "Done"))
    await press(page, "Enter")
    await expectFocus(page, "button Create key")
    await row(page, "checkout").waitFor()
    await press(page, "j", "Enter")
    await tabTo(page, button(page, "Revoke key"))
    await press(page, "Enter")
    await expectFocus(page, "input Identifier")
    await page.keyboard.type("checkout")
    await press(page, "Enter")
    await row(page, "checkout").waitFor({ state: "detached" })
    await press(page, "Escape")
    await expectFocus(page, "grid Keys")
  })

  it("the command palette and the list of shortcuts return the focus to the button that had it", async () => {
    const page = await visit("/w/1/people")
    await tabTo(page, button(page, "Suppressions"))
    await press(page, "?")
    await page.getByRole("dialog", { name: "Keys" }).waitFor()
    await press(page, "Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await expectFocus(page, "button Suppressions")
    await press(page, "Control+k")
    await waitForFocus(page, "combobox Search or go to")
    await press(page, "Escape")
    await expectFocus(page, "button Suppressions")
    await press(page, "Control+k")
    await waitForFocus(page, "combobox Search or go to")
    await page.keyboard.type("webhooks")
    await press(page, "Enter")
    await page.waitForURL(/webhooks/)
  })

  it("the key g and a second key open each page", async () => {
    const page = await visit("/w/1/settings")
    for (const [key, name] of goKeys) {
      await eventually(`the keys g and ${key} open the page of ${name}`, async () => {
        // On a busy machine, more than a second can pass between the two keys. The shortcut then has no effect, so the
        // keys are pressed again.
        await press(page, "g", key)
        return page.url().endsWith(`/${name}`) ? true : undefined
      })
    }
  })

  it("the Tab key moves a visible focus through every page, and leaves the page at its end", async () => {
    const hidden: Array<string> = []
    const stops: Record<string, number> = {}
    const page = await visit("/w/1/live")
    await opened.idle()
    for (const [name, path] of Object.entries(consolePages)) {
      await opened.follow(path)
      await opened.idle()
      let stop = 0
      for (; stop < tabStopsMax; stop++) {
        await press(page, "Tab")
        const { element, isVisible } = await focusOf(page)
        if (element === "body") break
        if (!isVisible) hidden.push(`${name}: ${element}`)
      }
      stops[name] = stop
    }
    expect(hidden).toEqual([])
    expect(Math.min(...Object.values(stops)), JSON.stringify(stops)).toBeGreaterThan(15)
    expect(Math.max(...Object.values(stops)), JSON.stringify(stops)).toBeLessThan(tabStopsMax)
  })
})
