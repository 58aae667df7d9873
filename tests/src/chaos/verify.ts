import { expect } from "vitest"
import { Management, type Entry } from "../Management.ts"
import type { Writer } from "../Writer.ts"
import type { Cluster } from "./Cluster.ts"
import type { LogReader } from "./LogReader.ts"

/**
 * Checks that the writer's request without an answer was applied completely or not at all. Does nothing if the activity
 * log cannot be read.
 */
export const expectAllOrNothing = async (management: Management, writer: Writer): Promise<void> => {
  const request = writer.unacknowledged
  if (request === undefined || request.keys.length === 0) return
  const found = await management.activity({ name: request.name }).catch(() => undefined)
  const events = found?.filter(({ outcome }) => outcome !== "duplicate")
  if (events !== undefined) expect([0, request.keys.length], request.name).toContain(events.length)
}

/** Checks the effects of each writer's last acknowledged request. */
export const expectApplied = async (
  management: Management,
  writers: ReadonlyArray<Writer>,
): Promise<void> => {
  for (const { acknowledged, id, latest, storesProgress } of writers) {
    await latest?.check?.(management, true)
    if (!storesProgress || acknowledged === 0) continue
    const person = await management.person({ id })
    expect(person.attributes["last"], id).toBe(acknowledged)
  }
}

/** Checks that each event of an acknowledged request is in the log once, and that the events of a request share one commit. */
export const expectEachEventOnce = (entries: ReadonlyArray<Entry>, writers: ReadonlyArray<Writer>): void => {
  const events = entries.filter(
    ({ kind, name, outcome }) => kind === "event" && name !== "seen" && outcome !== "duplicate",
  )
  const keys = events.map(({ id }) => id ?? "").toSorted()
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toEqual(writers.flatMap(({ expectedKeys }) => expectedKeys).toSorted())
  const operations = Map.groupBy(events, ({ name }) => name)
  for (const [name, own] of operations) {
    expect(new Set(own.map(({ operation_id }) => operation_id.replace(/-\d+$/, ""))).size, `${name}`).toBe(1)
  }
}

/** Returns the numbers from 1 to `last`. */
const numbersTo = (last: number): ReadonlyArray<number> => Array.from({ length: last }, (_, n) => n + 1)

/** Checks that a reader saw log positions in order, and skipped no log position that operators can still see. */
export const expectReadInOrder = (reader: LogReader, visible: ReadonlyArray<Entry>): void => {
  const { positions } = reader
  expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b))
  const seen = new Set(positions)
  expect(visible.map(({ sequence }) => sequence).filter((position) => !seen.has(position))).toEqual([])
}

/**
 * Checks that the log positions of a workspace have no gaps, and that each reader saw every position. Nothing in the
 * workspace may have been erased.
 */
export const expectContiguous = async (
  cluster: Cluster,
  workspace: number,
  readers: ReadonlyArray<LogReader>,
): Promise<void> => {
  const [head] = await cluster.sql(
    `SELECT next_sequence::integer AS next FROM heads WHERE workspace = ${workspace}`,
  )
  const expected = numbersTo(Number(head?.["next"]) - 1)
  const rows = await cluster.sql(
    `SELECT sequence::integer AS sequence FROM activity WHERE workspace = ${workspace} ORDER BY sequence`,
  )
  expect(rows.map((row) => row["sequence"])).toEqual(expected)
  for (const { positions } of readers) expect(positions).toEqual(expected)
}
