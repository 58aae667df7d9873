import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { signInLink } from "../../src/signInLink.ts"
import { consolePages } from "../../src/console/consolePages.ts"
import { colorRules, ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { sendSamples } from "../../src/console/sampleData.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { eventually } from "../../src/eventually.ts"
import { send } from "../../src/http.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { base64, batch, identify } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"

let browser: Browser
let inlet: Inlet
let signedIn: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  signedIn = await ConsoleVisit.open(browser, inlet)
  await signedIn.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

/** Opens a browser window that is not signed in. */
const openWindow = async (server = inlet): Promise<ConsoleVisit> => {
  const opened = await ConsoleVisit.open(browser, server)
  onTestFinished(() => opened.context.close())
  return opened
}

/** Opens a page of the console in the window that is signed in. The page must not log an error during the test. */
const visit = (path: string): Promise<Page> => visitWithoutErrors(signedIn, path)

/** Returns the sign-in link of a server's first start, as a path below `/console`. */
const signInPath = async ({ dataDir, process }: Inlet): Promise<string> =>
  `/${new URL(await signInLink(process, dataDir)).hash}`

const heading = (text: string) => ({ name: text, exact: true })

describe("signing in to the console in a browser", () => {
  it("a link signs in once, and its code is removed from the address and the history", async () => {
    const link = await signInPath(inlet)
    const first = await openWindow()
    await first.go(link)
    await first.page.getByRole("heading", heading("Send your first event")).waitFor()
    expect(first.page.url()).not.toContain("login")
    expect(
      await first.page.evaluate(
        "JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie",
      ),
    ).not.toContain(link.split("=")[1])
    const second = await openWindow()
    await second.go(link)
    await second.page.getByRole("heading", heading("Sign in to Inlet")).waitFor()
    expect(await second.page.getByRole("alert").first().textContent()).toContain(
      "The link has been used before",
    )
    expect(second.page.url()).not.toContain("login=")
  })

  it("a wrong token is refused with advice, and the right token opens the requested page", async () => {
    const opened = await openWindow()
    const { errors, page } = opened
    await opened.go("/w/1/live?filter=kind:event")
    await page.getByLabel("Management token").fill("wrong")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByText("This is not a management token of this server").waitFor()
    await page.getByLabel("Management token").fill(credentials.token)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", heading("Live")).waitFor()
    expect(await page.getByRole("combobox", { name: "Filter" }).inputValue()).toBe("kind:event")
    expect(await page.evaluate("JSON.stringify(localStorage) + document.cookie")).not.toContain(
      credentials.token,
    )
    expect(errors.filter((text) => !text.includes("401"))).toEqual([])
  })
})

describe("the console in a browser", () => {
  it("the start page creates a key, and shows the event that is sent with the key", async () => {
    const page = await visit(`/w/${await new Management(inlet).createWorkspace({})}/start`)
    await page.getByText("Waiting for your first event…").waitFor()
    await page.getByRole("button", { name: "Create a key for the examples" }).click()
    const example = page.getByLabel("Example for curl", { exact: true })
    await example.filter({ hasNotText: "YOUR_WRITE_KEY" }).waitFor()
    const [, writeKey = "", body = ""] =
      /-u (\S+): \S+ -d '([^']+)'/.exec((await example.textContent()) ?? "") ?? []
    const answer = await send(inlet.url, {
      method: "POST",
      path: "/v1/batch",
      headers: { authorization: `Basic ${base64(`${writeKey}:`)}` },
      body,
    })
    expect(answer.status).toBe(200)
    await page.getByRole("link").filter({ hasText: "signed_up" }).filter({ hasText: "was stored" }).waitFor()
  })

  it("an operation appears as it happens, and the keyboard opens its explanation", async () => {
    const page = await visit("/w/1/live")
    await page.getByText("Live", { exact: true }).last().waitFor()
    await batch(inlet, [
      {
        type: "person",
        action: "identify",
        identifiers: { id: "grace" },
        attributes: { email: "grace@example.com" },
      },
    ])
    await identify(inlet, "alan", { email: "grace@example.com", plan: "pro" })
    await page.getByRole("row").filter({ hasText: "partial" }).waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.getByText("email belongs to another person").first().waitFor()
    await page
      .getByText("If alan and grace@example.com are the same person, merge grace@example.com into alan.")
      .waitFor()
    await page.getByRole("cell", { name: "attributes.plan" }).waitFor()
    expect(page.url()).toMatch(/\/w\/1\/live\/op\w+$/)
    await page.keyboard.press("Escape")
    await eventually("the detail is closed", () => (page.url().endsWith("/w/1/live") ? true : undefined))
    expect(signedIn.foreignRequests).toEqual([])
  })

  it("the filter line of the console completes terms, and the address of the page contains the filter", async () => {
    await sendSamples(inlet)
    const page = await visit("/w/1/live")
    await page.getByRole("row").filter({ hasText: "rejected" }).first().waitFor()
    await page.keyboard.press("/")
    for (const [typed, offered] of [
      ["out", "outcome"],
      ["rej", "rejected"],
    ] as const) {
      await page.keyboard.type(typed)
      await page.getByRole("option").filter({ hasText: offered }).first().waitFor()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
    }
    await page.keyboard.press("Enter")
    await eventually("the address has the filter", () =>
      page.url().includes("filter=outcome%3Arejected") ? true : undefined,
    )
    await eventually("only rejected operations are listed", async () => {
      const outcomes = await page.getByRole("row").allTextContents()
      return outcomes.slice(1).length > 0 && outcomes.slice(1).every((text) => text.includes("rejected"))
        ? true
        : undefined
    })
  })

  it("the paused list on the page Live counts new operations, and shows them on demand", async () => {
    const page = await visit("/w/1/live?filter=person:paused")
    await page.getByRole("heading", heading("No operation matches")).waitFor()
    await page.getByRole("button", { name: "Pause" }).click()
    await identify(inlet, "paused", { plan: "pro" })
    const pill = page.getByRole("button", { name: "Show 1 new" })
    await pill.waitFor()
    expect(await page.getByRole("row").filter({ hasText: "identify" }).count()).toBe(0)
    await pill.click()
    await page.getByRole("row").filter({ hasText: "identify" }).waitFor()
    await page.getByRole("button", { name: "Pause" }).waitFor()
  })

  it("after a restart of the server, the list on the page Live continues without a gap", async () => {
    const first = await Inlet.start()
    const opened = await openWindow(first)
    const { page } = opened
    await opened.signIn()
    await opened.go("/w/1/live")
    await page.getByText("Nothing has arrived yet").waitFor()
    await first.stop()
    await page.getByText("Reconnecting").waitFor()
    const second = await Inlet.start({ dataDir: first.dataDir, env: { INLET_PORT: String(first.port) } })
    await identify(second, "ada", { plan: "pro" })
    await page.getByRole("row").filter({ hasText: "ada" }).waitFor()
    await second.stop()
  })

  it("choosing a period on the chart lists the operations of the bars in that period", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "pro" })
    const page = await visit(`/w/${tenant.workspace}/live`)
    const chart = page.getByRole("img", { name: /Operations, Last 24 hours: 1 applied/ })
    await chart.waitFor()
    const box = await chart.boundingBox()
    if (box === null) throw new Error("the chart must be visible")
    await page.mouse.move(box.x + box.width / 2, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 24, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await page.getByRole("button", { name: "Back to live" }).waitFor()
    expect(page.url()).toContain("from=")
    await page.getByRole("row").filter({ hasText: "identify" }).waitFor()
    await page.getByRole("button", { name: "Back to live" }).click()
    await page.getByRole("button", { name: "Pause" }).waitFor()
    expect(page.url()).not.toContain("from=")
  })

  it("no page has accessibility problems in the light or the dark theme", async () => {
    const opened = await openWindow()
    await sendSamples(inlet)
    const problems: Record<string, ReadonlyArray<string>> = {}
    const check = async (name: string): Promise<void> => {
      await opened.page.getByRole("heading").first().waitFor()
      await opened.idle()
      const found = await opened.accessibilityProblems()
      if (found.length > 0) problems[name] = found
      // Only the colors differ between the themes.
      await opened.page.emulateMedia({ colorScheme: "dark" })
      const inDark = await opened.accessibilityProblems(colorRules)
      if (inDark.length > 0) problems[`${name} in the dark theme`] = inDark
      await opened.page.emulateMedia({ colorScheme: "light" })
    }
    await opened.go("/sign-in")
    await check("sign-in")
    await opened.signIn()
    for (const [name, path] of Object.entries(consolePages)) {
      await opened.follow(path)
      await check(name)
    }
    for (const name of ["live", "errors", "events", "people", "objects"]) {
      await opened.follow(`/w/1/${name}`)
      await opened.page.getByRole("row").nth(1).click()
      await opened.page.getByRole("complementary", { name: "Detail" }).waitFor()
      await check(`detail of ${name}`)
    }
    expect(problems).toEqual({})
    expect(opened.errors).toEqual([])
    expect(opened.foreignRequests).toEqual([])
  })
})
