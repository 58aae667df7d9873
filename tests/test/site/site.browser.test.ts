import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, describe, expect, it } from "vitest"
import { waitMsMax } from "../../../tools/testing/patience.ts"
import { launchBrowser } from "../../src/browser.ts"
import { buildSite } from "../../src/site/buildSite.ts"
import { FolderServer } from "../../src/site/FolderServer.ts"

/** A folder of a host that knows nothing of the site. */
const server = await FolderServer.start(await buildSite(), "/some/where/")
const browser = await launchBrowser()
afterAll(async () => {
  await browser.close()
  await server.stop()
})

interface Visit {
  readonly page: Page
  /** Errors that the page logged, and addresses of requests to other hosts. */
  readonly problems: ReadonlyArray<string>
}

const open = async (path: string, options: BrowserContextOptions = {}): Promise<Visit> => {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(waitMsMax)
  const problems: Array<string> = []
  page.on("pageerror", (error) => problems.push(error.message))
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text())
  })
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url)) problems.push(request.url())
  })
  await page.goto(server.url + path, { waitUntil: "networkidle" })
  return { page, problems }
}

describe("the documentation site", () => {
  it("shows its front page for less than 100,000 bytes, and asks no other host", async () => {
    server.sent.clear()
    const { page, problems } = await open("")
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("Inlet")
    expect([...server.sent.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(100_000)
    expect(problems).toEqual([])
  })

  it("finds a section and goes there, in whatever folder it is", async () => {
    const { page, problems } = await open("operations/backup.html")
    await page.getByRole("button", { name: "Search" }).first().click()
    await page.getByRole("searchbox").fill("undo a merge")
    await page.getByRole("option").filter({ hasText: "History" }).first().click()
    await page.waitForURL(`${server.url}history.html#undo-a-merge`)
    expect(await page.locator("#undo-a-merge").innerText()).toContain("Undo a merge")
    expect(problems).toEqual([])
  })

  it.each(["light", "dark"] as const)(
    "has the colours of the console in the %s theme",
    async (colorScheme) => {
      const { page } = await open("start.html", { colorScheme })
      const background = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
      expect(background).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(16, 16, 18)")
    },
  )

  it("is no wider than a phone, where the menu has the pages", async () => {
    const { page } = await open("limits.html", { viewport: { width: 390, height: 844 }, isMobile: true })
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(390)
    await page.getByRole("button", { name: "Menu" }).and(page.locator("[aria-controls=VPSidebarNav]")).click()
    await page.locator("#VPSidebarNav").getByRole("link", { name: "Webhooks" }).click()
    await page.waitForURL(`${server.url}webhooks.html`)
  })
})
