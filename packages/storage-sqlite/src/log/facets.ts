import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text, type Row } from "@inlethq/storage/columns/columns"
import { anyRuleCode, ruleCodes, textCodes, textHash } from "@inlethq/storage/columns/entryCodes"
import { noKind } from "@inlethq/storage/search/logCounts"
import type { Database, ReadDatabase } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowIdRange } from "../engine/rowIds.ts"
import { OffsetBitmap } from "./OffsetBitmap.ts"
import { runEntries, runOf, type Order } from "./runs.ts"

/**
 * Facets index the log by kind, outcome, name, rule, reason and anonymous id. For each run and each value, a bitmap
 * marks the entries with that value. To filter a run, a reader reads a few bitmaps instead of all entries.
 */
const facets = {
  kind: 1,
  outcome: 2,
  name: 3,
  nameHash: 4,
  rule: 5,
  reason: 6,
  anonymous: 7,
} as const

/**
 * The largest number of names that one run indexes individually. If a run has more names, the names are indexed by
 * their hashes instead.
 */
export const listedNamesMax = 1024

/** The codes of outcomes are smaller than this number. */
const outcomesPerKind = 16

/** The number of different hashes that a name can have. */
const nameHashes = 1024

const hashOf = (name: string): number => textHash(name) % nameHashes

/** Counts of log entries by kind (`noKind` without one) and outcome. */
export type ValueCounts = ReadonlyArray<readonly [kind: number, outcome: number, count: number]>

/** The entries of one run, grouped by the values of each facet. */
export interface Facets {
  /** Returns the entries of this run that have one of the given kinds. */
  ofKinds(kinds: ReadonlyArray<number>): OffsetBitmap
  /** Returns the entries of this run that have one of the given outcomes. */
  ofOutcomes(outcomes: ReadonlyArray<number>): OffsetBitmap
  /** Returns all entries of this run. */
  ofAny(): OffsetBitmap
  /**
   * Returns the entries of this run that have the given name. If the run has too many different names, the result also
   * includes entries with another name that has the same hash.
   */
  ofName(stored: string): OffsetBitmap
  /**
   * Returns the entries of this run with a name for which `wanted` returns true, and the number of names that were
   * checked. Returns undefined if the run has too many names to check.
   */
  ofNames(
    wanted: (stored: string) => boolean,
  ): { readonly positions: OffsetBitmap; readonly names: number } | undefined
  /**
   * Returns the entries with one of these codes of rules (`ruleCode`), and those that every search must look at
   * (`anyRuleCode`). So do `ofReasons`, `ofAnyReason` and `ofAnonymousIds`.
   */
  ofRules(codes: ReadonlyArray<number>): OffsetBitmap
  ofReasons(codes: ReadonlyArray<number>): OffsetBitmap
  ofAnyReason(): OffsetBitmap
  ofAnonymousIds(codes: ReadonlyArray<number>): OffsetBitmap
  /** Counts the entries of this run at the offsets from `first` up to but not including `end`. */
  countWithin(first: number, end: number): ValueCounts
}

/**
 * Returns a function that reads the facets of a run: its entries by their values. A run is 4096 consecutive
 * log positions.
 */
export const readFacets = (database: ReadDatabase): ((workspace: WorkspaceId, run: number) => Facets) => {
  const ofValue = database.prepareByPlace(
    "SELECT positions FROM facets WHERE workspace = ? AND run = ? AND facet = ? AND value = ?",
  )
  const ofFacet = database.prepareByPlace(
    "SELECT positions, value FROM facets WHERE workspace = ? AND run = ? AND facet = ?",
  )
  return (workspace, run) => {
    const union = (facet: number, values: ReadonlyArray<number | string>, into = new OffsetBitmap()) => {
      for (const value of values) {
        const row = ofValue.get(workspace, run, facet, value)
        if (row !== undefined) into.addAll(bitmapAt(row))
      }
      return into
    }
    return {
      ofKinds: (kinds) => union(facets.kind, kinds),
      ofOutcomes: (outcomes) => union(facets.outcome, outcomes),
      ofAny: () => {
        const all = new OffsetBitmap()
        for (const row of ofFacet.all(workspace, run, facets.outcome)) all.addAll(bitmapAt(row))
        return all
      },
      ofName: (stored) => union(facets.nameHash, [hashOf(stored)], union(facets.name, [stored])),
      ofNames: (wanted) => {
        if (ofFacet.get(workspace, run, facets.nameHash) !== undefined) return undefined
        const positions = new OffsetBitmap()
        let names = 0
        for (const row of ofFacet.iterate(workspace, run, facets.name)) {
          names++
          if (wanted(text(row[1]))) positions.addAll(bitmapAt(row))
        }
        return { positions, names }
      },
      ofRules: (codes) => union(facets.rule, [anyRuleCode, ...codes]),
      ofReasons: (codes) => union(facets.reason, codes, union(facets.rule, [anyRuleCode])),
      ofAnyReason: () => {
        const all = union(facets.rule, [anyRuleCode])
        for (const row of ofFacet.all(workspace, run, facets.reason)) all.addAll(bitmapAt(row))
        return all
      },
      ofAnonymousIds: (codes) => union(facets.anonymous, codes, union(facets.rule, [anyRuleCode])),
      countWithin: (first, end) => {
        const kinds = bitmapsOf(ofFacet.all(workspace, run, facets.kind))
        return bitmapsOf(ofFacet.all(workspace, run, facets.outcome)).flatMap(([outcome, positions]) => {
          const counted = kinds.map(
            ([kind, ofKind]) => [kind, outcome, positions.countShared(ofKind, first, end)] as const,
          )
          const withKind = counted.reduce((sum, [, , count]) => sum + count, 0)
          return [
            ...counted,
            [noKind, outcome, positions.countShared(positions, first, end) - withKind] as const,
          ]
        })
      },
    }
  }
}

