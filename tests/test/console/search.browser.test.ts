import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../src/browser.ts"
import { ConsoleVisit } from "../../src/console/ConsoleVisit.ts"
import { press } from "../../src/console/keyboard.ts"
import { visitWithoutErrors } from "../../src/console/visitWithoutErrors.ts"
import { Inlet } from "../../src/Inlet.ts"
import { batch, entity, identified, track } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"

let browser: Browser
let inlet: Inlet
let opened: ConsoleVisit

beforeAll(async () => {
  browser = await launchBrowser()
  inlet = await Inlet.start()
  await batch(inlet, [
    identified("user-12", { plan: "pro" }),
    identified("plan=pro"),
    ...Array.from({ length: 12 }, (_, n) => identified(`user-12${n}`, { plan: "free" })),
    identified("ada", { email: "ada@example.com", seats: 12, first_name: "Ada", last_name: "Lovelace" }),
    ...["1", "2"].map((type) => ({
      type: "object",
      action: "identify",
      identifiers: { object_type_id: type, object_id: "acme" },
      attributes: { plan: "pro" },
    })),
  ])
  await new Management(inlet).call("PUT", "/workspaces/1/deliveries/d-12", { channel: "email" })
  await new Management(inlet).call("POST", "/workspaces/1/segments", { name: "Friends of Ada" })
  await track(inlet, "POST", "/api/v1/forms/newsletter/submit", { data: { id: "ada", topic: "news" } })
  opened = await ConsoleVisit.open(browser, inlet)
  await opened.signIn()
})
afterAll(async () => {
  await browser.close()
  await inlet.stop()
})

const visit = (path: string): Promise<Page> => visitWithoutErrors(opened, path)
const person = (id: string) => new Management(inlet).person({ id })
const palette = (page: Page) => page.getByRole("combobox", { name: "Search or go to" })
const firstRow = (page: Page) => page.getByRole("row").nth(1)

