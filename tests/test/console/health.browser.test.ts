import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { base64, identify, track } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

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

const visit = (path: string): Promise<Page> => {
  onTestFinished(() => opened.page.unrouteAll())
  return visitWithoutErrors(opened, path)
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

/** Returns a sample of the history in the minute `minute` of an hour. */
const sampleAt = (minute: number, rejected: number, waitMs: number) => ({
  at: `2026-11-23T10:${String(minute).padStart(2, "0")}:00.000Z`,
  seconds: 60,
  operations: [
    { outcome: "applied", per_second: 40 + minute },
    { outcome: "rejected", per_second: rejected },
  ],
  answers: [{ protocol: "track-v1", status: 200, per_second: 40 }],
  answer_ms: { p50: 2, p99: 8 },
  commits_per_second: 20,
  commit_ms: { p50: 1, p99: 4 },
  committing: true,
  queue: { operations: 0, wait_ms: waitMs },
  store_bytes: 1_000_000 + minute * 10_000,
  memory_bytes: 120_000_000,
})

describe("the health page of the console", () => {
  it("names the causes of rejected calls with their key, client, example and remedy", async () => {
    const agent = { "user-agent": "shop/2.1" }
    for (const id of ["a", "b", "c"]) {
      const answer = await track(inlet, "PUT", `/api/v1/customers/${id}`, { plan: "x".repeat(1001) }, agent)
      expect(answer.status).toBe(400)
    }
    // Far more newer operations that were applied must not hide the causes.
    for (let n = 0; n < 20; n++) await identify(inlet, `person-${n}`, { n })
    const page = await visit("/w/1/health")
    const causes = page.locator("section", { hasText: "by cause, key and client" })
    const cause = causes.getByRole("listitem").filter({ hasText: "plan" })
    await cause.getByText("shop/2.1").waitFor()
    expect(await cause.textContent()).toMatch(/^3.*rejected.*key /is)
    await cause.getByText("Shorten the value, or raise attribute_value_bytes of the workspace.").waitFor()
    expect(await page.getByText("applied in full.").count()).toBe(0)
    await cause.getByRole("link", { name: /^latest/ }).click()
    await page.getByText("Rejected", { exact: false }).first().waitFor()
    expect(page.url()).toContain("/operations/")
  })

  it("tells keys of the same name apart, and leads to the key", async () => {
    const management = new Management(inlet)
    await management.call("POST", "/workspaces/1/keys", { kind: "pipelines", name: "default" })
    await track(
      inlet,
      "PUT",
      "/api/v1/customers/key",
      { plan: "x".repeat(1001) },
      { "user-agent": "keyed/1" },
    )
    const page = await visit("/w/1/health")
    const causes = page.locator("section", { hasText: "by cause, key and client" })
    const cause = causes.getByRole("listitem").filter({ hasText: "keyed/1" })
    const link = cause.getByRole("link", { name: /^default, Track API, site ID / })
    const site = (await link.textContent())?.split(" ").at(-1) ?? ""
    await link.click()
    await page.getByRole("row", { selected: true }).filter({ hasText: site }).waitFor()
    expect(await page.getByRole("row", { selected: true }).count()).toBe(1)
  })

  it("counts the calls that no workspace recorded", async () => {
    const authorization = `Basic ${base64("nobody:wrong")}`
    expect((await track(inlet, "PUT", "/api/v1/customers/a", {}, { authorization })).status).toBe(401)
    const page = await visit("/w/1/health")
    const refused = page.locator("section", { hasText: "no workspace recorded" })
    await refused.getByText("Unknown key.").waitFor()
    expect(await refused.textContent()).toContain("127.0.0.1")
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("draws the last hours, and what was above the normal range in red", async () => {
    await opened.page.route("**/server/history", (route) =>
      route.fulfill({
        json: {
          step_seconds: 60,
          samples: Array.from({ length: 40 }, (_, minute) => sampleAt(minute, 0, minute === 30 ? 12_000 : 5)),
        },
      }),
    )
    const page = await visit("/w/1/health")
    const waits = page.getByRole("img", { name: /^Wait in the queue: now 5 ms, highest 12 s at .*above/ })
    await waits.waitFor()
    expect(await waits.locator("rect.fill-red").count()).toBe(1)
    expect(await waits.locator("rect.fill-accent").count()).toBe(39)
    await page.getByRole("img", { name: /^Operations: now 79 a second/ }).waitFor()
    expect(await page.getByRole("img", { name: /^Answer, p99:.*above/ }).count()).toBe(0)
    expect(await opened.accessibilityProblems()).toEqual([])
  })
})

describe("the settings page of the console", () => {
  it("saves how long data stay, and says why the topic of Kafka cannot be set", async () => {
    const management = new Management(inlet)
    const page = await visit("/w/1/settings")
    await page.getByLabel("Days that events stay").fill("365")
    await page.getByLabel("Days that rejected calls stay").fill("30")
    await page.getByLabel("Days that the audit log stays").fill("100")
    await page.getByLabel("Most records").fill("5000")
    const topic = page.getByLabel("Kafka topic")
    await page.getByText("INLET_KAFKA").waitFor()
    expect(await topic.isDisabled()).toBe(true)
    await button(page, "Save changes").click()
    await page.getByText("Saved.").waitFor()
    const saved = await management.call("GET", "/workspaces/1")
    expect(saved.json).toMatchObject({
      retention_days: 365,
      rejected_days: 30,
      audit_days: 100,
      records_max: 5000,
      kafka: null,
    })
    await page.getByLabel("Days that events stay").fill("")
    await button(page, "Save changes").click()
    await page.getByText("Saved.").waitFor()
    expect((await management.call("GET", "/workspaces/1")).json).toMatchObject({ retention_days: null })
    expect(await opened.accessibilityProblems()).toEqual([])
  })

  it("asks before changes that are not saved are lost", async () => {
    const page = await visit("/w/1/settings")
    const days = page.getByLabel("Days that rejected calls stay")
    await days.fill("14")
    await page.getByRole("link", { name: "Live" }).first().click()
    await page.getByRole("dialog", { name: "Changes are not saved" }).waitFor()
    await button(page, "Stay").click()
    expect(await days.inputValue()).toBe("14")
    await page.getByRole("link", { name: "Live" }).first().click()
    await button(page, "Leave without saving").click()
    await page.waitForURL(/\/live/)
    await page.goBack()
    await page.waitForURL(/\/settings/)
    expect(await days.inputValue()).toBe("30")
  })
})
