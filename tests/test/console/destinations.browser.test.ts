import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { BatchReceiver } from "../../src/forwards/BatchReceiver.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"
import { createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit
let receiver: WebhookReceiver
let batches: BatchReceiver

beforeAll(async () => {
  browser = await launchBrowser()
  receiver = await WebhookReceiver.start()
  batches = await BatchReceiver.start()
  inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1" } })
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

describe("destinations in the console", () => {
  it("a forward is created, tested, paused, resumed and deleted, and its failed call is sent again", async () => {
    const tenant = await Tenant.create({}, inlet)
    batches.react = () => ({ status: 200 })
    const page = await visitWithoutErrors(opened, `/w/${tenant.workspace}/destinations`)
    await page.getByText("No destinations yet").waitFor()
    await page.getByRole("button", { name: "Create forward" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Segment").check()
    await dialog.getByLabel("Name").fill("hosted")
    await dialog.getByLabel("URL").fill(batches.url)
    await dialog.getByLabel("Key", { exact: true }).fill("write-key")
    expect(await opened.accessibilityProblems()).toEqual([])
    await dialog.getByRole("button", { name: "Create forward" }).click()
    const facts = page.getByRole("region", { name: "Content of the detail" })
    await facts.getByText("an API of the shape of Segment").waitFor()
    await facts.getByRole("button", { name: "Test the key" }).click()
    await facts.getByText(/^The receiver accepted an empty batch with status 200/).waitFor()

    batches.react = () => ({ status: 503 })
    await tenant.identify("ada", { plan: "pro" })
    await facts.getByRole("button").filter({ hasText: "Retrying" }).first().click()
    await facts.getByText("Failing").waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await opened.follow(`/w/${tenant.workspace}/home`)
    const finding = page.getByRole("listitem").filter({ hasText: "The forward hosted fails: 503" })
    await finding.getByRole("link", { name: "Destinations" }).click()
    await facts.getByRole("button").filter({ hasText: "Retrying" }).first().click()
    batches.react = () => ({ status: 200 })
    await facts.getByRole("button", { name: "Send again" }).click()
    await page.getByText("The operation is sent again.").waitFor()
    await facts.getByRole("button").filter({ hasText: "Delivered" }).first().waitFor()
    await facts.getByText("Sending").waitFor()

    await facts.getByRole("button", { name: "Pause" }).click()
    await facts.getByText("Paused").waitFor()
    await facts.getByRole("button", { name: "Resume" }).click()
    await facts.getByText("Sending").waitFor()
    await facts.getByRole("button", { name: "Edit" }).click()
    await dialog.getByLabel("Name").fill("moved")
    await dialog.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("The forward moved was saved.").waitFor()
    await facts.getByRole("button", { name: "Recover" }).click()
    await dialog.getByLabel(/^Since/).fill("2020-01-01T00:00")
    await dialog.getByRole("button", { name: "Send again" }).click()
    await dialog.getByText(/^\d+ operations? (is|are) sent again\.$/).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    const confirm = page.getByRole("alertdialog")
    await confirm.getByRole("textbox").fill("moved")
    await confirm.getByRole("button", { name: "Delete forward" }).click()
    await page.getByText("No destinations yet").waitFor()
  })

  it("webhooks, Kafka and the lake stand on one page with their lag and last error, and each leads to its own", async () => {
    const tenant = await Tenant.create({}, inlet)
    receiver.react = () => 500
    const webhook = await createWebhook(tenant, {
      name: "Warehouse",
      url: receiver.url("/no"),
      kind: "activity",
    })
    await tenant.updateSettings({
      lake: { target: "folder", url: "/dev/null/lake" },
      kafka: { topic: "activity" },
    })
    await tenant.identify("ada", { plan: "pro" })
    const page = await visitWithoutErrors(opened, `/w/${tenant.workspace}/destinations`)
    const row = (name: string) => page.getByRole("row").filter({ hasText: name })
    await row("Warehouse").filter({ hasText: "Failing" }).filter({ hasText: "500" }).waitFor()
    await row("Lake")
      .filter({ hasText: "folder /dev/null/lake" })
      .filter({ hasText: "Failing" })
      .filter({ hasText: /\d+ (s|min)/ })
      .waitFor()
    await row("Warehouse")
      .getByRole("img", { name: /^Last day/ })
      .waitFor()
    expect(await opened.accessibilityProblems()).toEqual([])
    await row("Kafka").filter({ hasText: "Failing" }).filter({ hasText: "INLET_KAFKA is not set" }).waitFor()
    await row("Lake").click()
    await page.getByText("The failure above says why.").waitFor()
    await page.goBack()
    await row("Warehouse").click()
    await page.getByText(webhook.webhook_id).waitFor()
  })
})
