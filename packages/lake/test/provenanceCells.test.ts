import { assert, describe, it } from "@effect/vitest"
import type { Provenance } from "@inlethq/core/log/Provenance"
import { lakeColumns, type Cell } from "../src/columns.ts"
import { provenanceColumns } from "../src/provenanceColumns.ts"
import { provenanceCells } from "../src/rows/provenanceCells.ts"

const names = [...provenanceColumns.map(({ name }) => name), "context"]

/** The cells that are not null, by the names of their columns. */
const told = (provenance: Provenance): Readonly<Record<string, Cell>> =>
  Object.fromEntries(
    provenanceCells(provenance).flatMap((cell, at) => (cell === null ? [] : [[names[at] ?? "", cell]])),
  )

describe("the columns that say where a call came from", () => {
  it("are the last of the table of entries before the plan", () => {
    assert.deepStrictEqual(lakeColumns.activity.map(({ name }) => name).slice(-names.length - 1), [
      ...names,
      "plan",
    ])
    assert.strictEqual(provenanceCells({}).length, names.length)
  })

  it("hold the page, the campaign, the client and the country of a browser", () => {
    const context = {
      page: { url: "https://a.io/p?q=1", path: "/p", title: "P", referrer: "https://b.io/" },
      campaign: { name: "spring", source: "news", medium: "email", term: "t", content: "c" },
      ip: "203.0.113.0",
      userAgent: "Browser/1",
      locale: "de",
      timezone: "Europe/Berlin",
      library: { name: "analytics.js", version: "2.1" },
    }
    assert.deepStrictEqual(told({ context, geo: { country: "DE", city: "Berlin" } }), {
      page_url: "https://a.io/p?q=1",
      page_path: "/p",
      page_title: "P",
      referrer: "https://b.io/",
      utm_source: "news",
      utm_medium: "email",
      utm_campaign: "spring",
      utm_term: "t",
      utm_content: "c",
      ip: "203.0.113.0",
      country: "DE",
      user_agent: "Browser/1",
      locale: "de",
      timezone: "Europe/Berlin",
      library: "analytics.js",
      library_version: "2.1",
      context: JSON.stringify(context),
    })
  })

  it("hold the app and its system, and are null for values of other types", () => {
    const context = { app: { name: "Shop", version: 4 }, os: { name: "iOS" }, page: "/p", locale: ["de"] }
    assert.deepStrictEqual(told({ context }), {
      app: "Shop",
      app_version: "4",
      os: "iOS",
      context: JSON.stringify(context),
    })
  })

  it("take the referrer from where the context has it", () => {
    assert.strictEqual(told({ context: { referrer: { url: "https://b.io/" } } })["referrer"], "https://b.io/")
    assert.strictEqual(told({ context: { referrer: "https://c.io/" } })["referrer"], "https://c.io/")
    assert.deepStrictEqual(told({ geo: { country: "FR" } }), { country: "FR" })
  })
})
