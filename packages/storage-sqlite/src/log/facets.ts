import { text, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { Positions } from "./OffsetBitmap.ts"
import { runEntries, runOf } from "./runs.ts"

/**
 * What filters ask of entries, indexed by runs of the log: for each run and workspace the entries of each kind, outcome and
 * name. A reader looks at a few postings a run instead of at its entries.
 */
const facets = { kind: 1, outcome: 2, name: 3, nameHash: 4 } as const

/** Names of a workspace that a run lists; where there are more, it lists hashes of them. */
export const listedNamesMax = 1024

/** Hashes of names that are told apart. */
const nameHashes = 1024

/** The hash of a name where a run has too many names (FNV-1a). */
const hashOf = (name: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % nameHashes
}

/** The postings of a workspace in a run. */
export interface Facets {
  /** Entries of one of the kinds, or with one of the outcomes. */
  ofKinds(kinds: ReadonlyArray<number>): Positions
  ofOutcomes(outcomes: ReadonlyArray<number>): Positions
  ofAny(): Positions
  /** Entries with a name; others among them where the run has too many names to list. */
  ofName(stored: string): Positions
  /** Entries with a name that is wanted, and how many names were looked at; undefined where there are too many names. */
  ofNames(
    wanted: (stored: string) => boolean,
  ): { readonly positions: Positions; readonly names: number } | undefined
}

/** Reads the postings of runs. */
export const readFacets = (database: Database): ((workspace: number, run: number) => Facets) => {
  const ofValue = database.prepareByPlace(
    "SELECT positions FROM facets WHERE run = ? AND workspace = ? AND facet = ? AND value = ?",
  )
  const ofFacet = database.prepareByPlace(
    "SELECT positions, value FROM facets WHERE run = ? AND workspace = ? AND facet = ?",
  )
  return (workspace, run) => {
    const union = (facet: number, values: ReadonlyArray<number | string>, into = new Positions()) => {
      for (const value of values) {
        const row = ofValue.get(run, workspace, facet, value)
        if (row !== undefined) into.addAll(positionsAt(row))
      }
      return into
    }
    return {
      ofKinds: (kinds) => union(facets.kind, kinds),
      ofOutcomes: (outcomes) => union(facets.outcome, outcomes),
      ofAny: () => {
        const all = new Positions()
        for (const row of ofFacet.all(run, workspace, facets.outcome)) all.addAll(positionsAt(row))
        return all
      },
      ofName: (stored) => union(facets.nameHash, [hashOf(stored)], union(facets.name, [stored])),
      ofNames: (wanted) => {
        if (ofFacet.get(run, workspace, facets.nameHash) !== undefined) return undefined
        const positions = new Positions()
        let names = 0
        for (const row of ofFacet.iterate(run, workspace, facets.name)) {
          names++
          if (wanted(text(row[1]))) positions.addAll(positionsAt(row))
        }
        return { positions, names }
      },
    }
  }
}

const positionsAt = (row: Row): Positions => Positions.read(bytes(row[0]))

const bytes = (column: Row[string]): Uint8Array => {
  if (column instanceof Uint8Array) return column
  throw new TypeError("a column of the database holds no bytes")
}

/** What is collected of a workspace while a run is indexed: offsets by value. */
interface Collected {
  readonly kinds: Map<number, Array<number>>
  readonly outcomes: Map<number, Array<number>>
  readonly names: Map<string, Array<number>>
}

/** Indexes the entries of a run by their facets; what was indexed of it before is replaced. */
export const indexFacets = (database: Database): ((run: number) => void) => {
  // One row of five texts is read in half the time of thousands of rows.
  const columns = database.prepareByPlace(`
    SELECT json_group_array(sequence), json_group_array(workspace), json_group_array(kind),
      json_group_array(outcome), json_group_array(name)
    FROM activity WHERE sequence >= ? AND sequence < ?`)
  const clear = database.prepare("DELETE FROM facets WHERE run = ?")
  const insert = database.prepare(
    "INSERT INTO facets (run, workspace, facet, value, positions) VALUES (?, ?, ?, ?, ?)",
  )

  const note = database.prepare("INSERT OR IGNORE INTO workspace_runs (workspace, run) VALUES (?, ?)")

  const save = (
    workspace: number,
    run: number,
    facet: number,
    values: ReadonlyMap<number | string, ReadonlyArray<number>>,
  ): void => {
    for (const [value, offsets] of values) insert.run(run, workspace, facet, value, Positions.column(offsets))
  }

  return (run) => {
    const row = columns.get(run * runEntries, (run + 1) * runEntries)
    const collected = row === undefined ? new Map<number, Collected>() : collect(row, run * runEntries)
    clear.run(run)
    for (const [workspace, { kinds, names, outcomes }] of collected) {
      note.run(workspace, run)
      save(workspace, run, facets.kind, kinds)
      save(workspace, run, facets.outcome, outcomes)
      if (names.size <= listedNamesMax) save(workspace, run, facets.name, names)
      else save(workspace, run, facets.nameHash, hashed(names))
    }
  }
}

/** Sorts the entries of a run by workspace and facet. */
const collect = (row: Row, start: number): ReadonlyMap<number, Collected> => {
  const found = new Map<number, Collected>()
  const column = (index: number): ReadonlyArray<number | string | null> => JSON.parse(text(row[index]))
  const [sequences, workspaces, kinds, outcomes, names] = [0, 1, 2, 3, 4].map(column)
  sequences?.forEach((sequence, i) => {
    const offset = Number(sequence) - start
    const workspace = Number(workspaces?.[i])
    let of = found.get(workspace)
    if (of === undefined)
      found.set(workspace, (of = { kinds: new Map(), outcomes: new Map(), names: new Map() }))
    const kind = kinds?.[i]
    const name = names?.[i]
    if (typeof kind === "number") add(of.kinds, kind, offset)
    add(of.outcomes, Number(outcomes?.[i]), offset)
    if (typeof name === "string") add(of.names, name, offset)
  })
  return found
}

const add = <Value>(to: Map<Value, Array<number>>, value: Value, offset: number): void => {
  const offsets = to.get(value)
  if (offsets === undefined) to.set(value, [offset])
  else offsets.push(offset)
}

const hashed = (
  names: ReadonlyMap<string, ReadonlyArray<number>>,
): ReadonlyMap<number, ReadonlyArray<number>> => {
  const found = new Map<number, Array<number>>()
  for (const [name, offsets] of names) for (const offset of offsets) add(found, hashOf(name), offset)
  for (const offsets of found.values()) offsets.sort((a, b) => a - b)
  return found
}

/** Takes a name that was erased out of the postings of its run; what only says that there was an entry stays. */
export const forgetName = (
  database: Database,
): ((workspace: number, sequence: number, stored: string) => void) => {
  const key = "WHERE run = ? AND workspace = ? AND facet = ? AND value = ?"
  const posting = database.prepareByPlace(`SELECT positions FROM facets ${key}`)
  const remove = database.prepare(`DELETE FROM facets ${key}`)
  const save = database.prepare(`UPDATE facets SET positions = ? ${key}`)
  return (workspace, sequence, stored) => {
    const run = runOf(sequence)
    const of = [run, workspace, facets.name, stored] as const
    const row = posting.get(...of)
    if (row === undefined) return
    const left = positionsAt(row)
      .offsets(0, runEntries)
      .filter((offset) => offset !== sequence % runEntries)
    if (left.length === 0) remove.run(...of)
    else save.run(Positions.column(left), ...of)
  }
}
