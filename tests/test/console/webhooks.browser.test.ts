import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"
import { attemptsOf, createWebhook } from "../../src/webhookCalls.ts"
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

describe("webhooks in the console", () => {
  it("a blocked webhook links to what blocks it and counts what waits, and a delivered event has no next attempt", async () => {
    const tenant = await Tenant.create({}, inlet)
    const webhook = await createWebhook(tenant, {
      url: receiver.url("/blocked"),
      kind: "activity",
      filter: "kind:event",
    })
    receiver.react = () => 500
    await tenant.identify("ada", {})
    await tenant.recordEvent("ada", { name: "first", data: { total: 12 } })
    await tenant.recordEvent("ada", { name: "second" })
    const page = await visitWithoutErrors(opened, `/w/${tenant.workspace}/webhooks/${webhook.webhook_id}`)
    const facts = page.getByRole("region", { name: "Content of the detail" })
    await facts.getByText(/^1 event\b/).waitFor()
    const blocking = facts.getByRole("link").filter({ hasText: /^op/ }).first()
    expect(await blocking.getAttribute("href")).toMatch(/\/operations\/op/)
    await facts.getByRole("button").filter({ hasText: "Retrying" }).first().click()
    await facts.getByText("Next attempt").last().waitFor()
    await facts.getByLabel("Request").filter({ hasText: '"total": 12' }).waitFor()
    expect(await facts.getByLabel("Request").textContent()).toContain(`POST ${receiver.url("/blocked")}`)
    receiver.react = () => 200
    await facts.getByRole("button", { name: "Send again" }).click()
    await page.getByText("The event is sent again.").waitFor()
    await facts.getByRole("button").filter({ hasText: "Delivered" }).first().waitFor()
    await facts.getByText("Waiting", { exact: true }).locator("..").getByText("nothing").waitFor()
    await facts.getByRole("button").filter({ hasText: "Retrying" }).waitFor()
    expect(await facts.getByText("Next attempt").count()).toBe(0)
    expect(await facts.getByRole("button", { name: "Skip this event" }).count()).toBe(0)
    await facts.getByRole("button", { name: "Recover" }).click()
    const dialog = page.getByRole("dialog", { name: "Send failed events again" })
    await dialog.getByLabel(/^Since/).fill("2020-01-01T00:00")
    await dialog.getByRole("button", { name: "Send again" }).click()
    await dialog.getByText(/^\d+ events? (is|are) sent again\.$/).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
  })

  it("the attempts beyond the first fifty of a webhook are shown on demand, down to the oldest", async () => {
    const tenant = await Tenant.create({}, inlet)
    receiver.react = () => 200
    const webhook = await createWebhook(tenant, {
      url: receiver.url("/many"),
      kind: "activity",
      filter: "kind:event",
    })
    const names = Array.from({ length: 120 }, (_, n) => `event ${n}`)
    await tenant.batch(
      names.map((name) => ({ type: "person", action: "event", identifiers: { id: "ada" }, name })),
    )
    const attempts = await eventually("every event is delivered", async () => {
      const found = await attemptsOf(tenant, webhook.webhook_id)
      return found.length === names.length ? found : undefined
    })
    const page = await visitWithoutErrors(opened, `/w/${tenant.workspace}/webhooks/${webhook.webhook_id}`)
    const facts = page.getByRole("region", { name: "Content of the detail" })
    const rows = facts.getByRole("button", { expanded: false }).filter({ hasText: "Delivered" })
    const older = facts.getByRole("button", { name: "Show older attempts" })
    const count = (expected: number) =>
      eventually(`${expected} attempts are shown`, async () =>
        (await rows.count()) === expected ? true : undefined,
      )
    await count(50)
    await older.click()
    await count(100)
    await older.click()
    await count(120)
    await older.waitFor({ state: "detached" })
    await rows.last().click()
    const oldest = attempts.at(-1)
    if (oldest === undefined) throw new Error("there must be attempts")
    await facts.getByRole("link").filter({ hasText: oldest.operation_id }).first().waitFor()
  })
})
