import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { identify } from "../../src/ingestion.ts"
import { Tenant } from "../../src/Tenant.ts"
import { Management } from "../../src/Management.ts"
import { consolePages } from "../../src/console/consolePages.ts"
import { smallTargets } from "../../src/console/smallTargets.ts"
import { focusOf } from "../../src/console/keyboard.ts"
import { sendSamples } from "../../src/console/sampleData.ts"
import { scriptSizes } from "../../src/console/scriptSizes.ts"

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

const isLoadError = (error: string): boolean => /Failed to (?:fetch|load)|PartNotLoaded/.test(error)

/** Opens a page of the console, which must not log an error during the test, except about what did not load. */
const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path, isLoadError)

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true })

/** Opens a window of its own, with the cookies of the one that is signed in. */
const openWindow = async (): Promise<ConsoleVisit> => {
  const other = await ConsoleVisit.open(browser, inlet)
  onTestFinished(() => other.context.close())
  await other.context.addCookies(await opened.context.cookies())
  return other
}

describe("the scripts of the console", () => {
  it("are few, and all of them are loaded while the first page is shown", async () => {
    const page = await visit("/w/1/health")
    await page.getByRole("link", { name: "People" }).waitFor()
    expect(scriptSizes().size).toBeLessThanOrEqual(8)
    await opened.idle()
    await page.route("**/assets/*.js", (route) => route.abort())
    onTestFinished(() => page.unroute("**/assets/*.js"))
    await page.getByRole("link", { name: "People" }).click()
    await heading(page, "People").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("dialog", { name: "Search or go to" }).waitFor()
    await page.keyboard.press("Escape")
  })

  it("a page whose script does not arrive says so inside the frame, and opens after another try", async () => {
    const other = await openWindow()
    const { page } = other
    await page.route("**/assets/pages-*.js", (route) => route.abort())
    await other.go("/w/1/live")
    await heading(page, "Live").waitFor()
    await page.getByRole("link", { name: "People" }).click()
    await page.getByText("The page could not be loaded.").waitFor()
    expect(page.url()).toContain("/w/1/people")
    await page.getByRole("link", { name: "Live", exact: true }).click()
    await heading(page, "Live").waitFor()
    await page.getByRole("link", { name: "People" }).click()
    await page.unroute("**/assets/pages-*.js")
    await button(page, "Try again").click()
    await heading(page, "People").waitFor()
  })

  it("what is typed before the script of the search arrives stands in the search, and runs no shortcut", async () => {
    const other = await openWindow()
    const { page } = other
    const held = Promise.withResolvers<void>()
    await page.route("**/assets/dialogs-*.js", async (route) => {
      await held.promise
      await route.continue()
    })
    await other.go("/w/1/live")
    await heading(page, "Live").waitFor()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("gp segx")
    await page.keyboard.press("Backspace")
    held.resolve()
    const search = page.getByRole("combobox", { name: "Search or go to" })
    await search.waitFor()
    expect(await search.inputValue()).toBe("gp seg")
    expect(page.url()).toContain("/w/1/live")
  })

  it("Ctrl K opens the search also before the frame is shown, with what was typed after it", async () => {
    const other = await openWindow()
    const { page } = other
    const held = Promise.withResolvers<void>()
    await page.route("**/console/session", async (route) => {
      await held.promise
      await route.continue()
    })
    await other.start("/w/1/live")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("gp seg")
    expect(await page.getByRole("navigation").count()).toBe(0)
    held.resolve()
    const search = page.getByRole("combobox", { name: "Search or go to" })
    await search.waitFor()
    expect(await search.inputValue()).toBe("gp seg")
    await page.keyboard.press("Escape")
    await search.waitFor({ state: "detached" })
    await page.keyboard.press("Control+k")
    await search.waitFor()
    expect(await search.inputValue()).toBe("")
  })

  it("a dialog whose script does not arrive leaves the page as it is", async () => {
    const other = await openWindow()
    const { page } = other
    await page.route("**/assets/dialogs-*.js", (route) => route.abort())
    await other.go("/w/1/live")
    await heading(page, "Live").waitFor()
    await page.keyboard.press("?")
    await page.getByText("This part of the console could not be loaded.").first().waitFor()
    expect(await heading(page, "Live").count()).toBe(1)
  })
})