/**
 * Returns a function that finds, from a run on and in an order, the next indexed run with entries of a name, or of
 * another name with the same hash. If there is none, it returns the run after the last one in that order.
 */
export const readNamedRuns = (
  database: ReadDatabase,
): ((workspace: WorkspaceId, stored: string, from: number, order: Order) => number) => {
  const headOf = readHead(database)
  const next = (facet: number, order: Order) =>
    database.prepareByPlace(`
      SELECT run FROM facets WHERE workspace = ? AND facet = ${facet} AND value = ?
        AND run ${order === "asc" ? ">=" : "<="} ? ORDER BY run ${order} LIMIT 1`)
  const statements = {
    asc: { name: next(facets.name, "asc"), hash: next(facets.nameHash, "asc") },
    desc: { name: next(facets.name, "desc"), hash: next(facets.nameHash, "desc") },
  }
  return (workspace, stored, from, order) => {
    const { hash, name } = statements[order]
    const found = [name.get(workspace, stored, from), hash.get(workspace, hashOf(stored), from)].flatMap(
      (row) => (row === undefined ? [] : [integer(row[0])]),
    )
    return order === "asc" ? Math.min(headOf(workspace).indexedRuns, ...found) : Math.max(-1, ...found)
  }
}

const bitmapsOf = (
  rows: ReadonlyArray<Row>,
): ReadonlyArray<readonly [value: number, positions: OffsetBitmap]> =>
  rows.map((row) => [integer(row[1]), bitmapAt(row)])

const bitmapAt = (row: Row): OffsetBitmap => OffsetBitmap.read(bytes(row[0]))

const bytes = (column: Row[string]): Uint8Array => {
  if (column instanceof Uint8Array) return column
  throw new TypeError("a column of the database must hold bytes")
}

/** The offsets of the entries of a run, grouped by the values of each facet. */
interface Collected {
  readonly kinds: Map<number, Array<number>>
  readonly outcomes: Map<number, Array<number>>
  readonly names: Map<string, Array<number>>
  readonly rules: Map<number, Array<number>>
  readonly reasons: Map<number, Array<number>>
  readonly anonymousIds: Map<number, Array<number>>
}