describe("search in the console", () => {
  it("people are found by svc_id in every form, on the page, in the palette and in the merge picker", async () => {
    const { svc_id } = await person("ada")
    // A key beyond nine has a letter in base 36.
    expect(svc_id).toMatch(/[a-z]$/)
    for (const form of [svc_id, `svc_${svc_id}`, `cio_${svc_id}`]) {
      const page = await visit("/w/1/people")
      await page.getByLabel("Search people").fill(form)
      await page.waitForURL((url) => url.searchParams.get("q") === form)
      await firstRow(page).filter({ hasText: "ada@example.com" }).waitFor()
      await press(page, "Escape", "Control+k")
      await palette(page).fill(form)
      await press(page, "Enter")
      await page.waitForURL(`**/w/1/people/${svc_id}`)
    }
    const page = await visit(`/w/1/people/${(await person("user-12")).svc_id}`)
    await page.getByRole("button", { name: "Actions" }).click()
    await page.getByRole("menuitem", { name: "Merge another person" }).click()
    await page.getByRole("dialog").getByRole("combobox").fill(`svc_${svc_id}`)
    await page.getByRole("dialog").getByText("ada@example.com").waitFor()
  })

  it("the person whom the text names in full comes before people whose id only begins with it", async () => {
    const page = await visit("/w/1/people?q=user-12")
    await firstRow(page)
      .filter({ hasText: /user-12(?!\d)/ })
      .waitFor()
    await page.getByRole("row").filter({ hasText: "user-1211" }).waitFor()
    expect(await page.getByRole("row").count()).toBe(14)
    await press(page, "Control+k")
    await palette(page).fill("user-12")
    await page
      .getByRole("option")
      .first()
      .filter({ hasText: /user-12(?!\d)/ })
      .waitFor()
  })

  it.each(["plan=pro", "attributes.plan=pro"])("%s finds people by the attribute", async (text) => {
    const page = await visit("/w/1/people")
    await page.getByLabel("Search people").fill(text)
    await page.getByText(/Everybody was searched\.$/).waitFor()
    await page
      .getByRole("row")
      .filter({ hasText: /user-12(?!\d)/ })
      .waitFor()
    expect(await page.getByRole("row").filter({ hasText: "ada@example.com" }).count()).toBe(0)
    // The id of one person is the text itself.
    expect(await page.getByRole("row").filter({ hasText: "plan=pro" }).count()).toBe(
      text === "plan=pro" ? 1 : 0,
    )
  })

  it("plan.tier=gold finds people by a value inside an attribute", async () => {
    await batch(inlet, [identified("nested", { plan: { tier: "gold" } })])
    const page = await visit("/w/1/people?q=plan.tier%3Dgold")
    await page.getByText("1 match. Everybody was searched.").waitFor()
    await firstRow(page).filter({ hasText: "nested" }).waitFor()
  })

  it("Enter in the palette waits for the answer to what is typed", async () => {
    const { svc_id } = await person("ada")
    const page = await visit("/w/1/live")
    await press(page, "Control+k")
    await palette(page).fill("user-12")
    await page.getByRole("option").filter({ hasText: "user-1211" }).first().waitFor()
    const held = Promise.withResolvers<void>()
    await page.route(/search\?q=ada/, async (route) => {
      await held.promise
      await route.continue()
    })
    await palette(page).fill("ada@example.com")
    await press(page, "Enter")
    expect(new URL(page.url()).pathname).toBe("/console/w/1/live")
    held.resolve()
    await page.waitForURL(`**/w/1/people/${svc_id}`)
    await page.unrouteAll()
  })

  it("Enter in the search of a dialog waits for the answer, and chooses the person who is named", async () => {
    const page = await visit(`/w/1/people/${(await person("user-12")).svc_id}`)
    await page.getByRole("button", { name: "Actions" }).click()
    await page.getByRole("menuitem", { name: "Merge another person" }).click()
    await page.getByLabel("Person to merge").fill("user-1")
    await page.getByRole("option", { name: "user-1211" }).waitFor()
    await page.getByLabel("Person to merge").fill("ada@example.com")
    await press(page, "Enter")
    await page.getByLabel("Identifier", { exact: true }).waitFor()
    expect(await page.getByRole("dialog").textContent()).toContain("ada@example.com becomes part of")
  })

  it("people are found by first and last name on the page, in the palette and in the merge picker", async () => {
    const { svc_id } = await person("ada")
    for (const text of ["Ada Lov", "lovelace"]) {
      const page = await visit("/w/1/people")
      await page.getByLabel("Search people").fill(text)
      await page.waitForURL((url) => url.searchParams.get("q") === text)
      await firstRow(page).filter({ hasText: "ada@example.com" }).waitFor()
      await press(page, "Escape", "Control+k")
      await palette(page).fill(text)
      await press(page, "Enter")
      await page.waitForURL(`**/w/1/people/${svc_id}`)
    }
    const page = await visit(`/w/1/people/${(await person("user-12")).svc_id}`)
    await page.getByRole("button", { name: "Actions" }).click()
    await page.getByRole("menuitem", { name: "Merge another person" }).click()
    await page.getByRole("dialog").getByRole("combobox").fill("lovelace")
    await page.getByRole("dialog").getByText("ada@example.com").waitFor()
  })

  it("the former id of a merged person finds the person who remains, and every surface says why", async () => {
    await batch(inlet, [
      identified("remains", { email: "remains@example.com" }),
      identified("formerly", { email: "formerly@example.com" }),
      {
        type: "person",
        action: "merge",
        primary: { id: "remains" },
        secondary: { id: "formerly" },
      },
    ])
    const { svc_id } = await person("remains")
    for (const text of ["formerly", "formerly@example.com"]) {
      const page = await visit("/w/1/people")
      await page.getByLabel("Search people").fill(text)
      await firstRow(page)
        .filter({ hasText: `remains@example.com · ${text} was merged into them` })
        .waitFor()
      await press(page, "Escape", "Control+k")
      await palette(page).fill(text)
      await page
        .getByRole("option")
        .first()
        .filter({ hasText: `person, ${text} was merged into them` })
        .waitFor()
      await press(page, "Enter")
      await page.waitForURL(`**/w/1/people/${svc_id}`)
    }
    const page = await visit(`/w/1/people/${(await person("user-12")).svc_id}`)
    await page.getByRole("button", { name: "Actions" }).click()
    await page.getByRole("menuitem", { name: "Merge another person" }).click()
    await page.getByLabel("Person to merge").fill("formerly")
    await page.getByRole("option", { name: "formerly was merged into them" }).waitFor()
    const live = await visit("/w/1/live?filter=person%3Aformerly")
    await live.getByText("formerly was merged into").waitFor()
    await live.getByRole("link", { name: "remains@example.com" }).click()
    await firstRow(live).filter({ hasText: "remains@example.com" }).waitFor()
  })

  it.each([
    ["objects", "2/acme", "**/w/1/objects/2/acme"],
    ["deliveries", "d-12", "**/w/1/deliveries/d-12"],
    ["segments", "Friends of Ada", "**/w/1/segments/*"],
    ["forms", "newsletter", "**/w/1/forms/newsletter"],
  ])("the palette and the list find %s: %s", async (list, text, url) => {
    const page = await visit("/w/1/live")
    await press(page, "Control+k")
    await palette(page).fill(text)
    await press(page, "Enter")
    await page.waitForURL(url)
    await visit(`/w/1/${list}`)
    await page.getByLabel(`Search ${list}`).fill(text.slice(0, -1))
    await page.waitForURL((address) => address.searchParams.get("q") === text.slice(0, -1))
    await firstRow(page)
      .filter({ hasText: text.split("/").at(-1) ?? text })
      .waitFor()
    expect(await page.getByRole("row").count()).toBe(2)
    await page.getByLabel(`Search ${list}`).fill("no such thing")
    await page.getByText(/^No \w+ found$/).waitFor()
  })

  it("the palette finds pages and actions, and says that nothing was found", async () => {
    const page = await visit("/w/1/live")
    await press(page, "Control+k")
    await palette(page).fill("segm")
    await page.getByRole("option").first().filter({ hasText: "Segments" }).waitFor()
    await palette(page).fill("show all keys")
    await page.getByRole("option").first().filter({ hasText: "Show all keys" }).waitFor()
    await press(page, "ArrowDown", "ArrowUp", "Enter")
    await page.getByRole("dialog", { name: "Keys" }).waitFor()
    await press(page, "Escape", "Control+k")
    await palette(page).fill("no such thing")
    await page.getByText("Nothing has this id or name, or one that starts with it.").waitFor()
  })

  it("a filter by person without a match says how rejected calls are found", async () => {
    await entity(inlet, { type: "person", action: "event", identifiers: { id: "ada" }, name: " " })
    const page = await visit("/w/1/live?filter=person%3Aada%20outcome%3Arejected")
    await page.getByText("Rejected calls belong to nobody").waitFor()
    await opened.go("/w/1/live?filter=outcome%3Arejected%20reason%3A*blank")
    await firstRow(page).filter({ hasText: "event name must not be blank" }).waitFor()
  })

  it("a search goes on by itself to what it finds, and says how far back it is until it is stopped", async () => {
    const wanted = { type: "person", identifiers: { id: "ada" }, action: "event", name: "wanted" }
    await batch(inlet, [wanted])
    // More than one answer looks at.
    const noise = Array.from({ length: 1_000 }, () => ({
      ...wanted,
      identifiers: { id: "noisy" },
      name: "noise",
    }))
    for (let sent = 0; sent < 21_000; sent += noise.length) await batch(inlet, noise)
    for (const period of ["", "&from=2020-01-01T00:00:00.000Z&to=2100-01-01T00:00:00.000Z"]) {
      const page = await visit("/w/1/home")
      const held = Promise.withResolvers<void>()
      await page.route(/activity\?.*after=/, async (route) => {
        await held.promise
        await route.continue()
      })
      await opened.go(`/w/1/live?filter=name%3Awant*${period}`)
      await page.getByText(/^Searching back to \d{4}-\d\d-\d\d /).waitFor()
      await page.getByRole("heading", { name: "No match so far" }).waitFor()
      await page.getByRole("button", { name: "Stop", exact: true }).click()
      held.resolve()
      await page.getByRole("button", { name: "Search older operations" }).click()
      await page.getByRole("row").filter({ hasText: "wanted" }).waitFor()
      await page.getByText(/^Search(ed|ing) back to/).waitFor({ state: "detached" })
      await page.unrouteAll()
    }
    const page = await visit("/w/1/live?filter=person%3Aada")
    await page.getByRole("row").filter({ hasText: "wanted" }).waitFor()
  })
})