describe("times in the console", () => {
  it("have one zone everywhere, which the frame shows and switches, and a date if they are not of today", async () => {
    await identify(inlet, "ada", { plan: "pro" })
    const context = await browser.newContext({ locale: "en-US", timezoneId: "Asia/Kolkata" })
    onTestFinished(() => context.close())
    await context.addCookies(await opened.context.cookies())
    const page = await context.newPage()
    await page.goto(`${inlet.url}/console/w/1/live`)
    const time = page.getByRole("row").nth(1).locator("time")
    const received = new Date((await time.getAttribute("datetime")) ?? "")
    const local = new Date(received.getTime() + 5.5 * 3_600_000).toISOString()
    expect(await time.textContent()).toBe(local.slice(11, 23))
    expect(await time.getAttribute("title")).toBe(`${local.slice(0, 23).replace("T", " ")} UTC+5:30`)
    await page.getByRole("row").nth(1).click()
    await page
      .getByText(`${local.slice(0, 23).replace("T", " ")} UTC+5:30`)
      .first()
      .waitFor()
    await page.getByRole("button", { name: /^Time zone: UTC\+5:30/ }).click()
    await page
      .getByText(`${received.toISOString().slice(0, 23).replace("T", " ")} UTC`)
      .first()
      .waitFor()
    expect(await time.textContent()).toBe(received.toISOString().slice(11, 23))
    await page.clock.setSystemTime(new Date(received.getTime() + 2 * 86_400_000))
    await page.reload()
    await time.filter({ hasText: /^[A-Z][a-z]{2} \d{1,2} \d\d:\d\d:\d\d$/ }).waitFor()
  })
})

