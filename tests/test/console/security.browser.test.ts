import { Schema } from "effect"
import { Buffer } from "node:buffer"
import type { Browser, Page, Request } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { consolePages } from "../../src/console/consolePages.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { expectNoErrors, visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { ForeignSite } from "../../src/console/ForeignSite.ts"
import { hostileTexts, sendHostileData } from "../../src/console/hostileData.ts"
import { eventually } from "../../src/eventually.ts"
import { send } from "../../src/http.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management, read } from "../../src/Management.ts"

const markup = hostileTexts.at(-1) ?? ""
const reversing = hostileTexts.find((text) => text.startsWith("\u202E")) ?? ""

let browser: Browser
let inlet: Inlet
let foreign: ForeignSite
let opened: ConsoleVisit
/** The requests of all pages of the signed-in browser. */
const requests: Array<Request> = []

beforeAll(async () => {
  browser = await launchBrowser()
  foreign = await ForeignSite.start(hostileTexts.join("\n"))
  inlet = await Inlet.start({ env: { INLET_LOG: "all", INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
  await sendHostileData(inlet, foreign.url("127.0.0.1"))
  opened = await ConsoleVisit.open(browser, inlet)
  opened.context.on("request", (request) => requests.push(request))
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

/**
 * Opens a page of the console. Fails the test if the page logs an error, because a script in the hostile data would
 * cause one. Resources that cannot be loaded do not count as errors.
 */
const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path, isFailedLoad)

const isFailedLoad = (error: string): boolean => error.startsWith("Failed to load resource")

/** Elements that the console never creates. The hostile texts would create them if the page treated texts as markup. */
const foreignElements =
  'img, b, object, embed, iframe, script:not([src]), body style, [onload], [onerror], [href^="javascript" i], [src^="javascript" i]'

/** Expects that the data added no element to the page, and that the page is not wider than its window. */
const expectIntact = async (page: Page, where: string): Promise<void> => {
  const { added, wider } = await page.evaluate<{ readonly added: number; readonly wider: number }>(`({
    added: document.querySelectorAll(${JSON.stringify(foreignElements)}).length,
    wider: document.documentElement.scrollWidth - innerWidth,
  })`)
  expect(added, where).toBe(0)
  expect(wider, where).toBeLessThanOrEqual(0)
}

/** Opens the first rows of the current list, one after the other. */
const openRows = async (page: Page, where: string, rows: number): Promise<void> => {
  const detail = page.getByRole("complementary", { name: "Detail" })
  await page.getByRole("row").nth(1).click()
  for (let row = 1; row <= rows; row++) {
    await detail.getByRole("heading", { level: 3 }).first().waitFor()
    await expectIntact(page, `${where}, row ${row}`)
    const address = page.url()
    if (row === rows) return
    await page.keyboard.press("j")
    await page.waitForURL((url) => url.href !== address)
  }
}

const listsWithDetails = ["people", "objects", "segments", "forms", "deliveries", "webhooks"]

/**
 * Pages that list nothing that a client or an operator named, or only the newest of it. An erasure is listed without the
 * person's data, and a cause without names.
 */
const pagesWithoutNames = ["start", "home", "errors", "imports", "settings", "health", "lake", "erasures"]

/** Follows a link to a page, and waits until a list of hostile items shows its items. */
const visitIntact = async (name: string): Promise<Page> => {
  const { page } = opened
  expectNoErrors(opened, isFailedLoad)
  await opened.follow(consolePages[name] ?? "")
  const names = page.getByRole("row").filter({ hasText: "alert(5)" })
  if (!pagesWithoutNames.includes(name)) await names.first().waitFor()
  await expectIntact(page, name)
  return page
}

describe("hostile names in the console", () => {
  it("every console page without details shows markup, script addresses and names of object properties as text", async () => {
    const names = Object.keys(consolePages).filter((name) => !listsWithDetails.includes(name))
    expect(names.length + listsWithDetails.length).toBe(Object.keys(consolePages).length)
    for (const name of names) await visitIntact(name)
  })

  it.each(listsWithDetails)(
    "every item with a hostile name is shown as text in the list of %s and in its detail",
    async (name) => {
      const page = await visitIntact(name)
      await openRows(page, name, hostileTexts.length)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectIntact(page, `${name} on a phone`)
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  )

  it.each(["__proto__", markup])("every operation on a person with the id %s opens", async (text) => {
    const filter = `person:"${text.replaceAll('"', String.raw`\"`)}"`
    const page = await visit(`/w/1/live?filter=${encodeURIComponent(filter)}`)
    await page.getByRole("row").nth(7).waitFor()
    await openRows(page, text, 7)
  })

  it.each(["constructor", "__proto__"])(
    "a form field named %s sets the attribute of this name",
    async (field) => {
      const page = await visit(`/w/1/forms/${field}`)
      expect(await page.getByLabel(`Attribute that the field ${field} sets`).inputValue()).toBe(field)
    },
  )

  it("the console cuts a value of 100,000 characters until the operator asks for the whole value", async () => {
    const page = await visit("/w/1/live?filter=name:long")
    await page.getByRole("row").nth(1).click()
    const sent = page.getByRole("region", { name: "Data that was sent" })
    const more = sent.getByRole("button", { name: "Show all 96,027 characters" })
    await more.waitFor()
    expect((await sent.textContent())?.length).toBeLessThan(2_000)
    await more.click()
    expect((await sent.textContent())?.length).toBeGreaterThan(96_000)
    await expectIntact(page, "a long value")
  })

  it("characters that reverse the direction of text do not move the text around a name", async () => {
    const page = await visit(`/w/1/objects/${encodeURIComponent(reversing)}/${encodeURIComponent(reversing)}`)
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText("to confirm").waitFor()
    const positions = await page.evaluate<ReadonlyArray<number>>(`(() => {
      const name = document.querySelector("[role=alertdialog] p span")
      const after = document.createRange()
      after.selectNode(name.nextSibling)
      return [name.getBoundingClientRect().right, after.getBoundingClientRect().left]
    })()`)
    const [end = 0, next = 0] = positions
    expect(next).toBeGreaterThanOrEqual(end)
    const shown = await page.getByText("to confirm").locator("span").textContent()
    expect(shown).toContain(String.raw`\u202e\u2066detrever`)
    const remove = page.getByRole("button", { name: "Delete object" })
    for (const typed of [reversing, shown ?? ""]) {
      await page.getByLabel("Identifier").fill("something else")
      expect(await remove.isDisabled()).toBe(true)
      await page.getByLabel("Identifier").fill(typed)
      expect(await remove.isDisabled()).toBe(false)
    }
  })

  it("a console address with hostile identifiers or parameters shows a page or an error, and runs no script", async () => {
    const text = encodeURIComponent(markup)
    const addresses = [
      `/w/1/people?q=${text}&__proto__=${text}&constructor=x`,
      `/w/1/live?filter=${text}`,
      `/w/1/live?from=${text}&to=${text}`,
      `/w/1/objects?type=${text}`,
      `/w/1/live/${text}`,
      `/w/1/operations/javascript:alert(1)`,
      `/w/1/people/${text}`,
      `/w/${text}/live`,
      `/w/__proto__/people/constructor`,
      `/${text}`,
    ]
    for (const address of addresses) await expectIntact(await visit(address), address)
  })

  it("the search, the filter and the command palette accept hostile texts", async () => {
    const page = await visit("/w/1/people")
    for (const text of [markup, "__proto__"]) {
      await page.getByLabel("Search people").fill(text)
      await page.waitForURL((url) => url.searchParams.get("q") === text)
    }
    await page.keyboard.press("Control+k")
    const palette = page.getByRole("combobox", { name: "Search or go to" })
    for (const text of hostileTexts) await palette.fill(text)
    await page.keyboard.press("Escape")
    await opened.go("/w/1/live")
    for (const text of hostileTexts) {
      await page.getByLabel("Filter", { exact: true }).fill(`${text}:`)
      await page.keyboard.press("Enter")
    }
    await expectIntact(page, "the filter")
  })

  it("an import shows the name, the columns and the failed cells of a hostile file as text", async () => {
    const page = await visit("/w/1/imports")
    const cells = hostileTexts.map((text) => `"${text.replaceAll('"', '""')}"`)
    await page.locator("input[type=file]").setInputFiles({
      name: `${markup.replaceAll("/", "")}.csv`,
      mimeType: "text/csv",
      buffer: Buffer.from(
        `id,email,${cells.join(",")}\n,${cells.join(",")},,\nada,${cells[7]},${cells.join(",")}\n`,
      ),
    })
    await page.getByRole("term").filter({ hasText: "__proto__" }).waitFor()
    await expectIntact(page, "the columns of a file")
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("Some rows failed").waitFor()
    await expectIntact(page, "failed rows")
  })

  it("the account of a session shows a hostile name of its token as text", async () => {
    const created = { name: markup, scope: "read", workspaces: null }
    const answer = await new Management(inlet).call("POST", "/tokens", created)
    const other = await ConsoleVisit.open(browser, inlet)
    onTestFinished(() => other.context.close())
    await other.signIn(read(Schema.Struct({ token: Schema.String }), answer.json).token)
    await other.page.getByRole("button", { name: /^Account:/ }).click()
    const account = other.page.getByRole("group", { name: "Account" })
    expect(await account.getByText("alert(5)").textContent()).toBe(markup)
    await expectIntact(other.page, "the account")
    expect(other.errors).toEqual([])
  })

  it("the answer of a webhook's receiver is shown as text", async () => {
    const page = await visit("/w/1/webhooks")
    await page.getByRole("row").filter({ hasText: markup }).click()
    const attempt = page.getByRole("complementary").getByRole("button", { expanded: false })
    await attempt.filter({ hasText: "200" }).first().click()
    expect(await page.getByLabel("Answer of the receiver").textContent()).toContain(markup)
    await expectIntact(page, "an attempt")
  })
})

/** The body of a request that would create a workspace. */
const forgedBody = JSON.stringify({ name: "forged" })

/** The content types that a page may send to another site without a preflight request. */
const typesWithoutPreflight = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]

/** Opens a site that does not belong to Inlet, in the browser that is signed in to the console. */
const visitForeign = async (host: "127.0.0.1" | "localhost"): Promise<Page> => {
  const page = await opened.context.newPage()
  onTestFinished(() => page.close())
  await page.goto(foreign.url(host))
  return page
}

/**
 * Makes a page send requests that would create a workspace: with `fetch`, with `sendBeacon` and as a form. Returns the statuses of
 * the answers. The browser reports none for the request that needs a preflight request, because that was refused.
 */
const forge = async (page: Page): Promise<ReadonlyArray<number>> => {
  const target = `${inlet.url}/management/v1/workspaces`
  const statuses: Array<number> = []
  page.on("response", (response) => {
    if (response.url() === target && response.request().method() !== "OPTIONS")
      statuses.push(response.status())
  })
  const [url, body, types] = [target, forgedBody, typesWithoutPreflight].map((value) => JSON.stringify(value))
  await page.evaluate(`Promise.all([
    ...${types}.map((type) =>
      fetch(${url}, { method: "POST", mode: "no-cors", credentials: "include", headers: { "content-type": type }, body: ${body} })),
    fetch(${url}, { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body: ${body} })
      .catch(() => undefined),
    navigator.sendBeacon(${url}, new Blob([${body}], { type: "text/plain" })),
  ])`)
  // The page forgets the answer to a beacon that arrives after the page has left for the target of the form.
  await eventually("four requests are answered", () => statuses.length === 4 || undefined)
  await page.evaluate(`(() => {
    const form = document.createElement("form")
    Object.assign(form, { action: ${url}, method: "post", enctype: "text/plain" })
    const field = document.createElement("input")
    Object.assign(field, { name: '{"name":"forged","x":"', value: '"}' })
    form.append(field)
    document.body.append(form)
    form.submit()
  })()`)
  await page.waitForURL(target)
  return statuses
}

describe("other sites in the browser of an operator", () => {
  it.each([
    ["another port of the same host, and the browser sends the cookie", "127.0.0.1", 403],
    ["another host, and the browser sends no cookie", "localhost", 401],
  ] as const)("a page on %s changes nothing", async (_, host, status) => {
    expect(await forge(await visitForeign(host))).toEqual(Array(5).fill(status))
    const names = (await new Management(inlet).call("GET", "/workspaces?limit=1000")).text
    expect(names).not.toContain("forged")
  })

  it("a page of another site cannot read data although the browser has a session of the console", async () => {
    const page = await visitForeign("127.0.0.1")
    const url = JSON.stringify(`${inlet.url}/management/v1/workspaces`)
    const read = await page.evaluate(`fetch(${url}, { credentials: "include" }).then(
      async (response) => response.text(),
      (error) => error.name)`)
    expect(read).toBe("TypeError")
  })

  it("a page of another site cannot show the console in a frame", async () => {
    const page = await visitForeign("127.0.0.1")
    await page.evaluate(`(() => {
      const frame = document.createElement("iframe")
      frame.src = ${JSON.stringify(`${inlet.url}/console/`)}
      document.body.append(frame)
    })()`)
    const frame = await eventually("the frame has loaded", () =>
      page
        .frames()
        .find(
          (candidate) =>
            candidate !== page.mainFrame() && candidate.url() !== "about:blank" && candidate.url() !== "",
        ),
    )
    expect(frame.url()).toMatch(/^chrome-error:/)
  })

  it("signing in never redirects to another site, and never runs a script from the address", async () => {
    const other = await ConsoleVisit.open(browser, inlet)
    onTestFinished(() => other.context.close())
    for (const from of [`//${new URL(foreign.url("127.0.0.1")).host}/`, "javascript:alert(1)"]) {
      await other.go(`/sign-in?from=${encodeURIComponent(from)}`)
      await other.page.getByLabel("Management token").fill(credentials.token)
      await other.page.getByRole("button", { name: "Sign in" }).click()
      await other.page.waitForURL(`${inlet.url}/console/w/1/*`)
      expect(new URL(other.page.url()).origin).toBe(inlet.url)
    }
    expect(other.errors).toEqual([])
    expect(other.foreignRequests).toEqual([])
  })
})

describe("the secrets of a session", () => {
  it("the session cookie cannot be read by scripts and is sent only to the host of the console", async () => {
    const [cookie, ...others] = await opened.context.cookies()
    expect(others).toEqual([])
    expect(cookie).toMatchObject({
      name: expect.stringMatching(/^inlet_session_[0-9a-f]{12}$/),
      domain: "127.0.0.1",
      httpOnly: true,
      sameSite: "Strict",
      path: "/",
    })
    expect(await (await visit("/w/1/live")).evaluate("document.cookie")).toBe("")
  })

  it("no secret is in an address, in the storage of the browser or in the log of the server", async () => {
    const page = await visit("/w/1/keys")
    await page.getByRole("button", { name: "Create key" }).first().click()
    await page.getByLabel("Name").fill("checkout")
    await page.getByRole("button", { name: "Create key" }).last().click()
    const apiKey = await page.getByLabel("API key", { exact: true }).textContent()
    const [cookie] = await opened.context.cookies()
    const secrets = [credentials.token, cookie?.value ?? "", apiKey ?? ""]
    const stored =
      await page.evaluate<string>(`Promise.all([indexedDB.databases(), caches.keys()]).then((lists) =>
      JSON.stringify([localStorage, sessionStorage, history.state, location.href, document.cookie, ...lists]))`)
    // Only lines of JSON belong to the log. The text that the server prints at its start contains the token.
    const log = inlet.process.output.filter((line) => line.startsWith("{"))
    expect(log.length).toBeGreaterThan(0)
    const addresses = requests.map((request) => request.url())
    expect(addresses.length).toBeGreaterThan(100)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(15)
      expect(stored).not.toContain(secret)
      expect(addresses.filter((address) => address.includes(secret))).toEqual([])
      expect(log.filter((line) => line.includes(secret))).toEqual([])
    }
  })

  it("the console sends requests only to its own server, and its answers forbid other scripts", async () => {
    expect(opened.foreignRequests).toEqual([])
    const policies = new Set<string | undefined>()
    for (const path of ["/", "/w/1/live", "/icon.svg", "/assets/none.js"]) {
      policies.add(
        (await send(inlet.url, { method: "GET", path: `/console${path}` })).headers[
          "content-security-policy"
        ]?.toString(),
      )
    }
    expect([...policies]).toEqual([
      expect.stringMatching(/^default-src 'none'; script-src 'self'; (?!.*unsafe)/),
    ])
  })
})
