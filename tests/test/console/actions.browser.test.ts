import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { batch, track, identified } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"
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

/** Opens a page of the console, which must not log an error during the test. */
const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text })
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const detail = (page: Page) => page.getByLabel("Detail")

describe("people in the console", () => {
  it("a search by prefix finds a person, and the panel shows which operation set an attribute", async () => {
    await batch(inlet, [
      identified("grace", { email: "grace@example.com", plan: "pro" }),
      identified("henry", {}),
    ])
    const page = await visit("/w/1/people")
    await page.getByLabel("Search people").fill("gra")
    await page.waitForURL(/q=gra/)
    await row(page, "henry").waitFor({ state: "detached" })
    await row(page, "grace@example.com").click()
    const set = detail(page).getByRole("listitem").filter({ hasText: "plan" }).getByRole("link")
    expect(await set.getAttribute("href")).toMatch(/\/operations\/op/)
    expect(page.url()).toContain("q=gra")
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("an operator can set an attribute of a person in the console", async () => {
    await batch(inlet, [identified("iris", {})])
    const page = await visit("/w/1/people?q=iris")
    await row(page, "iris").click()
    await button(page, "Set attribute").click()
    await page.getByLabel("Attribute", { exact: true }).fill("seats")
    await page.getByLabel("Value").fill("12")
    await page.getByText("The value is saved as number").waitFor()
    await button(page, "Save attribute").click()
    await detail(page).getByRole("listitem").filter({ hasText: "seats" }).filter({ hasText: "12" }).waitFor()
  })

  it("the dialog for merging two people shows which values are lost, and asks for the identifier of the person to merge", async () => {
    await batch(inlet, [identified("jane", { plan: "pro" }), identified("jane-old", { plan: "free" })])
    const page = await visit("/w/1/people?q=jane")
    await row(page, "jane").last().waitFor()
    await page
      .getByRole("row")
      .filter({ has: page.getByText("jane", { exact: true }) })
      .click()
    await button(page, "Actions").click()
    await page.getByRole("menuitem", { name: "Merge another person" }).click()
    await page.getByLabel("Person to merge").fill("jane-old")
    await page.getByRole("option").filter({ hasText: "jane-old" }).click()
    const lost = page
      .getByLabel("Values that are lost")
      .getByRole("row")
      .filter({ hasText: "attributes.plan" })
    expect(await lost.textContent()).toBe("attributes.planprofree")
    expect(await button(page, "Merge people").isDisabled()).toBe(true)
    await page.getByLabel("Identifier").fill("jane-old")
    await button(page, "Merge people").click()
    await row(page, "jane-old").waitFor({ state: "detached" })
  })

  it("the page of a refused email names its owner, and merges the two people", async () => {
    await batch(inlet, [identified("mona", { email: "mona@example.com" })])
    const [sent] = [await batch(inlet, [identified("nora", { email: "mona@example.com", plan: "pro" })])]
    const page = await visit(`/w/1/operations/${String(sent?.headers["inlet-operation-id"])}-0`)
    const owner = page.getByRole("link", { name: "mona@example.com" })
    expect(await owner.getAttribute("href")).toMatch(/\/people\/p/)
    await page.getByText("contract §6 taken identifiers").waitFor()
    await page.getByRole("heading", { name: "What was sent, without what was left out" }).waitFor()
    const kept = await page.getByLabel("Data that was sent").textContent()
    expect(kept).toContain("pro")
    expect(kept).not.toContain("mona@example.com")
    expect(await opened.accessibilityProblems()).toEqual([])
    await button(page, "Merge mona@example.com into nora").click()
    await page.getByLabel("Values that are lost").waitFor()
    await page.getByLabel("Identifier").fill("mona@example.com")
    await button(page, "Merge people").click()
    await page.getByText("mona@example.com was merged into nora.").waitFor()
    await page.getByRole("dialog", { name: "Merge another person into nora" }).waitFor({ state: "detached" })
    await page.getByText("The person has this email by now. There is nothing to do.").waitFor()
    await page.goto(new URL("/console/w/1/people?q=nora", page.url()).href)
    await row(page, "mona@example.com").waitFor()
  })

  it("a person is deleted only after the operator has typed the person's identifier", async () => {
    await batch(inlet, [identified("karl", {})])
    const page = await visit("/w/1/people?q=karl")
    await row(page, "karl").click()
    await button(page, "Actions").click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    const remove = button(page, "Delete person")
    expect(await remove.isDisabled()).toBe(true)
    await page.getByLabel("Identifier").fill("karl")
    await remove.click()
    await page.getByText("Nobody found").waitFor()
  })

  it("after a click on the button that checks an identifier, a second click at the same place changes nothing", async () => {
    const management = new Management(inlet)
    const path = management.pathOf("/operations")
    const lena = { email: "lena@example.com" }
    await management.call("POST", path, { type: "person", action: "suppress", identifiers: lena })
    const page = await visit("/w/1/people")
    await button(page, "Suppressions").click()
    await page.getByLabel("Identifier", { exact: true }).fill(lena.email)
    const box = await button(page, "Check").boundingBox()
    if (box === null) throw new Error("the button must be visible")
    const click = async (): Promise<void> => {
      const answered = page.waitForResponse(/\/suppressions\?/)
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
      await answered
    }
    await click()
    await page.getByText("This identifier is suppressed.").waitFor()
    await click()
    expect(await management.isSuppressed(lena)).toBe(true)
  })

  it("an operator suppresses an identifier after typing it, and releases the identifier again", async () => {
    await batch(inlet, [identified("lena", {})])
    const page = await visit("/w/1/people?q=lena")
    await row(page, "lena").waitFor()
    await button(page, "Suppressions").click()
    await page.getByLabel("id", { exact: true }).click()
    await page.getByLabel("Identifier", { exact: true }).fill("lena")
    await button(page, "Check").click()
    await button(page, "Suppress").click()
    const confirm = button(page, "Suppress identifier")
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel("Identifier", { exact: true }).fill("lena")
    expect(await opened.accessibilityProblems()).toEqual([])
    await confirm.click()
    await page.getByText("This identifier is suppressed.").waitFor()
    await page.getByText("Nobody found").waitFor()
    expect(await new Management(inlet).isSuppressed({ id: "lena" })).toBe(true)
    await button(page, "Unsuppress").click()
    await page.getByText("This identifier is not suppressed.").waitFor()
    expect(await new Management(inlet).isSuppressed({ id: "lena" })).toBe(false)
  })
})

describe("objects and segments in the console", () => {
  it("an object shows its people, and is deleted only after the operator has typed the object's id", async () => {
    await batch(inlet, [
      identified("mona", {}),
      {
        type: "object",
        action: "identify",
        identifiers: { object_type_id: "1", object_id: "globex" },
        attributes: { name: "Globex" },
        svc_relationships: [{ identifiers: { id: "mona" } }],
      },
    ])
    const page = await visit("/w/1/objects")
    await row(page, "globex").click()
    await detail(page).getByRole("link", { name: "mona" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await button(page, "Delete").click()
    await page.getByLabel("Identifier").fill("globex")
    await button(page, "Delete object").click()
    await row(page, "globex").waitFor({ state: "detached" })
  })

  it("a segment is created, a person is added and removed, and the segment is deleted", async () => {
    await batch(inlet, [identified("nils", {})])
    const page = await visit("/w/1/segments")
    await button(page, "Create segment").click()
    await page.getByLabel("Name").fill("Trial users")
    await page.getByLabel("By hand").check()
    await button(page, "Create segment").click()
    await button(page, "Add person").click()
    await page.getByLabel("Person to add").fill("nils")
    await page.getByRole("option").filter({ hasText: "nils" }).click()
    await detail(page).getByRole("link", { name: "nils" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await page.getByLabel("Remove nils from the segment").click()
    await page.getByText("The segment has no people.").waitFor()
    await button(page, "Delete").click()
    await page.getByLabel("Identifier").fill("Trial users")
    await button(page, "Delete segment").click()
    await page.getByText("No segments yet").waitFor()
  })
})

describe("forms and deliveries in the console", () => {
  it("an operator changes the mapping of a form, and sees the values of the last submission beside the mapping", async () => {
    await track(inlet, "POST", "/api/v1/forms/newsletter/submit", {
      data: { email: "olga@example.com", plan: "pro" },
    })
    const page = await visit("/w/1/forms/newsletter")
    await page.getByText("olga@example.com").waitFor()
    await page.getByLabel("Attribute that the field plan sets").fill("wanted_plan")
    await button(page, "Save mapping").click()
    await page.getByRole("button", { name: "Save mapping", disabled: true }).waitFor()
    expect(await page.getByLabel("Attribute that the field plan sets").inputValue()).toBe("wanted_plan")
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("the console shows a delivery with its reports", async () => {
    for (const metric of ["opened", "opened", "clicked"]) {
      await track(inlet, "POST", "/api/v1/metrics", { delivery_id: "d1", metric })
    }
    const page = await visit("/w/1/deliveries")
    await row(page, "d1").click()
    await detail(page).getByText("(2 reports)").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
  })
})

describe("keys, settings and webhooks in the console", () => {
  it("the console shows a new key only once, and the key works until it is revoked", async () => {
    const page = await visit("/w/1/keys")
    await button(page, "Create key").first().click()
    await page.getByLabel("Name").fill("checkout")
    await page.getByLabel("In 90 days").check()
    await button(page, "Create key").last().click()
    const [siteId, apiKey] = await Promise.all(
      ["Site ID", "API key"].map((label) => page.getByLabel(label, { exact: true }).first().textContent()),
    )
    const headers = { authorization: `Basic ${btoa(`${siteId}:${apiKey}`)}` }
    const ask = async (): Promise<number> =>
      (await fetch(`${inlet.url}/api/v1/accounts/region`, { headers })).status
    expect(await ask()).toBe(200)
    await button(page, "Done").click()
    const listed = await row(page, "checkout").textContent()
    expect(listed).toContain(`${apiKey?.slice(0, 8)}…`)
    expect(listed).toMatch(/in \d+ days/)
    await row(page, "checkout").getByText("checkout").click()
    await button(page, "Revoke key").click()
    await page.getByLabel("Identifier").fill("checkout")
    await page.getByRole("alertdialog").getByText("Revoke key").click()
    await row(page, "checkout").waitFor({ state: "detached" })
    expect(await ask()).toBe(401)
  })

  it("a second click on the button that creates a key, or a click beside the dialog, does not close the new key", async () => {
    const page = await visit("/w/1/keys")
    await button(page, "Create key").first().click()
    await page.getByLabel("Name").fill("double click")
    await button(page, "Create key").last().click()
    const done = button(page, "Done")
    await done.waitFor()
    await page.mouse.click(4, 4)
    const box = await done.boundingBox()
    if (box === null) throw new Error("the dialog with the new key must be open")
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    expect(await page.getByLabel("API key", { exact: true }).first().textContent()).not.toBe("")
    await done.click()
    await done.waitFor({ state: "detached" })
  })

  it("the settings page of the console saves a changed limit", async () => {
    const page = await visit("/w/1/settings")
    const limit = page.getByLabel("Devices of a person")
    await limit.fill("7")
    await button(page, "Save changes").click()
    await page.getByText("Saved.").waitFor()
    await page.reload()
    expect(await limit.inputValue()).toBe("7")
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("an operator deletes a workspace after typing its name, and the console opens another workspace", async () => {
    const management = new Management(inlet)
    const w = await management.createWorkspace({ name: "temporary" })
    const page = await visit(`/w/${w}/settings`)
    await button(page, "Delete").click()
    await page.getByLabel("Identifier").fill("temporar")
    expect(await button(page, "Delete workspace").isDisabled()).toBe(true)
    await page.getByLabel("Identifier").fill("temporary")
    await button(page, "Delete workspace").click()
    await page.waitForURL(/\/w\/1\//)
    expect((await management.call("GET", `/workspaces/${w}`)).status).toBe(404)
  })

  it("an operator creates a workspace, and the console opens the new workspace", async () => {
    const page = await visit("/w/1/settings")
    await button(page, "New workspace").click()
    await page.getByRole("dialog").getByLabel("Name").fill("Staging")
    await button(page, "Create workspace").click()
    await page.getByText("Waiting for your first event…").waitFor()
  })

  it("an operator creates, tests, pauses and deletes a webhook in the console", async () => {
    const page = await visit("/w/1/webhooks")
    await button(page, "Create webhook").first().click()
    await page.getByLabel("URL").fill(receiver.url("/hook"))
    await page.getByLabel("Name", { exact: true }).fill("Warehouse")
    await button(page, "Create webhook").last().click()
    expect(await page.getByLabel("Signing secret", { exact: true }).textContent()).not.toBe("")
    await button(page, "Done").click()
    await button(page, "Send a sample").click()
    await page.getByText("Your server accepted the sample with status 200").waitFor()
    await button(page, "Pause").click()
    await row(page, "Warehouse").filter({ hasText: "Paused" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await button(page, "Delete").click()
    await page.getByLabel("Identifier").fill("Warehouse")
    await button(page, "Delete webhook").click()
    await page.getByText("No webhooks yet").waitFor()
  })
})
