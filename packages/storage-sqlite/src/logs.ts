import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/Identifier"
import { integer, type Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { readStretches, readTimeline, type Order } from "./timeline.ts"

/** A log from a cursor on, read a part at a time. */
export interface Log {
  /** The next rows; fewer than asked for at its end, or where looking further would take too long for one page. */
  read(count: number): ReadonlyArray<Row>
  /** Whether the last rows were read. */
  ended(): boolean
  /** How far it was looked through. */
  position(): number
}

/** Stretches of the log that one page looks through for the entries of a workspace. */
const stretchesMax = 32

const startOf = (after: Sequence | null, order: Order): number =>
  after ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)

/** The log of a workspace from a cursor on. */
export const logOfWorkspace = (database: Database) => {
  const nextStretch = readStretches(database)
  const statements = {
    asc: database.prepare(
      "SELECT * FROM activity WHERE workspace = ? AND sequence >= ? AND sequence < ? ORDER BY sequence ASC LIMIT ?",
    ),
    desc: database.prepare(
      "SELECT * FROM activity WHERE workspace = ? AND sequence >= ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
    ),
  }
  return (workspace: WorkspaceId, after: Sequence | null, order: Order): Log => {
    let position = startOf(after, order)
    let ended = false
    let stretches = 0
    const read = (count: number): ReadonlyArray<Row> => {
      const rows: Array<Row> = []
      while (rows.length < count && stretches < stretchesMax) {
        const stretch = nextStretch(workspace, position, order)
        if (stretch === undefined) {
          ended = true
          break
        }
        const { end, first } = stretch
        rows.push(...statements[order].all(workspace, first, end, count - rows.length))
        const last = rows.length < count ? undefined : positionOf(rows.at(-1))
        position = last ?? (order === "asc" ? end - 1 : first)
        if (last === undefined) stretches++
      }
      return rows
    }
    return { read, ended: () => ended, position: () => position }
  }
}

/** The logs of some subjects as one, from a cursor on: merged, a few entries of each at a time. */
export const logOfPerson = (database: Database) => {
  const timeline = readTimeline(database)
  const rowsOf = {
    asc: database.prepare(
      "SELECT found.* FROM json_each(?) AS wanted CROSS JOIN activity AS found ON found.sequence = wanted.value ORDER BY found.sequence ASC",
    ),
    desc: database.prepare(
      "SELECT found.* FROM json_each(?) AS wanted CROSS JOIN activity AS found ON found.sequence = wanted.value ORDER BY found.sequence DESC",
    ),
  }
  return (keys: ReadonlyArray<SubjectKey>, after: Sequence | null, order: Order): Log => {
    const streams = keys.map((key) =>
      positions((from, count) => timeline(key, from, order, count), startOf(after, order)),
    )
    let position = startOf(after, order)
    let ended = false
    const read = (count: number): ReadonlyArray<Row> => {
      const taken = merge(streams, order, count)
      ended = taken.length < count
      position = taken.at(-1) ?? position
      return taken.length === 0 ? [] : rowsOf[order].all(JSON.stringify(taken))
    }
    return { read, ended: () => ended, position: () => position }
  }
}

/** The positions of one subject's entries; `head` is the next one, undefined at the end. */
interface Positions {
  head(): number | undefined
  advance(): void
}

const readAhead = 64

const positions = (
  read: (from: number, count: number) => ReadonlyArray<number>,
  start: number,
): Positions => {
  let from = start
  let buffer: ReadonlyArray<number> = []
  let at = 0
  let ended = false
  return {
    head() {
      if (at >= buffer.length && !ended) {
        buffer = read(from, readAhead)
        at = 0
        from = buffer.at(-1) ?? from
        ended = buffer.length < readAhead
      }
      return buffer[at]
    },
    advance() {
      at++
    },
  }
}

const merge = (streams: ReadonlyArray<Positions>, order: Order, count: number): ReadonlyArray<number> => {
  const taken: Array<number> = []
  while (taken.length < count) {
    let next: Positions | undefined
    let best: number | undefined
    for (const stream of streams) {
      const head = stream.head()
      if (head === undefined) continue
      if (best === undefined || (order === "asc" ? head < best : head > best)) {
        best = head
        next = stream
      }
    }
    if (next === undefined || best === undefined) break
    taken.push(best)
    next.advance()
  }
  return taken
}

const positionOf = (row: Row | undefined): number | undefined =>
  row === undefined ? undefined : integer(row["sequence"])
