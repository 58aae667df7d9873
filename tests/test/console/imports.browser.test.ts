import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Tenant, sharedServer } from "../../src/Tenant.ts"

let browser: Browser
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  opened = await ConsoleVisit.open(browser, sharedServer)
  await opened.signIn()
})
afterAll(() => browser.close())

/** Opens the page Imports of a workspace and chooses a file. */
const choose = async (tenant: Tenant, content: string | Buffer): Promise<Page> => {
  const page = await visitWithoutErrors(opened, `/w/${tenant.workspace}/imports`)
  await page.locator("input[type=file]").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(content),
  })
  return page
}

const importButton = (page: Page) => page.getByRole("button", { name: "Import", exact: true })

describe("imports in the console", () => {
  it("a file that the import would refuse says why before it is uploaded", async () => {
    const tenant = await Tenant.create()
    for (const [content, fault] of [
      ["name,plan\nAda,pro\n", "missing column: id or email; the first line has `name`, `plan`"],
      ["", "the file is empty"],
      [Buffer.from("89504e470d0a1a0a", "hex"), "the file is not CSV in UTF-8, but a PNG image"],
    ] as const) {
      const page = await choose(tenant, content)
      await page.getByText(fault).waitFor()
      expect(await importButton(page).isDisabled()).toBe(true)
    }
  })

  it("a file with semicolons in UTF-16 is understood, and says which part of a row was left out", async () => {
    const tenant = await Tenant.create()
    await tenant.identify("owner", { email: "taken@example.com" })
    const page = await choose(
      tenant,
      Buffer.from("\uFEFFid;email;city\nada;taken@example.com;Łódź\nbob;bob@example.com;Rome\n", "utf16le"),
    )
    await page.getByText("identifies the person").first().waitFor()
    await importButton(page).click()
    await page.getByText("Every row was read. Of some rows, a part was left out.").waitFor()
    await page.getByText(/^imported in part: .*email/).waitFor()
    expect((await tenant.person({ id: "ada" })).attributes["city"]).toBe("Łódź")
  })

  it("a file without rows does not say that every row was read", async () => {
    const page = await choose(await Tenant.create(), "id,email\n")
    await importButton(page).click()
    await page.getByText("The file has no rows.").waitFor()
  })

  it("an import goes on when the page is left, and can be cancelled when one comes back", async () => {
    const tenant = await Tenant.create()
    const rows = Array.from({ length: 60_000 }, (_, i) => `p${i},p${i}@example.com`)
    const page = await choose(tenant, `id,email\n${rows.join("\n")}\n`)
    await importButton(page).click()
    await page.getByText("The file is being imported. You can leave this page.").waitFor()
    await opened.go(`/w/${tenant.workspace}/people`)
    await page.getByRole("row").filter({ hasText: "@example.com" }).first().waitFor()
    await opened.go(`/w/${tenant.workspace}/imports`)
    const job = page.getByRole("listitem").filter({ hasText: "people.csv" })
    await job.getByRole("progressbar").waitFor()
    await job.getByRole("button", { name: "Cancel" }).click()
    await job.getByText(/ rows, cancelled$/).waitFor()
    await job.getByRole("button", { name: /people\.csv/ }).click()
    await job.getByText("The import was cancelled. Rows that were imported stay.").waitFor()
    const { items } = Object(await tenant.get("/imports"))
    expect(items).toMatchObject([{ state: "cancelled", skipped: 0, failed: 0 }])
    expect(items[0].imported).toBe(items[0].rows)
    expect(items[0].rows).toBeLessThan(60_000)
  })
})
