import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import { ownerStates, placeOf, type LakeRow } from "../columns.ts"
import { readRows } from "./readParquet.ts"
import type { OwnersToRead, StoredOwners } from "./Request.ts"

/** The most subjects, numbered one after the other, whose owners are read at once, with 26 bytes each. */
const subjectsMax = 250_000

/** Reads to whom the files say that subjects belong, from one number on. */
export const storedOwners = async ({ erased, from, subjects }: OwnersToRead): Promise<StoredOwners> => {
  const gone = new Set<number>()
  await eachRow("erased", erased, ["subject"], (row) => gone.add(Number(row[placeOf("erased", "subject")])))
  const to = from + subjectsMax
  const found: StoredOwners = {
    from,
    positions: new Float64Array(subjectsMax),
    owners: new Float64Array(subjectsMax),
    since: new Float64Array(subjectsMax),
    states: new Uint8Array(subjectsMax),
    hidden: new Uint8Array(subjectsMax),
    next: null,
  }
  let next = Number.POSITIVE_INFINITY
  await eachRow("subjects", subjects, null, ([position, subject, owner, since, state]) => {
    const key = Number(subject)
    if (key >= to) next = Math.min(next, key)
    const place = key - from
    if (place < 0 || key >= to || Number(position) < (found.positions[place] ?? 0)) return
    found.positions[place] = Number(position)
    found.owners[place] = Number(owner ?? 0)
    found.since[place] = Number(since ?? 0)
    found.states[place] = ownerStates[stateOf(state)]
    found.hidden[place] = gone.has(key) || gone.has(Number(owner)) ? 1 : 0
  })
  return { ...found, next: Number.isFinite(next) ? next : null }
}

const stateOf = (state: unknown): keyof typeof ownerStates =>
  state === "person" || state === "attached" || state === "object" ? state : "visitor"

const eachRow = async (
  table: LakeTable,
  paths: ReadonlyArray<string>,
  only: ReadonlyArray<string> | null,
  read: (row: LakeRow) => void,
): Promise<void> => {
  for (const path of paths) {
    for await (const rows of readRows(table, path, only ?? undefined)) for (const row of rows) read(row)
  }
}
