import { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { entryExamples, preparations, type EntryExample } from "../../src/documents/entryExamples.ts"
import { entryTables } from "../../src/documents/entryPage.ts"
import { entryTexts } from "../../src/documents/entryTexts.ts"
import { eventually } from "../../src/eventually.ts"
import { send } from "../../src/http.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"

const authorization = {
  track: `Basic ${Buffer.from(`${credentials.siteId}:${credentials.apiKey}`).toString("base64")}`,
  pipelines: `Basic ${Buffer.from(`${credentials.writeKey}:`).toString("base64")}`,
  management: `Bearer ${credentials.token}`,
}

const call = (
  inlet: Inlet,
  { body, method, path }: EntryExample["request"],
  key: keyof typeof authorization,
) =>
  send(inlet.url, {
    method,
    path,
    headers: {
      authorization: authorization[key],
      "content-type": "application/json",
      "user-agent": "curl/8.14.1",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const get = async (inlet: Inlet, path: string): Promise<unknown> =>
  (await call(inlet, { method: "GET", path: `/management/v1/workspaces/1/${path}` }, "management")).json

const time = "2026-01-31T12:00:00.000Z"

/** Puts what differs from run to run as the page shows it: times, and the id of the key. */
const settled = (entry: unknown): unknown =>
  JSON.parse(
    JSON.stringify(entry)
      .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, `"${time}"`)
      .replaceAll(/"key_id":"[^"]+"/g, '"key_id":"key_1"'),
  )

const Document = Schema.toCodecJson(ActivityDocument)

describe("docs/entry.md", () => {
  const tables = entryTables()
  const fields = tables.flatMap(({ fields }) => fields.map(({ key }) => key))

  it("explains every field of an entry", () => {
    expect(fields).toContain("ActivityEntry.subject.svc_id")
    expect(fields.filter((field) => entryTexts[field] === undefined)).toEqual([])
  })

  it("explains no field that an entry does not have", () => {
    expect(Object.keys(entryTexts).filter((field) => !fields.includes(field))).toEqual([])
  })

  it.each(entryExamples)("the example $title has every field of the schema", ({ entry }) => {
    expect(Schema.encodeSync(Document)(Schema.decodeUnknownSync(Document)(entry))).toEqual(entry)
  })

  it("has the entries that a server gives for the calls of the examples", async () => {
    const inlet = await Inlet.start()
    for (const { key, request } of preparations) await call(inlet, request, key)
    await eventually("the segment is built", async () =>
      JSON.stringify(await get(inlet, "segments")).includes('"state":"active"') ? true : undefined,
    )
    const entries: Array<unknown> = []
    for (const { key, request } of entryExamples) {
      const { operationId } = await call(inlet, request, key)
      const operation = await get(inlet, `operations/${operationId}`)
      // The page shows the entry as lists do, without what only the reading of one operation adds.
      const entry = Schema.encodeSync(Document)(Schema.decodeUnknownSync(Document)(operation))
      entries.push(settled(entry))
    }
    await inlet.stop()
    expect(entries).toEqual(entryExamples.map(({ entry }) => entry))
  })
})