/** Returns a function that indexes a run by all facets and counts it. The new index replaces an earlier index of the run. */
export const indexFacets = (database: Database): ((workspace: WorkspaceId, run: number) => void) => {
  // Reading all values as one row of few JSON arrays takes a fraction of the time of reading thousands of rows.
  const columns = database.prepareByPlace(`
    SELECT json_group_array(id - ?1), json_group_array(name), json_group_array(
        (ifnull(kind, ${noKind}) * ${outcomesPerKind} + outcome) * ${ruleCodes} + ifnull(rule_code, ${anyRuleCode})),
      json_group_array((id - ?1) * ${textCodes} + reason_code) FILTER (WHERE reason_code IS NOT NULL),
      json_group_array((id - ?1) * ${textCodes} + anonymous_code) FILTER (WHERE anonymous_code IS NOT NULL)
    FROM activity WHERE id >= ?1 AND id < ?2`)
  const clear = database.prepare("DELETE FROM facets WHERE workspace = ? AND run = ?")
  const count = countRun(database)
  const insert = database.prepare(
    "INSERT INTO facets (workspace, run, facet, value, positions) VALUES (?, ?, ?, ?, ?)",
  )

  const save = (
    workspace: WorkspaceId,
    run: number,
    facet: number,
    values: ReadonlyMap<number | string, ReadonlyArray<number>>,
  ): void => {
    for (const [value, offsets] of values)
      insert.run(workspace, run, facet, value, OffsetBitmap.column(offsets))
  }

  return (workspace, run) => {
    const row = columns.get(...rowIdRange(workspace, run * runEntries, (run + 1) * runEntries))
    clear.run(workspace, run)
    count(workspace, run)
    if (row === undefined) return
    const { anonymousIds, kinds, names, outcomes, reasons, rules } = collect(row)
    save(workspace, run, facets.kind, kinds)
    save(workspace, run, facets.outcome, outcomes)
    save(workspace, run, facets.rule, rules)
    save(workspace, run, facets.reason, reasons)
    save(workspace, run, facets.anonymous, anonymousIds)
    if (names.size <= listedNamesMax) save(workspace, run, facets.name, names)
    else save(workspace, run, facets.nameHash, hashed(names))
  }
}

/** Returns a function that counts a run in `log_counts`. */
const countRun = (database: Database): ((workspace: WorkspaceId, run: number) => void) => {
  const clear = database.prepare("DELETE FROM log_counts WHERE workspace = ? AND block = ?")
  const insert = database.prepare(`
    INSERT INTO log_counts (workspace, block, kind, outcome, earliest, latest, entries)
    SELECT ?1, ?2, ifnull(kind, ${noKind}), outcome, min(received), max(received), count(*)
    FROM activity WHERE id >= ?3 AND id < ?4 GROUP BY 3, 4`)
  return (workspace, run) => {
    clear.run(workspace, run)
    insert.run(workspace, run, ...rowIdRange(workspace, run * runEntries, (run + 1) * runEntries))
  }
}

/** Groups the entries of a run by the values of each facet. */
const collect = (row: Row): Collected => {
  const found = {
    kinds: new Map<number, Array<number>>(),
    outcomes: new Map<number, Array<number>>(),
    names: new Map<string, Array<number>>(),
    rules: new Map<number, Array<number>>(),
    reasons: new Map<number, Array<number>>(),
    anonymousIds: new Map<number, Array<number>>(),
  }
  const names: ReadonlyArray<string | null> = JSON.parse(text(row[1]))
  const decisions = numbersIn(row[2])
  numbersIn(row[0]).forEach((offset, i) => {
    const decision = decisions[i] ?? 0
    const before = Math.floor(decision / ruleCodes)
    const kind = Math.floor(before / outcomesPerKind)
    const name = names[i]
    if (kind !== noKind) add(found.kinds, kind, offset)
    add(found.outcomes, before % outcomesPerKind, offset)
    add(found.rules, decision % ruleCodes, offset)
    if (typeof name === "string") add(found.names, name, offset)
  })
  for (const reason of numbersIn(row[3])) addCode(found.reasons, reason)
  for (const anonymousId of numbersIn(row[4])) addCode(found.anonymousIds, anonymousId)
  return found
}

const numbersIn = (column: Row[number]): ReadonlyArray<number> => JSON.parse(text(column))

/** Adds an entry by its offset and the code of a text, which `columns` reads as one number. */
const addCode = (to: Map<number, Array<number>>, offsetAndCode: number): void =>
  add(to, offsetAndCode % textCodes, Math.floor(offsetAndCode / textCodes))

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
 * Removes an erased entry from the index of its name. The indexes of its kind and outcome stay unchanged, because kinds
 * and outcomes are not personal data.
 */
export const removeName = (
  database: Database,
): ((workspace: WorkspaceId, sequence: Sequence, stored: string) => void) => {
  const key = "WHERE workspace = ? AND run = ? AND facet = ? AND value = ?"
  const read = database.prepareByPlace(`SELECT positions FROM facets ${key}`)
  const remove = database.prepare(`DELETE FROM facets ${key}`)
  const save = database.prepare(`UPDATE facets SET positions = ? ${key}`)
  return (workspace, sequence, stored) => {
    const run = runOf(sequence)
    const of = [workspace, run, facets.name, stored] as const
    const row = read.get(...of)
    if (row === undefined) return
    const left = bitmapAt(row)
      .offsets(0, runEntries)
      .filter((offset) => offset !== sequence % runEntries)
    if (left.length === 0) remove.run(...of)
    else save.run(OffsetBitmap.column(left), ...of)
  }
}
