import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { press } from "../../src/console/keyboard.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { base64, identified } from "../../src/ingestion.ts"
import { send } from "../../src/http.ts"
import { shopPeople } from "../../src/segments/shopPeople.ts"
import { summarized } from "../../src/summarized.ts"
import { Tenant } from "../../src/Tenant.ts"
import { createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit
let receiver: WebhookReceiver

beforeAll(async () => {
  browser = await launchBrowser()
  receiver = await WebhookReceiver.start()
  inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

/** Opens the first page that somebody sees in a workspace. */
const home = (tenant: Tenant): Promise<Page> => visitWithoutErrors(opened, `/w/${tenant.workspace}/home`)

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text })
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const link = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name, exact: true })
const detail = (page: Page) => page.getByRole("complementary", { name: "Detail" })

const event = (id: string, name: string) => ({ type: "person", action: "event", identifiers: { id }, name })

/** Sends a call as one client, with the tenant's key. */
const sendAs = (tenant: Tenant, client: string, path: string, body: object) =>
  send(inlet.url, {
    method: "PUT",
    path,
    headers: {
      authorization: `Basic ${base64(`${tenant.siteId}:${tenant.apiKey}`)}`,
      "user-agent": client,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  })

/** Types into the search that Ctrl K opens, and takes what it finds first. */
const search = async (page: Page, text: string, found: string | RegExp): Promise<void> => {
  await press(page, "Control+k")
  await page.getByRole("combobox", { name: "Search or go to" }).fill(text)
  await page.getByRole("option", { name: found }).first().click()
}

/** Each title says the steps that somebody takes who has read no page of the docs. */
describe("what people come to the console for", () => {
  it("is all well: the first line of Home", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", {})
    const page = await home(tenant)
    await page.getByRole("region", { name: "Verdict" }).getByRole("heading", { name: /well/ }).waitFor()
  })

  it("my identify does nothing: Errors, the cause, the refused email with its owner and the advice", async () => {
    const tenant = await Tenant.create({}, inlet)
    await sendAs(tenant, "python/3.1", "/api/v1/customers/owner", { email: "ada@example.com" })
    await sendAs(tenant, "python/3.1", "/api/v1/customers/ada", { email: "ada@example.com" })
    await summarized(tenant)
    const page = await home(tenant)
    await link(page, "Errors").click()
    await row(page, "python/3.1").click()
    await detail(page).getByText("What to do").waitFor()
    await detail(page).getByRole("link", { name: "Open the operation" }).click()
    await page
      .getByText(/belongs to/)
      .first()
      .waitFor()
    await page.getByRole("link", { name: "ada@example.com" }).first().waitFor()
  })

  it("a key that no workspace has: Errors, Calls with unknown keys, the key, its path and its client", async () => {
    const tenant = await Tenant.create({}, inlet)
    const authorization = `Basic ${base64(`${tenant.siteId}x:${tenant.apiKey}`)}`
    const answer = await tenant.track(
      "PUT",
      "/api/v1/customers/ada",
      {},
      { authorization, "user-agent": "cron/3" },
    )
    expect(answer.status).toBe(401)
    await tenant.identify("ada", {})
    const page = await home(tenant)
    await link(page, "Errors").click()
    await page.getByText(/^Calls with unknown keys: \d+ call/).click()
    const call = page.getByRole("region", { name: "Calls with unknown keys" }).getByRole("listitem")
    await call
      .filter({ hasText: `${tenant.siteId}x` })
      .filter({ hasText: "/api/v1/customers" })
      .filter({ hasText: "cron/3" })
      .waitFor()
  })

  it("what is behind and why, and all of it sent again: Home, Webhook, the attempt, Recover", async () => {
    const tenant = await Tenant.create({}, inlet)
    receiver.react = () => 503
    await createWebhook(tenant, { name: "Warehouse", url: receiver.url("/failing"), kind: "activity" })
    for (const id of ["ada", "bob"]) await tenant.identify(id, {})
    const page = await home(tenant)
    const finding = page.getByRole("listitem").filter({ hasText: "The webhook Warehouse is blocked" })
    await finding.getByRole("link", { name: "Webhook" }).click()
    await detail(page)
      .getByRole("button")
      .filter({ hasText: "Retrying" })
      .filter({ hasText: "503" })
      .first()
      .click()
    await detail(page).getByRole("heading", { name: "Answer" }).waitFor()
    receiver.react = () => 200
    await button(page, "Recover").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(/^Since/).fill("2020-01-01T00:00")
    await dialog.getByRole("button", { name: "Send again" }).click()
    await dialog.getByText(/^\d+ events? (is|are) sent again\.$/).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await detail(page).getByText("Waiting", { exact: true }).locator("..").getByText("nothing").waitFor()
  })

  it("a suppressed person: People, the email, the sentence that says so, Unsuppress twice", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.entity({ type: "person", action: "suppress", identifiers: { email: "gone@example.com" } })
    const page = await home(tenant)
    await link(page, "People").click()
    await page.getByRole("combobox", { name: "Search people" }).fill("gone@example.com")
    await page.getByText("This email is suppressed").waitFor()
    await button(page, "Unsuppress").click()
    await page.getByRole("dialog").getByText("This identifier is suppressed.").waitFor()
    await page.getByRole("dialog").getByText("Unsuppress", { exact: true }).click()
    await page.getByRole("dialog").getByText("This identifier is not suppressed.").waitFor()
  })

  it("a person by half a name, by a part of an email and by an id before a merge: People and the text, or Ctrl K", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([
      identified("zoe", { name: "Zoë Müller", email: "zm@shop.example" }),
      identified("old-zoe"),
      identified("ada", { name: "Ada" }),
    ])
    await tenant.merge({ id: "zoe" }, { id: "old-zoe" })
    const page = await home(tenant)
    await link(page, "People").click()
    for (const text of ["mull", "shop.exa"]) {
      await page.getByRole("combobox", { name: "Search people" }).fill(text)
      await row(page, "Ada").waitFor({ state: "detached" })
      await row(page, "Zoë").waitFor()
    }
    await search(page, "old-zoe", /Zoë Müller/)
    await detail(page).getByText("Zoë").first().waitFor()
  })

  it("an identify that went to another workspace: Ctrl K, the id, the person in that workspace", async () => {
    const [tenant, other] = [
      await Tenant.create({}, inlet),
      await Tenant.create({ name: "the staging shop" }, inlet),
    ]
    await other.identify("wanderer-7", { name: "Wanda" })
    const page = await home(tenant)
    await search(page, "wanderer-7", /in the staging shop/)
    await detail(page).getByText("Wanda").first().waitFor()
    expect(new URL(page.url()).pathname).toContain(`/w/${other.workspace}/people/`)
  })

  it("what she looked like before, and which call changed it: the person, Earlier, the row of the change", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "free" })
    await tenant.identify("ada", { plan: "pro" })
    const page = await home(tenant)
    await search(page, "ada", /ada/)
    await detail(page).getByRole("button", { name: "Earlier" }).click()
    const change = detail(page).getByLabel("Changes").getByRole("row").filter({ hasText: "plan" })
    await change.filter({ hasText: "free" }).filter({ hasText: "pro" }).waitFor()
  })

  it("a wrong merge: the person, Undo the merge, its preview, Undo", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", {})
    await tenant.identify("bob", { team: "b" })
    await tenant.merge({ id: "ada" }, { id: "bob" })
    const page = await home(tenant)
    await search(page, "bob", /ada/)
    await button(page, "Undo the merge of bob").click()
    await page.getByRole("dialog").getByRole("button", { name: "Undo the merge" }).click()
    await page.getByText("The merge of bob was undone.").waitFor()
    expect((await tenant.person({ id: "bob" })).attributes).toEqual({ team: "b" })
  })

  it("which client sends bad data and all of it as a file: Errors, the client in the line, the cause, NDJSON", async () => {
    const tenant = await Tenant.create({}, inlet)
    const long = { plan: "x".repeat(1001) }
    for (const id of ["a", "b"]) await sendAs(tenant, "shop/2.0", `/api/v1/customers/${id}`, long)
    await sendAs(tenant, "crm/1", "/api/v1/customers/c", long)
    await summarized(tenant)
    const page = await home(tenant)
    await link(page, "Errors").click()
    await row(page, "crm/1").waitFor()
    await press(page, "/")
    await page.keyboard.type("client:sh")
    await page.getByRole("option", { name: /shop\/2\.0.*2$/ }).click()
    await row(page, "crm/1").waitFor({ state: "detached" })
    await row(page, "shop/2.0").click()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      detail(page).getByRole("button", { name: "NDJSON" }).click(),
    ])
    expect((await readFile(await file.path(), "utf8")).trimEnd().split("\n")).toHaveLength(2)
    await button(page, "Send all again").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Change this field in each call").fill("plan")
    await dialog.getByLabel("New value").fill("pro")
    expect(await opened.accessibilityProblems()).toEqual([])
    await dialog.getByRole("button", { name: "Send all again" }).click()
    await dialog.getByText("2 calls created").waitFor()
    expect((await tenant.person({ id: "a" })).attributes).toMatchObject({ plan: "pro" })
  })

  it("what a leaked key did before it is revoked: Keys, the key, its clients and errors, Revoke key", async () => {
    const tenant = await Tenant.create({}, inlet)
    await sendAs(tenant, "shop/2.0", "/api/v1/customers/ada", { plan: "pro" })
    await sendAs(tenant, "evil/6", "/api/v1/customers/ada", { plan: "x".repeat(1001) })
    await summarized(tenant)
    const page = await home(tenant)
    await link(page, "Keys").click()
    await page.getByRole("row").nth(1).click()
    await detail(page).getByText("shop/2.0").waitFor()
    await detail(page).getByRole("link", { name: "Attributes of people" }).waitFor()
    await detail(page)
      .getByRole("link", { name: /cannot be longer/ })
      .waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    const name = await detail(page).getByRole("heading").first().textContent()
    await button(page, "Revoke key").click()
    await page.getByLabel("Identifier").fill(name ?? "")
    await page.getByRole("alertdialog").getByText("Revoke key").click()
    await page
      .getByText(/was revoked/)
      .first()
      .waitFor()
    const answer = await sendAs(tenant, "shop/2.0", "/api/v1/customers/ada", {})
    expect(answer.status).toBe(401)
  })

  it("somebody is erased and the proof handed out: the person, Actions, Delete, Erasures, Download the receipt", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "pro" })
    const page = await home(tenant)
    await search(page, "ada", /ada/)
    await button(page, "Actions").click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await page.getByLabel("Identifier").fill("ada")
    await button(page, "Delete person").click()
    await link(page, "Erasures").click()
    await page.getByRole("row").nth(1).click()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Download the receipt").click(),
    ])
    expect(file.suggestedFilename()).toBe("receipt.json")
    expect(await readFile(await file.path(), "utf8")).not.toContain("ada")
  })

  it("a segment of five conditions: Segments, Create segment, a name, five rows of suggestions, Create", async () => {
    const tenant = await Tenant.create({}, inlet)
    await shopPeople((items) => tenant.batch(items))
    await summarized(tenant)
    const page = await home(tenant)
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const offered = (text: string) =>
      page.getByRole("listbox").getByRole("option").filter({ hasText: text }).first()
    const take = async (label: string, text: string): Promise<void> => {
      await field(label).click()
      await offered(text).click()
    }
    const add = async (number: number, kind: string): Promise<void> => {
      await button(page, "Add a row").click()
      await field(`Row ${number}: kind`).selectOption({ label: kind })
    }
    await link(page, "Segments").click()
    await button(page, "Create segment").click()
    await field("Name").fill("Good customers at risk")
    await take("Row 1: field", "country")
    await take("Row 1: value", "DE")
    await add(2, "event")
    await take("Row 2: name", "Order Placed")
    await add(3, "page")
    await field("Row 3: name").fill("/pricing")
    await page.keyboard.press("Escape")
    await button(page, "Use */pricing*").click()
    await add(4, "event")
    await field("Row 4: does it hold").selectOption({ label: "did not do" })
    await take("Row 4: name", "Subscription Cancelled")
    await field("Row 4: window").selectOption({ label: "within the last" })
    await add(5, "age of the profile")
    await field("Row 5: age").fill("30")
    await page.getByLabel(/^The whole rule: Holds for [1-9]\d* of 240 people$/).waitFor()
    const fits = page.getByRole("list", { name: "People for whom the rule holds" }).getByRole("link")
    expect(await fits.count()).toBeGreaterThan(0)
    expect(await opened.accessibilityProblems()).toEqual([])
    await button(page, "Create segment").click()
    await page.waitForURL(/segments\/\d+/)
    await detail(page).getByText("active", { exact: true }).waitFor()

    await page.getByLabel("Why is this person in it, or not").fill("shopper-1@")
    await page.getByRole("option").first().click()
    await detail(page).getByText("is not in this segment").waitFor()
    await detail(page)
      .getByText(/^\d of its 5 conditions hold\.$/)
      .waitFor()
    const tree = detail(page).getByLabel("Why", { exact: true })
    await tree.getByText('event "Order Placed" at least 1 time').waitFor()
    expect(page.url()).toMatch(/why=/)
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("a new event name, who sends it and what is in it: Events, the name", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([
      identified("ada"),
      { ...event("ada", "checkout_started"), attributes: { total: 12 } },
    ])
    await summarized(tenant)
    const page = await home(tenant)
    await link(page, "Events").click()
    await row(page, "checkout_started").first().click()
    await detail(page).getByText("total").first().waitFor()
  })

  it("an action without a mouse: Ctrl K, a word of it, Enter", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", {})
    const page = await home(tenant)
    await press(page, "Control+k")
    await page.getByRole("combobox", { name: "Search or go to" }).fill("create segm")
    await page.getByRole("option", { name: /^Create a segment/ }).waitFor()
    await press(page, "Enter")
    await page.getByRole("form", { name: "Create segment" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.keyboard.type("Trial")
    await page.getByLabel("By hand").check()
    await press(page, "Enter")
    await page.waitForURL(/segments\/\d+/)
  })
})
