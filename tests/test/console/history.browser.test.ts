import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { expectNoErrors, visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"

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

/** Opens a page of the console, which must not log an error during the test. */
const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)

describe("the history of a person in the console", () => {
  it("a slider goes back through the operations, shows what has changed since, and stands in the address", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "free" })
    await tenant.recordEvent("ada", { name: "bought" })
    await tenant.identify("ada", { plan: "pro", seats: 3 })
    const { svc_id } = await tenant.person({ id: "ada" })
    const page = await visit(`/w/${tenant.workspace}/people/${svc_id}`)
    await page.getByLabel("Moment").focus()
    await page.keyboard.press("ArrowLeft")
    const changes = page.getByLabel("Changes").getByRole("row")
    await page.getByText(/^After event bought/).waitFor()
    await changes
      .filter({ hasText: "attributes.plan" })
      .filter({ hasText: "free" })
      .filter({ hasText: "pro" })
      .waitFor()
    await changes.filter({ hasText: "attributes.seats" }).filter({ hasText: "not set" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.reload()
    await page.getByText(/^After event bought/).waitFor()
    await page.getByRole("button", { name: "Earlier" }).click()
    await page.getByText(/^After identify/).waitFor()
    await page.getByLabel("Operations to show").selectOption({ label: "Events" })
    await page.waitForURL((url) => url.searchParams.has("filter") && url.searchParams.has("position"))
    await changes.filter({ hasText: "attributes.seats" }).waitFor()
    await page.getByRole("button", { name: "Now" }).click()
    await page.getByText("Move back to see what has changed since.").waitFor()
    expect(new URL(page.url()).searchParams.has("position")).toBe(false)
  })

  it("two moments are compared, and stand in the address", async () => {
    const tenant = await Tenant.create({}, inlet)
    for (const plan of ["free", "team", "pro"]) await tenant.identify("ada", { plan })
    const { svc_id } = await tenant.person({ id: "ada" })
    const page = await visit(`/w/${tenant.workspace}/people/${svc_id}`)
    await page.getByRole("button", { name: "Earlier" }).click()
    await page.getByRole("button", { name: "Compare with this moment" }).click()
    await page.getByText("team").first().waitFor()
    await page.getByRole("button", { name: "Earlier" }).click()
    await page.getByText(/^Compared with after identify/).waitFor()
    const plan = page.getByLabel("Changes").getByRole("row").filter({ hasText: "attributes.plan" })
    const compared = plan.filter({ hasText: "free" }).filter({ hasText: "team" })
    await compared.waitFor()
    expect(await plan.filter({ hasText: "pro" }).count()).toBe(0)
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.reload()
    await compared.waitFor()
    await page.getByRole("button", { name: "Now" }).click()
    await page.getByText("Move back to see what has changed since.").waitFor()
  })

  it("older operations that could not be read are asked for again by the operator only", async () => {
    const tenant = await Tenant.create({}, inlet)
    for (const plan of ["free", "team", "pro"]) await tenant.identify("ada", { plan })
    const { svc_id } = await tenant.person({ id: "ada" })
    expectNoErrors(opened, (error) => error.includes("400"))
    const { page } = opened
    let failures = 0
    await page.route(/\/people\/[^/]+\/activity\?.*limit=200/, async (route) => {
      if (new URL(route.request().url()).searchParams.has("after")) {
        failures++
        return route.fulfill({ status: 400, json: { title: "Not read", detail: "Not read." } })
      }
      const answer = await route.fetch()
      const read: object = await answer.json()
      return route.fulfill({ json: { ...read, next: "a1" } })
    })
    await opened.go(`/w/${tenant.workspace}/people/${svc_id}?against=1`)
    const problem = page.getByRole("alert").filter({ hasText: "The history could not be loaded." })
    await problem.waitFor()
    // What is shown changes, and nothing is asked for meanwhile.
    await page.getByRole("button", { name: "Earlier" }).click()
    await page.getByText(/^Compared with after identify/).waitFor()
    expect(failures).toBe(1)
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await problem.getByRole("button", { name: "Try again" }).click()
    await problem.waitFor({ state: "detached" })
  })

  it("a merge is undone from the operation that merged or from the person, after a preview", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { plan: "pro" })
    await tenant.identify("old-ada", { team: "a" })
    await tenant.merge({ id: "ada" }, { id: "old-ada" })
    const { items } = await tenant.activityPage({ limit: "1", kind: "merge" })
    const page = await visit(`/w/${tenant.workspace}/operations/${items[0]?.operation_id}`)
    await page.getByRole("button", { name: "Undo the merge of old-ada" }).click()
    const dialog = page.getByRole("dialog")
    const taken = dialog.getByRole("row").filter({ hasText: "attributes.team" })
    await taken.filter({ hasText: "not set" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await dialog.getByRole("button", { name: "Undo the merge" }).click()
    await page.getByText("The merge of old-ada was undone.").waitFor()
    expect((await tenant.person({ id: "old-ada" })).attributes).toEqual({ team: "a" })
    expect((await tenant.person({ id: "ada" })).attributes).toEqual({ plan: "pro" })
    await page.getByRole("button", { name: "Undo the merge of old-ada" }).waitFor({ state: "detached" })
    await tenant.merge({ id: "ada" }, { id: "old-ada" })
    const { svc_id } = await tenant.person({ id: "ada" })
    await opened.go(`/w/${tenant.workspace}/people/${svc_id}`)
    await page.getByRole("button", { name: "Undo the merge of old-ada" }).click()
    await dialog.getByRole("checkbox", { name: /Events since the merge go back/ }).check()
    await dialog.getByRole("button", { name: "Undo the merge" }).click()
    await page.getByText("The merge of old-ada was undone.").waitFor()
    await page.getByRole("heading", { name: "Merged people" }).waitFor({ state: "detached" })
  })

  it("a pair of people is dismissed for good, or merged after a preview", async () => {
    const tenant = await Tenant.create({}, inlet)
    const page = await visit(`/w/${tenant.workspace}/duplicates`)
    await page.getByText("No duplicates").waitFor()
    await tenant.identify("ada", { email: "ada@example.com" })
    await tenant.identify("bob", { email: "ada@example.com", first_name: "Bob", last_name: "Stone" })
    await tenant.identify("eve", { email: "ada@example.com" })
    await opened.go(`/w/${tenant.workspace}/duplicates`)
    const row = (name: string) => page.getByRole("row").filter({ hasText: name })
    await row("eve").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("one was given an identifier that the other has").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await dialog.getByRole("button", { name: "Never suggest again" }).click()
    await row("eve").waitFor({ state: "detached" })
    await row("Bob Stone bob").click()
    await dialog.getByRole("button", { name: "Merge" }).click()
    await dialog.getByRole("region", { name: "Values that are lost" }).filter({ hasText: "bob" }).waitFor()
    await dialog.getByRole("textbox").fill("bob")
    await dialog.getByRole("button", { name: "Merge people" }).click()
    await page.getByText("No duplicates").waitFor()
    expect((await tenant.person({ id: "ada" })).email).toBe("ada@example.com")
  })

  it("the deletion of a person is listed without their data until its receipt is signed", async () => {
    const tenant = await Tenant.create({}, inlet)
    const page = await visit(`/w/${tenant.workspace}/erasures`)
    await page.getByText("Nobody was erased").waitFor()
    await tenant.identify("ada", { plan: "pro" })
    await tenant.entity({ type: "person", action: "delete", identifiers: { id: "ada" } })
    await opened.go(`/w/${tenant.workspace}/erasures`)
    await page.getByRole("row").nth(1).click()
    const detail = page.getByRole("complementary", { name: "Detail" })
    await detail.getByText("inlet erasure verify").waitFor()
    expect(await detail.getByText("not yet").count()).toBe(0)
    expect(await opened.accessibilityProblems()).toEqual([])
    await detail.getByRole("link").first().click()
    await page.waitForURL(/\/operations\/op/)
  })
})

describe("the history of an object in the console", () => {
  it("the operation that deleted an object leads to the object as it was, with its people", async () => {
    const tenant = await Tenant.create({}, inlet)
    const identifiers = { object_type_id: "1", object_id: "acme" }
    const svc_relationships = [{ identifiers: { id: "ada" } }]
    const attributes = { plan: "team" }
    await tenant.entity({ type: "object", action: "identify", identifiers, attributes, svc_relationships })
    const deleted = await tenant.entity({ type: "object", action: "delete", identifiers })
    const operation = String(deleted.headers["inlet-operation-id"])
    const page = await visit(`/w/${tenant.workspace}/operations/${operation}`)
    await page.getByRole("link", { name: "Object 1/acme as it was" }).click()
    await page.waitForURL((url) => url.searchParams.get("position") === "1")
    await page.getByText("It may have changed or been deleted since.").waitFor()
    await page.getByText("team").first().waitFor()
    await page.getByRole("link", { name: /ada/ }).first().waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await tenant.entity({ type: "object", action: "identify", identifiers, attributes: { plan: "anew" } })
    await page.getByRole("button", { name: "Now" }).click()
    await page.getByText("anew").first().waitFor()
  })
})
