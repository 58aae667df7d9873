import { expect } from "vitest"
import { send } from "../http.ts"
import { batch, track, type Headers } from "../ingestion.ts"
import { credentials } from "../Inlet.ts"
import { summaryOf } from "../csvFiles.ts"
import { Writer } from "../Writer.ts"

/**
 * Returns a writer that sends batches. Each batch creates a person, adds an event of this person and deletes this
 * person. Each batch also identifies a second person, whose id is the id of the writer, and adds an event of this second
 * person.
 */
export const deletionWriter = (id: string): Writer =>
  new Writer(id, true, (sequence) => {
    const name = `${id}-${sequence}`
    const keys = [`${name}/0`]
    const other = { type: "person", identifiers: { id: name } }
    const own = { type: "person", identifiers: { id } }
    const items = [
      { ...other, action: "identify", attributes: { city: "Bonn" } },
      { ...other, action: "event", name: "seen" },
      { ...other, action: "delete" },
      { ...own, action: "identify", attributes: { email: `${id}@example.com`, last: sequence } },
      { ...own, action: "event", name, id: keys[0] },
    ]
    return {
      sequence,
      name,
      keys,
      send: (inlet) => batch(inlet, items),
      check: async (management) => expect(await management.people({ id: name })).toEqual([]),
    }
  })

const memberIds = (id: string): ReadonlyArray<string> => Array.from({ length: 10 }, (_, n) => `${id}-${n}`)

/** Returns a batch that creates the people that a segment writer later adds to its segment. */
export const membersBatch = (id: string) =>
  memberIds(id).map((member) => ({ type: "person", action: "identify", identifiers: { id: member } }))

/** Returns a writer that adds ten people to a segment, and removes them with the next request. */
export const segmentWriter = (id: string, segment: number): Writer =>
  new Writer(id, false, (sequence) => {
    const isAdding = sequence % 2 === 1
    const path = `/api/v1/segments/${segment}/${isAdding ? "add" : "remove"}_customers`
    const ids = memberIds(id)
    return {
      sequence,
      name: `${id}-${sequence}`,
      keys: [],
      send: (inlet) => track(inlet, "POST", path, { ids }),
      check: async (management) => {
        const expected = isAdding ? ids : []
        expect(await management.segmentMembers(segment)).toEqual(expected)
        expect((await management.segment(segment)).size).toBe(expected.length)
      },
    }
  })

const importedRows = 50

/**
 * Returns a writer that imports the same people again and again. Each import stores another number in the people's
 * attributes. The writer sends a file again if only a part of the file was imported.
 */
export const importWriter = (id: string): Writer =>
  new Writer(id, false, (sequence) => {
    const ids = Array.from({ length: importedRows }, (_, row) => `${id}-${row}`)
    const body = `id,last\n${ids.map((person) => `${person},${sequence}\n`).join("")}`
    return {
      sequence,
      name: `${id}-${sequence}`,
      keys: [],
      send: async (inlet) => {
        const path = "/management/v1/workspaces/1/imports/people"
        const headers = { authorization: `Bearer ${credentials.token}`, "content-type": "text/csv" }
        const answer = await send(inlet.url, { method: "POST", path, headers, body })
        if (answer.status !== 200) return answer
        const { failed, imported, skipped } = summaryOf(answer.text.trimEnd().split("\n").at(-1) ?? "")
        if (failed > 0 || imported + skipped !== importedRows) throw new Error(answer.text)
        return answer
      },
      check: async (management) => {
        const people = await management.people({ q: `${id}-`, limit: "1000" })
        expect(people.map((person) => Number(person.attributes["last"]))).toEqual(ids.map(() => sequence))
      },
    }
  })

/**
 * Returns a writer that sends events and a merge to another workspace. Nothing in that workspace is erased, so its log
 * positions have no gaps.
 */
export const otherWorkspaceWriter = (id: string, authorization: Headers): Writer =>
  new Writer(id, false, (sequence) => {
    const name = `${id}-${sequence}`
    const items = [
      { type: "person", identifiers: { id }, action: "event", name, id: `${name}/0` },
      { type: "person", identifiers: { id: name }, action: "event", name, id: `${name}/1` },
      { type: "person", action: "merge", primary: { id }, secondary: { id: name } },
    ]
    return {
      sequence,
      name,
      keys: [],
      send: (inlet) => track(inlet, "POST", "/api/v2/batch", { batch: items }, authorization),
    }
  })