describe("the frame of the console", () => {
  it("the workspace switcher finds a workspace by name, stays on the page, and is remembered", async () => {
    const staging = await new Management(inlet).createWorkspace({ name: "Staging" })
    await new Management(inlet).createWorkspace({ name: "Shop" })
    const page = await visit("/w/1/people")
    await page.getByRole("button", { name: /^Workspace .*Switch$/ }).click()
    const names = page.getByRole("list", { name: "Workspaces" }).getByRole("button")
    await names.filter({ hasText: "Shop" }).waitFor()
    await page.getByLabel("Name or number").fill("stag")
    await names.filter({ hasText: "Shop" }).waitFor({ state: "detached" })
    await page.keyboard.press("Enter")
    await page.waitForURL(new RegExp(`/w/${staging}/people$`))
    await page.getByRole("button", { name: "Workspace Staging. Switch" }).waitFor()
    await opened.go("/")
    await page.waitForURL(new RegExp(`/w/${staging}/`))
    await opened.go("/w/1/live")
    await heading(page, "Live").waitFor()
  })

  it("lists pages of features once they are in use, and all of them on demand", async () => {
    const tenant = await Tenant.create({}, inlet)
    const page = await visit(`/w/${tenant.workspace}/people`)
    await opened.idle()
    const pages = page.getByRole("navigation", { name: "Pages" })
    const link = (name: string) => pages.getByRole("link", { name, exact: true })
    await link("Segments").waitFor()
    expect(await link("Forms").count()).toBe(0)
    await page.keyboard.press("g")
    await page.keyboard.press("f")
    await heading(page, "Forms").waitFor()
    await link("Forms").waitFor()
    await link("People").click()
    await link("Forms").waitFor({ state: "detached" })
    await pages.getByRole("button", { name: "More pages" }).click()
    await link("Forms").waitFor()
    await link("Lake").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await pages.getByRole("button", { name: "Fewer pages" }).click()
    await link("Lake").waitFor({ state: "detached" })
    await tenant.track("POST", "/api/v1/forms/newsletter/submit", { data: { email: "ada@example.com" } })
    await page.reload()
    await link("Forms").waitFor()
    expect(await link("Lake").count()).toBe(0)
  })

  it("signing in with an address that is none opens the console", async () => {
    const other = await ConsoleVisit.open(browser, inlet)
    onTestFinished(() => other.context.close())
    for (const from of ["nowhere", "//example.com", ""]) {
      await other.go(`/sign-in?from=${encodeURIComponent(from)}`)
      await other.page.getByLabel("Management token").fill(credentials.token)
      await other.page.getByRole("button", { name: "Sign in" }).click()
      await other.page.getByRole("navigation", { name: "Pages" }).waitFor()
    }
  })

  it("Tab leaves the filter for the next control, also while completions are shown", async () => {
    const page = await visit("/w/1/live")
    await page.keyboard.press("/")
    await page.getByRole("listbox", { name: "Completions" }).waitFor()
    await page.keyboard.press("Tab")
    expect((await focusOf(page)).element).toMatch(/^select Period/)
  })

  it("a dialog with something typed in it asks before Esc, a click outside or another page discards it", async () => {
    const page = await visit("/w/1/people")
    await page.getByRole("link", { name: "Keys" }).click()
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByLabel("Name", { exact: true }).fill("checkout")
    await page.keyboard.press("Escape")
    await dialog.getByText("Discard what you typed?").waitFor()
    expect((await focusOf(page)).element).toBe("button Keep editing")
    await page.keyboard.press("Enter")
    await page.mouse.click(4, 400)
    await dialog.getByText("Discard what you typed?").waitFor()
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("checkout")
    await dialog.getByRole("button", { name: "Keep editing" }).click()
    await page.evaluate("history.back()")
    await page.getByRole("button", { name: "Stay" }).click()
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("checkout")
    await page.keyboard.press("Escape")
    await dialog.getByRole("button", { name: "Discard" }).click()
    await dialog.waitFor({ state: "detached" })
  })

  it("a wide window shows the parts of an operation, of settings, of imports and of Health beside each other", async () => {
    await sendSamples(inlet)
    const page = await visit("/w/1/live")
    await page.setViewportSize({ width: 1920, height: 1000 })
    const { items } = await new Management(inlet).activityPage({ limit: "1", outcome: "partial" })
    const leftOf = async (name: string): Promise<number> =>
      (await page.getByRole("heading", { name, exact: true }).boundingBox())?.x ?? 0
    await opened.go(`/w/1/operations/${items[0]?.operation_id}`)
    expect(await leftOf("Rule")).toBeGreaterThan((await leftOf("What changed")) + 400)
    await opened.go("/w/1/settings")
    const field = await page.getByLabel("Name", { exact: true }).boundingBox()
    expect(field?.x).toBeGreaterThan((await leftOf("Workspace")) + 300)
    await opened.go("/w/1/imports")
    expect(await leftOf("Export")).toBeGreaterThan(800)
    await opened.go("/w/1/health")
    const causes = "Operations that were not applied in full, by cause, key and client"
    await page.getByRole("heading", { name: causes }).waitFor()
    await page.getByRole("heading", { name: "Answers of the last minute" }).waitFor()
    expect(await leftOf("Answers of the last minute")).toBeGreaterThan((await leftOf(causes)) + 600)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it("on a phone a detail has a heading of the first level, and everything to touch is large enough", async () => {
    const phone = await ConsoleVisit.open(browser, inlet, { width: 390, height: 844 })
    onTestFinished(() => phone.context.close())
    await phone.context.addCookies(await opened.context.cookies())
    await sendSamples(inlet)
    const small: Record<string, ReadonlyArray<string>> = {}
    const check = async (name: string): Promise<void> => {
      await phone.idle()
      const found = await phone.accessibilityProblems(["target-size", "page-has-heading-one"])
      const targets = [...found, ...(await smallTargets(phone.page))]
      if (targets.length > 0) small[name] = targets
    }
    await phone.go("/")
    for (const [name, path] of Object.entries(consolePages)) {
      await phone.follow(path)
      await phone.page.getByRole("heading").first().waitFor()
      await check(name)
    }
    for (const name of ["live", "errors", "events", "people", "objects"]) {
      await phone.follow(`/w/1/${name}`)
      await phone.page.getByRole("row").nth(1).click()
      await phone.page.getByRole("complementary", { name: "Detail" }).waitFor()
      await check(`detail of ${name}`)
    }
    await identify(inlet, "a-person-with-a-long-identifier", { email: "ada@example.com" })
    const { items } = await new Management(inlet).activityPage({ limit: "1", outcome: "partial" })
    await phone.go(`/w/1/live/${items[0]?.operation_id}`)
    await phone.page.getByRole("button", { name: /^Merge / }).waitFor()
    await check("a refused email")
    expect(
      await phone.page.evaluate(`(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)(
        document.querySelector("[aria-label='Content of the detail']"))`),
    ).toBe(0)
    expect(small).toEqual({})
  })
})
