import { text, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { OffsetBitmap } from "./OffsetBitmap.ts"
import { runEntries, runOf } from "./runs.ts"

/**
 * Facets index the log by kind, outcome and name. Each run (4096 consecutive log positions) has, for each workspace and
 * value, a bitmap of the entries with that value. A filtered read looks at a few bitmaps of a run instead of all its
 * entries.
 */
const facets = { kind: 1, outcome: 2, name: 3, nameHash: 4 } as const

/**
 * The most names of a workspace that one run indexes individually. If a run has more names, it indexes them by hash
 * instead.
 */
export const listedNamesMax = 1024

/** The number of different hashes of names. */
const nameHashes = 1024

/** Returns the FNV-1a hash of a name. */
const hashOf = (name: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % nameHashes
}

/** The entries of one workspace in one run (4096 consecutive log positions), grouped by kind, outcome and name. */
export interface Facets {
  /** Returns the entries of one of the kinds. */
  ofKinds(kinds: ReadonlyArray<number>): OffsetBitmap
  /** Returns the entries with one of the outcomes. */
  ofOutcomes(outcomes: ReadonlyArray<number>): OffsetBitmap
  /** Returns all entries. */
  ofAny(): OffsetBitmap
  /**
   * Returns the entries with a name. If the run has too many names, entries of other names with the same hash are
   * included.
   */
  ofName(stored: string): OffsetBitmap
  /**
   * Returns the entries with a wanted name, and the number of names that were checked. Returns undefined if the run has
   * too many names.
   */
  ofNames(
    wanted: (stored: string) => boolean,
  ): { readonly positions: OffsetBitmap; readonly names: number } | undefined
}

/** Reads the facets of runs. */
export const readFacets = (database: Database): ((workspace: number, run: number) => Facets) => {
  const ofValue = database.prepareByPlace(
    "SELECT positions FROM facets WHERE run = ? AND workspace = ? AND facet = ? AND value = ?",
  )
  const ofFacet = database.prepareByPlace(
    "SELECT positions, value FROM facets WHERE run = ? AND workspace = ? AND facet = ?",
  )
  return (workspace, run) => {
    const union = (facet: number, values: ReadonlyArray<number | string>, into = new OffsetBitmap()) => {
      for (const value of values) {
        const row = ofValue.get(run, workspace, facet, value)
        if (row !== undefined) into.addAll(bitmapAt(row))
      }
      return into
    }
    return {
      ofKinds: (kinds) => union(facets.kind, kinds),
      ofOutcomes: (outcomes) => union(facets.outcome, outcomes),
      ofAny: () => {
        const all = new OffsetBitmap()
        for (const row of ofFacet.all(run, workspace, facets.outcome)) all.addAll(bitmapAt(row))
        return all
      },
      ofName: (stored) => union(facets.nameHash, [hashOf(stored)], union(facets.name, [stored])),
      ofNames: (wanted) => {
        if (ofFacet.get(run, workspace, facets.nameHash) !== undefined) return undefined
        const positions = new OffsetBitmap()
        let names = 0
        for (const row of ofFacet.iterate(run, workspace, facets.name)) {
          names++
          if (wanted(text(row[1]))) positions.addAll(bitmapAt(row))
        }
        return { positions, names }
      },
    }
  }
}

const bitmapAt = (row: Row): OffsetBitmap => OffsetBitmap.read(bytes(row[0]))

const bytes = (column: Row[string]): Uint8Array => {
  if (column instanceof Uint8Array) return column
  throw new TypeError("a column of the database must hold bytes")
}

/** For each kind, outcome and name, the offsets of a workspace's entries in a run. */
interface Collected {
  readonly kinds: Map<number, Array<number>>
  readonly outcomes: Map<number, Array<number>>
  readonly names: Map<string, Array<number>>
}

/** Indexes a run by kind, outcome and name. Replaces an earlier index of the run. */
export const indexFacets = (database: Database): ((run: number) => void) => {
  // Reading one row of five JSON arrays takes half the time of reading thousands of rows.
  const columns = database.prepareByPlace(`
    SELECT json_group_array(sequence), json_group_array(workspace), json_group_array(kind),
      json_group_array(outcome), json_group_array(name)
    FROM activity WHERE sequence >= ? AND sequence < ?`)
  const clear = database.prepare("DELETE FROM facets WHERE run = ?")
  const insert = database.prepare(
    "INSERT INTO facets (run, workspace, facet, value, positions) VALUES (?, ?, ?, ?, ?)",
  )
  const addRun = database.prepare("INSERT OR IGNORE INTO workspace_runs (workspace, run) VALUES (?, ?)")

  const save = (
    workspace: number,
    run: number,
    facet: number,
    values: ReadonlyMap<number | string, ReadonlyArray<number>>,
  ): void => {
    for (const [value, offsets] of values)
      insert.run(run, workspace, facet, value, OffsetBitmap.column(offsets))
  }

  return (run) => {
    const row = columns.get(run * runEntries, (run + 1) * runEntries)
    const collected = row === undefined ? new Map<number, Collected>() : collect(row, run * runEntries)
    clear.run(run)
    for (const [workspace, { kinds, names, outcomes }] of collected) {
      addRun.run(workspace, run)
      save(workspace, run, facets.kind, kinds)
      save(workspace, run, facets.outcome, outcomes)
      if (names.size <= listedNamesMax) save(workspace, run, facets.name, names)
      else save(workspace, run, facets.nameHash, hashed(names))
    }
  }
}

/** Groups the entries of a run by workspace, and within a workspace by kind, outcome and name. */
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

/**
 * Removes an erased entry from the index of its name. The indexes of its kind and outcome stay unchanged, since they
 * reveal nothing.
 */
export const removeName = (
  database: Database,
): ((workspace: number, sequence: number, stored: string) => void) => {
  const key = "WHERE run = ? AND workspace = ? AND facet = ? AND value = ?"
  const read = database.prepareByPlace(`SELECT positions FROM facets ${key}`)
  const remove = database.prepare(`DELETE FROM facets ${key}`)
  const save = database.prepare(`UPDATE facets SET positions = ? ${key}`)
  return (workspace, sequence, stored) => {
    const run = runOf(sequence)
    const of = [run, workspace, facets.name, stored] as const
    const row = read.get(...of)
    if (row === undefined) return
    const left = bitmapAt(row)
      .offsets(0, runEntries)
      .filter((offset) => offset !== sequence % runEntries)
    if (left.length === 0) remove.run(...of)
    else save.run(OffsetBitmap.column(left), ...of)
  }
}
