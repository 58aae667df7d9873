import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { identified } from "../../src/ingestion.ts"
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

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const downloadAs = async (page: Page, format: "CSV" | "NDJSON"): Promise<void> => {
  await button(page, "Download the list").click()
  await page.getByRole("menuitem", { name: new RegExp(`^${format}`) }).click()
}

describe("lists in the console", () => {
  it("a list is downloaded as CSV with its columns, beyond the rows that are shown, and runs no formula", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch([
      ...Array.from({ length: 60 }, (_, index) => identified(`person-${index}`)),
      identified("=HYPERLINK(1)", { email: "formula@example.com" }),
    ])
    const page = await visit(`/w/${tenant.workspace}/people`)
    await page.getByRole("row").nth(1).waitFor()
    const [download] = await Promise.all([page.waitForEvent("download"), downloadAs(page, "CSV")])
    expect(download.suggestedFilename()).toBe("people.csv")
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
    expect(lines[0]).toBe("Person,id,svc_id,Attributes,Subscription,Updated")
    expect(lines).toHaveLength(62)
    expect(lines[1]).toMatch(/^formula@example\.com,'=HYPERLINK\(1\),\w+,0,subscribed,\d{4}-\d\d-\d\dT/)
    await page.getByText("61 rows downloaded.").waitFor()
  })

  it("an address that names a row far down shows the row, and so do the keys j and k", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.batch(Array.from({ length: 45 }, (_, index) => identified(`row-${index}`)))
    const oldest = await tenant.person({ id: "row-0" })
    const page = await visit(`/w/${tenant.workspace}/people/${oldest.svc_id}`)
    const current = page.locator("[role=row][aria-selected=true]")
    const isInView = async (): Promise<boolean> => {
      const grid = await page.getByRole("grid").boundingBox()
      const row = await current.boundingBox()
      if (grid === null || row === null) throw new Error("the list and its current row must be visible")
      return row.y >= grid.y + 32 && row.y + row.height <= grid.y + grid.height + 1
    }
    await current.filter({ hasText: "row-0" }).waitFor()
    expect(await isInView()).toBe(true)
    await page.keyboard.press("k")
    await current.filter({ hasText: "row-1" }).waitFor()
    expect(await isInView()).toBe(true)
    await page.getByRole("grid").focus()
    await page.keyboard.press("Home")
    await current.filter({ hasText: "row-44" }).waitFor()
    expect(await isInView()).toBe(true)
  })

  it("the end of a long detail scrolls only the detail", async () => {
    const tenant = await Tenant.create({}, inlet)
    const attributes = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`attribute_${index}`, index]),
    )
    await tenant.identify("long", attributes)
    const person = await tenant.person({ id: "long" })
    const page = await visit(`/w/${tenant.workspace}/people/${person.svc_id}`)
    await page.getByText("attribute_59").first().waitFor()
    await opened.idle()
    await page.getByLabel("Content of the detail").focus()
    await page.keyboard.press("End")
    await page.getByLabel("The person as JSON").waitFor()
    expect(await page.evaluate("document.scrollingElement.scrollHeight - innerHeight")).toBe(0)
    expect((await page.getByRole("banner").first().boundingBox())?.y).toBe(0)
  })

  it("people are listed by name, with columns for the attributes that the operator chooses, also in the download", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { first_name: "Ada", last_name: "Lovelace", plan: "pro" })
    const page = await visit(`/w/${tenant.workspace}/people`)
    const row = page.getByRole("row").filter({ hasText: "Ada Lovelace" })
    await row.waitFor()
    await button(page, "Columns").click()
    await page.getByLabel("plan", { exact: true }).check()
    await page.getByLabel("Another attribute").fill("team")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Escape")
    await page.getByRole("columnheader", { name: "team" }).waitFor()
    await row.getByRole("gridcell", { name: "pro", exact: true }).waitFor()
    const address = page.url()
    expect(new URL(address).searchParams.get("columns")).toBe("plan,team")
    await page.evaluate("localStorage.clear()")
    await page.goto(address)
    await row.getByRole("gridcell", { name: "pro", exact: true }).waitFor()
    await row.click()
    await page.getByRole("complementary", { name: "Detail" }).waitFor()
    await page.keyboard.press("Escape")
    await page.waitForURL(address)
    const [download] = await Promise.all([page.waitForEvent("download"), downloadAs(page, "CSV")])
    const [header = "", line = ""] = (await readFile(await download.path(), "utf8")).split("\r\n")
    expect(header).toBe("Person,id,svc_id,Attributes,Subscription,plan,team,Updated")
    expect(line).toContain(",pro,,")
  })

  it("people have their names in Live, among the people of objects and segments, and in deliveries", async () => {
    const tenant = await Tenant.create({}, inlet)
    await tenant.identify("ada", { first_name: "Ada", last_name: "Lovelace" })
    await tenant.batch([
      {
        type: "object",
        action: "identify",
        identifiers: { object_type_id: "1", object_id: "acme" },
        cio_relationships: [{ identifiers: { id: "ada" } }],
      },
    ])
    const { svc_id } = await tenant.person({ id: "ada" })
    const segment = await tenant.createSegment("Friends")
    await tenant.call("PUT", tenant.pathOf(`/segments/${segment}/people/${svc_id}`))
    await tenant.call("PUT", tenant.pathOf("/deliveries/d1"), { channel: "email", person: { id: "ada" } })
    const page = await visit(`/w/${tenant.workspace}/live`)
    await page.getByRole("gridcell", { name: "Ada Lovelace ada", exact: true }).first().waitFor()
    for (const path of ["objects/1/acme", `segments/${segment}`, "deliveries/d1"]) {
      await opened.go(`/w/${tenant.workspace}/${path}`)
      await page
        .getByLabel("Detail")
        .getByRole("link", { name: /^Ada Lovelace/ })
        .first()
        .waitFor()
    }
    await page.keyboard.press("Escape")
    await page.getByRole("gridcell").filter({ hasText: "Ada Lovelace" }).waitFor()
  })

  it("what an operator does is confirmed with a link to its operation, and long values are shown in full", async () => {
    const tenant = await Tenant.create({}, inlet)
    const long = "long ".repeat(100).trim()
    await tenant.identify("ada", { note: long, plan: "pro" })
    const { svc_id } = await tenant.person({ id: "ada" })
    const page = await visit(`/w/${tenant.workspace}/people/${svc_id}`)
    await button(page, `Show all ${long.length} characters`).first().click()
    await page.getByText(long, { exact: true }).first().waitFor()
    await button(page, "Edit plan").click()
    await button(page, "Remove attribute").click()
    await page.getByText("plan was removed.").waitFor()
    expect((await tenant.person({ id: "ada" })).attributes).toEqual({ note: long })
    await page.getByRole("link", { name: "Show the operation" }).click()
    await page.waitForURL(/\/operations\/op/)
    await page.getByRole("cell").filter({ hasText: "attributes.plan" }).waitFor()
  })
})
