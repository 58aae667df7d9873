import { Schema } from "effect"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { read } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"
import { createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit
let receiver: WebhookReceiver

const Sent = Schema.Struct({ condition: Schema.String, state: Schema.String })

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

describe("alerts", () => {
  it("reach Home and a webhook when they begin, and Settings says from when on", async () => {
    const tenant = await Tenant.create({}, inlet)
    const webhook = await createWebhook(tenant, { url: receiver.url("/alerts"), kind: "alerts" })
    const page = await visitWithoutErrors(opened, `/w/${tenant.workspace}/webhooks`)
    await page.getByRole("button", { name: "Create webhook" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("radio", { name: "Alerts" }).click()
    await dialog.getByText("new_cause, error_rate, lag, silent").waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("row").filter({ hasText: "Alerts" }).waitFor()

    await opened.follow(`/w/${tenant.workspace}/settings`)
    await page.getByLabel("Fewest refused operations").fill("2")
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("Saved.").waitFor()

    for (const id of ["ada", "bob"]) await tenant.identify(id, { plan: "x".repeat(1001) })
    const sent = await eventually("both alerts are sent", async () => {
      const events = receiver.at("/alerts").map(({ json }) => read(Sent, json))
      return events.length === 2 ? events : undefined
    })
    expect(sent.map(({ condition, state }) => `${condition} ${state}`).toSorted()).toEqual([
      "error_rate began",
      "new_cause began",
    ])
    await opened.follow(`/w/${tenant.workspace}/home`)
    const verdict = page.getByRole("region", { name: "Verdict" })
    await verdict
      .getByText("Of the 2 operations of the last 10 minutes, 2 were rejected or applied in part.")
      .waitFor()
    await verdict.getByRole("heading", { name: "1 thing is wrong now" }).waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await opened.follow(`/w/${tenant.workspace}/webhooks/${webhook.webhook_id}`)
    const facts = page.getByRole("region", { name: "Content of the detail" })
    // The share of refusals is about no operation, so its attempt leads to the errors.
    const attempts = facts.getByRole("button").filter({ hasText: "Delivered" })
    await attempts.nth(1).waitFor()
    for (const index of [0, 1]) {
      await attempts.nth(index).click()
      const alert = facts
        .getByRole("definition")
        .filter({ hasText: /of the last 10 minutes|for a new reason/ })
      expect(await alert.getByRole("link", { name: "Errors" }).getAttribute("href")).toMatch(
        new RegExp(`/w/${tenant.workspace}/errors`),
      )
    }
  })
})
