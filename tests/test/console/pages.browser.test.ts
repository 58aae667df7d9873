import { Buffer } from "node:buffer"
import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { consolePages } from "../../src/console/consolePages.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { developmentText, scripts, scriptSizes, styleSizes } from "../../src/console/scriptSizes.ts"
import { sendSamples } from "../../src/console/sampleData.ts"
import { useDevelopmentBuild } from "../../src/console/useDevelopmentBuild.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { batch, track } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  await sendSamples(inlet)
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

/** Opens a page of the console. During the test, the page must not log an error except those that are expected. */
const visit = (path: string, isExpected?: (error: string) => boolean): Promise<Page> => {
  onTestFinished(() => opened.page.unrouteAll())
  return visitWithoutErrors(opened, path, isExpected)
}

/** Returns true for the error that the browser logs for a request that the test refuses. */
const isRefusal = (error: string): boolean => error.startsWith("Failed to load resource")

const isReports = (url: URL): boolean => url.searchParams.get("filter") === "kind:delivery_metric"

/** The names of the console pages with a list that has rows, each of which opens a detail. */
const listsWithDetails = ["live", "people", "objects", "segments", "forms", "deliveries"]

describe("the pages of the console", () => {
  it("the page of imports shows the columns of a file, and the rows that failed with their reasons", async () => {
    const page = await visit("/w/1/imports")
    await page.locator("input[type=file]").setInputFiles({
      name: "people.csv",
      mimeType: "text/csv",
      buffer: Buffer.from('id,email,"full name"\nada,ada@example.com,Ada\n,,Nobody\n'),
    })
    await page.getByText("full name").waitFor()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("The import is complete. Some rows failed.").waitFor()
    await page.getByText("line 3").waitFor()
    const rows = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download these rows" }).click()
    expect((await rows).suggestedFilename()).toBe("people.csv.failed.csv")
    expect(await readFile(await (await rows).path(), "utf8")).toBe('id,email,"full name"\n,,Nobody\n')
    const reasons = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download the reasons" }).click()
    expect((await reasons).suggestedFilename()).toBe("people.csv.errors.csv")
    expect(await readFile(await (await reasons).path(), "utf8")).toBe(
      'line,reason,row\r\n3,"the row has no identifier: expected an id, email or svc_id",",,Nobody"\r\n',
    )
  })

  it("the page of imports downloads an export of the people", async () => {
    const page = await visit("/w/1/imports")
    const saved = page.waitForEvent("download")
    await page.getByRole("link", { name: "People" }).last().click()
    expect((await saved).suggestedFilename()).toBe("people.ndjson")
  })

  it("the page of operations shows its chart even if the language of the browser is not a valid language tag", async () => {
    const other = await ConsoleVisit.open(browser, inlet)
    onTestFinished(() => other.context.close())
    await other.context.addInitScript(
      'Object.defineProperty(Navigator.prototype, "language", { configurable: true, value: "en-US@posix" })',
    )
    await other.signIn()
    await other.go("/w/1/live")
    await other.page.getByRole("row").nth(1).waitFor()
    expect(other.errors).toEqual([])
  })

  it("the health page shows each figure with its normal range, and links each reason to the operations with this reason", async () => {
    const page = await visit("/w/1/health")
    await page.getByText("can commit").waitFor()
    const answers = page.locator("dl > div").filter({ hasText: "Answer, p50 and p99" })
    await page.getByText("(answers)").waitFor()
    await answers.filter({ hasText: / ms, [\d.]+ m?s/ }).waitFor()
    await page.getByRole("link").filter({ hasText: "email belongs to another person" }).first().click()
    await page.getByRole("row").filter({ hasText: "partial" }).first().waitFor()
  })

  it("the address of a page contains the chosen period, in the list of all operations and in the activity of a person", async () => {
    const later = new Date(Date.now() + 60_000).toISOString()
    const empty = `from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z`
    const filled = `from=2020-01-01T00:00:00.000Z&to=${later}`
    const page = await visit(`/w/1/live?${empty}`)
    await page.getByText("No operation in this period").waitFor()
    await page.getByLabel("Period").selectOption("Last hour")
    await page.getByRole("row").filter({ hasText: "signed_up" }).first().waitFor()
    expect(new URL(page.url()).search).toBe("?last=1h")
    await page.getByLabel("Period").selectOption("Any time")
    await page.getByRole("button", { name: "Pause" }).waitFor()
    const { svc_id } = await new Management(inlet).person({ id: "ada" })
    await opened.go(`/w/1/people/${svc_id}?filter=kind:event,page,screen&${empty}`)
    const activity = page.locator("section").filter({ has: page.getByRole("heading", { name: "Activity" }) })
    await activity.getByText("No operations.").waitFor()
    await opened.go(`/w/1/people/${svc_id}?filter=kind:event,page,screen&${filled}`)
    await activity.getByText("signed_up").first().waitFor()
    await page.getByLabel("Period").selectOption("Other period…")
    await page.getByLabel(/^To \(UTC/).fill("2019-01-01T00:00")
    await page.getByText("The end must be later than the start.").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.getByLabel(/^From \(UTC/).fill("2018-01-01T00:00")
    await page.getByRole("button", { name: "Show period" }).click()
    await activity.getByText("No operations.").waitFor()
    expect(page.url()).toContain("to=2019-01-01")
    expect(page.url()).toContain("filter=kind")
  })

  it("people are found by an attribute, and the page says that it searched everybody", async () => {
    const page = await visit("/w/1/people?q=plan:pro")
    await page.getByText("1 match. Everybody was searched.").waitFor()
    await page.getByRole("row").filter({ hasText: "ada@example.com" }).waitFor()
    expect(await page.getByRole("row").count()).toBe(2)
    await page.getByLabel("Search people").fill("plan:gold")
    await page.getByText("Nobody found", { exact: true }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("the page of a person lists the messages with reports, and each message links to its delivery", async () => {
    const management = new Management(inlet)
    const { svc_id } = await management.person({ id: "ada" })
    await management.call("PUT", management.pathOf("/deliveries/welcome-1"), {
      channel: "email",
      person: { svc_id },
    })
    for (const metric of ["delivered", "opened"]) {
      await track(inlet, "POST", "/api/v1/metrics", { delivery_id: "welcome-1", metric })
    }
    const page = await visit(`/w/1/people/${svc_id}`)
    const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "welcome-1" }) })
    await row.getByText("Email Opened").waitFor()
    await page.getByText("From the newest 2 reports about this person.").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await row.getByRole("link", { name: "welcome-1" }).click()
    await page.waitForURL(/deliveries\/welcome-1/)
  })

  it("the page of a person without reports says which messages it lists, and links to all deliveries", async () => {
    const { svc_id } = await new Management(inlet).person({ id: "bob" })
    const page = await visit(`/w/1/people/${svc_id}`)
    const deliveries = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "Deliveries", exact: true }) })
      .last()
    await deliveries.getByText("No report about a message to this person.").waitFor()
    await deliveries.getByRole("link", { name: "list of deliveries" }).click()
    await page.waitForURL(/\/w\/1\/deliveries$/)
  })

  it("the page of a person shows that the messages could not be loaded, and loads them on demand", async () => {
    const { svc_id } = await new Management(inlet).person({ id: "bob" })
    await opened.page.route(isReports, (route) =>
      route.fulfill({ status: 400, json: { detail: "refused by the test" } }),
    )
    const page = await visit(`/w/1/people/${svc_id}`, isRefusal)
    const problem = page.getByRole("alert").filter({ hasText: "The deliveries could not be loaded." })
    await problem.getByText("refused by the test").waitFor()
    await page.unroute(isReports)
    await problem.getByRole("button", { name: "Try again" }).click()
    await page.getByText("No report about a message to this person.").waitFor()
  })

  it("if a part of a console page could not be loaded, this part says so and the other parts are shown", async () => {
    const management = new Management(inlet)
    const { svc_id } = await management.person({ id: "ada" })
    const [entry] = (await management.activityPage({ limit: "1" })).items
    const parts = [
      [/\/stats\?|\/stats$/, "/w/1/live", "The chart could not be loaded."],
      [
        /\/request\?/,
        `/w/1/live/${entry?.operation_id}`,
        "The operations of the same request could not be loaded.",
      ],
      [
        /\/provenance$/,
        `/w/1/people/${svc_id}`,
        "The operations that set the attributes could not be loaded.",
      ],
      [/\/stats\/reasons$/, "/w/1/health", "The reasons could not be loaded."],
      [/\/server\/history$/, "/w/1/health", "The last hours could not be loaded."],
      [/\/server$/, "/w/1/health", "The nodes could not be loaded."],
    ] as const
    for (const [address, path, text] of parts) {
      await opened.page.route(address, (route) => route.fulfill({ status: 400, json: { detail: "refused" } }))
      const page = await visit(path, isRefusal)
      const problem = page.getByRole("alert").filter({ hasText: text })
      await problem.getByText("refused").waitFor()
      await page.unroute(address)
      await problem.getByRole("button", { name: "Try again" }).click()
      await problem.waitFor({ state: "detached" })
    }
  })

  it("the health page shows the delay of webhooks if the server's nodes cannot be read, and names missing nodes", async () => {
    await opened.page.route(/\/server$/, (route) =>
      route.fulfill({ status: 400, json: { detail: "refused" } }),
    )
    const page = await visit("/w/1/health", isRefusal)
    await page.getByText("The nodes could not be loaded.").waitFor()
    await page.getByText("No webhook is enabled.").waitFor()
    await page.unroute(/\/server$/)
    await page.route(/\/server$/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...Object(await response.json()), unanswered: ["nodes"] } })
    })
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("The other nodes could not be read from the database.").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("the dialog of suppressions shows why an identifier could not be released", async () => {
    const management = new Management(inlet)
    const identifiers = { email: "nora@example.com" }
    await management.call("POST", management.pathOf("/operations"), {
      type: "person",
      action: "suppress",
      identifiers,
    })
    const page = await visit("/w/1/people", isRefusal)
    await page.route(/\/operations$/, (route) => route.fulfill({ status: 400, json: { detail: "refused" } }))
    await page.getByRole("button", { name: "Suppressions" }).click()
    await page.getByLabel("Identifier", { exact: true }).fill(identifiers.email)
    await page.getByRole("button", { name: "Check" }).click()
    await page.getByRole("button", { name: "Unsuppress" }).click()
    await page.getByText("refused").waitFor()
    expect(await management.isSuppressed(identifiers)).toBe(true)
  })

  it("an operator can choose a period of seconds, and the dialog says what is wrong with an invalid period", async () => {
    const page = await visit("/w/1/live?from=2026-01-01T10:00:05.250Z&to=2026-01-01T10:00:20.750Z")
    await page.getByLabel("Period").selectOption("Other period…")
    const show = page.getByRole("button", { name: "Show period" })
    const from = page.getByLabel(/^From \(UTC/)
    const to = page.getByLabel(/^To \(UTC/)
    expect(await page.getByRole("alert").count()).toBe(0)
    const start = await from.inputValue()
    expect(start).toMatch(/:05$/)
    expect(await to.inputValue()).toMatch(/:21$/)
    await to.fill(start)
    await page.getByText("The end must be later than the start.").waitFor()
    expect(await show.isDisabled()).toBe(true)
    await to.fill("")
    await page.getByText("Enter a date and a time.").waitFor()
    expect(await page.getByText("The end must be later than the start.").count()).toBe(0)
    expect(await show.isDisabled()).toBe(true)
    await to.fill(start.replace(/:05$/, ":06"))
    await show.click()
    await page.waitForURL(/to=2026-01-01T\d\d%3A00%3A06/)
    await page.getByText("No operation in this period").waitFor()
    expect(await page.getByLabel("Period").locator("option:checked").textContent()).toMatch(/:05 – .*:06$/)
  })

  it.each([".", "..", "~.", "~", "%2E%2E", "a/b", "space at the end "])(
    "the object, the form and the delivery with the id %s open from the list and by their address",
    async (id) => {
      await batch(inlet, [
        {
          type: "object",
          action: "identify",
          identifiers: { object_type_id: id, object_id: id },
          attributes: { wanted: id },
        },
      ])
      await track(inlet, "POST", `/api/v1/forms/${encodeURIComponent(id)}/submit`, {
        data: { email: "olga@example.com", wanted: id },
      })
      await track(inlet, "POST", "/api/v1/metrics", { delivery_id: id, metric: "opened" })
      const page = await visit("/w/1/objects")
      const shown = {
        Objects: page.getByRole("button", { name: `Copy object id ${id}`, exact: true }),
        Forms: page.getByLabel("Attribute that the field wanted sets"),
        Deliveries: page.getByRole("button", { name: `Copy delivery id ${id}`, exact: true }),
      }
      const pages = page.getByRole("navigation", { name: "Pages" })
      for (const [name, part] of Object.entries(shown)) {
        await pages.getByRole("link", { name, exact: true }).click()
        // Until the new page is loaded, the previous page is still shown and also has a row with this id. The grid of
        // the new page is therefore selected by its name.
        await page
          .getByRole("grid", { name, exact: true })
          .getByRole("row")
          .filter({ has: page.getByRole("gridcell", { name: id, exact: true }) })
          .click()
        await part.waitFor()
        const address = page.url()
        await page.getByRole("button", { name: "Close", exact: true }).click()
        await part.waitFor({ state: "detached" })
        await page.goto(address)
        await part.waitFor()
      }
    },
  )

  it("the development code of React finds no mistake in any page or detail of the console", async () => {
    const other = await ConsoleVisit.open(browser, inlet)
    onTestFinished(() => other.context.close())
    const developmentCode = other.page.waitForResponse(
      async (response) =>
        response.url().includes("/assets/") && (await response.text()).includes(developmentText),
    )
    await useDevelopmentBuild(other)
    const management = new Management(inlet)
    await management.call("POST", management.pathOf("/segments"), { name: "Readers" })
    await management.registerDelivery("welcome-2", { channel: "email", person: { id: "ada" } })
    await track(inlet, "POST", "/api/v1/forms/newsletter/submit", { data: { email: "ada@example.com" } })
    await other.signIn()
    await developmentCode
    for (const [name, path] of Object.entries(consolePages)) {
      await other.follow(path)
      await other.idle()
      if (listsWithDetails.includes(name)) {
        await other.page.getByRole("row").nth(1).click()
        await other.page.getByRole("complementary", { name: "Detail" }).waitFor()
        await other.idle()
      }
      expect({ name, errors: other.errors }).toEqual({ name, errors: [] })
    }
  })

  it('the build contains no development code of React, even if NODE_ENV is "test"', () => {
    const texts = [...scripts().values()].map(String)
    expect(texts.filter((text) => text.includes(developmentText))).toEqual([])
    expect(texts.length).toBeGreaterThan(0)
  })

  it.each([
    ["home", 140, "Verdict"],
    ["live", 158, "Live"],
  ])("the page %s shows itself with at most %i KB of scripts and styles", async (name, kbMax, region) => {
    const other = await ConsoleVisit.open(browser, inlet)
    onTestFinished(() => other.context.close())
    await other.signIn()
    const needed = new RegExp(`^(?:first|rolldown-runtime|${name})-`)
    // The page shows itself without all other scripts, which are loaded afterwards.
    await other.page.route(/\/assets\/.*\.js$/, (route) =>
      needed.test(route.request().url().split("/").at(-1) ?? "") ? route.continue() : route.abort(),
    )
    await other.go(`/w/1/${name}`)
    await other.page.getByRole("region", { name: region, exact: true }).waitFor()
    if (name === "live") await other.page.getByRole("row").nth(1).waitFor()
    const sizes = [...scriptSizes(), ...styleSizes()].filter(([file]) => needed.test(file))
    const first = sizes.reduce((sum, [, size]) => sum + size, 0)
    expect(first).toBeGreaterThan(50 * 1024)
    expect(first).toBeLessThanOrEqual(kbMax * 1024)
  })

  it("all pages together load at most 380 KB of scripts", () => {
    const all = [...scriptSizes().values()].reduce((sum, size) => sum + size, 0)
    expect(all).toBeLessThanOrEqual(380 * 1024)
  })

  it("a page says that it loads before any script has arrived", async () => {
    const other = await ConsoleVisit.open(browser, inlet)
    onTestFinished(() => other.context.close())
    const held = Promise.withResolvers<void>()
    await other.page.route(/\/assets\/.*\.js$/, async (route) => {
      await held.promise
      await route.continue()
    })
    const loaded = other.go("/sign-in")
    await other.page.getByText("Inlet is loading…").waitFor()
    held.resolve()
    await loaded
    await other.page.getByText("Inlet is loading…").waitFor({ state: "hidden" })
  })
})
