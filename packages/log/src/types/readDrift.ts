import {
  LogSummaries,
  type ShapedTypeRow,
  type TypeName,
  type TypeRow,
} from "@inlethq/core/ports/LogSummaries"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Slices } from "@inlethq/core/Slices"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Effect } from "effect"
import { Counted } from "./Counted.ts"
import { driftOfNames, driftOfShape, type Drift, type DriftSince, type SummarizedName } from "./driftOf.ts"
import { shownPaths } from "./shownPaths.ts"
import type { Shown } from "./sightings.ts"
import type { TypeSummary } from "./TypeSummary.ts"
import { storedTypeFrom, typeFromRow } from "./WorkspaceSummaries.ts"

/** The rows that are read before other work may use the thread. */
const rowsPerSlice = 10

/** What is needed to read changes. */
export interface DriftSource {
  readonly summaries: LogSummaries["Service"]
  readonly registry: Pick<Registry["Service"], "senders">
  readonly turns: ReadTurns
}

/** Reads rows in slices. */
export function* inSlices<Row, A>(rows: ReadonlyArray<Row>, read: (row: Row) => A): Slices<ReadonlyArray<A>> {
  const found: Array<A> = []
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerSlice === rowsPerSlice - 1) yield
    found.push(read(row))
  }
  return found
}

/** Returns all changes since a time or a position. Only shapes that changed since then are looked at. */
export const readDrift = Effect.fnUntraced(function* (
  { summaries, turns }: DriftSource,
  shown: Shown,
  since: DriftSince,
  now: number,
): Effect.fn.Return<ReadonlyArray<Drift>, StoreUnavailable> {
  const names: Array<SummarizedName> = []
  const found: Array<Drift> = []
  const read = (row: ShapedTypeRow): void => {
    const stored = storedTypeFrom(row)
    names.push({ kind: row.kind, name: row.name, stored })
    const isUnchanged = "time" in since && stored.changedAt < since.time
    if (!isUnchanged) found.push(...driftOfShape(shown, row, typeFromRow(row), since))
  }
  let after: TypeName | null = null
  do {
    const page: Page<ShapedTypeRow, TypeName> = yield* summaries.shapedTypes(shown.workspace, after)
    yield* turns.work(() => inSlices(page.items, read))
    after = page.next
  } while (after !== null)
  const ofNames = yield* turns.work(function* () {
    return driftOfNames(shown, names, since, now)
  })
  return [...ofNames, ...found]
})

/** Positions of the log: those after one, up to another. */
export interface PositionRange {
  readonly after: number
  readonly to: number
}

/**
 * Returns what each operation of a part of the log has changed, in the order of the log. It is the same however the log is
 * divided into parts. That a name became silent is no operation's change, and left out. If `known` is given, the changes are
 * known to be about these names, and no other name is read.
 */
export const driftInRange = Effect.fnUntraced(function* (
  source: DriftSource,
  workspace: WorkspaceId,
  range: PositionRange,
  known?: ReadonlyArray<TypeName>,
): Effect.fn.Return<ReadonlyArray<Drift>, StoreUnavailable> {
  const { summaries, turns } = source
  const shown = { workspace, senders: yield* source.registry.senders(workspace) }
  const names = yield* readNames(source, workspace, known)
  const found: Array<Drift> = yield* turns.work(function* () {
    return driftOfNames(shown, names, { position: range.after }, Number.NEGATIVE_INFINITY).filter(
      ({ seen }) => isIn(range, seen.position),
    )
  })
  for (const name of names) {
    const { first, last } = Counted.from(name.stored.count)
    if (last.position <= range.after || first.position > range.to) continue
    const row = yield* summaries.type(workspace, name)
    if (row === null) continue
    found.push(...(yield* turns.work(() => shapeDrift(shown, row, typeFromRow(row), range))))
  }
  return found.toSorted((a, b) => a.seen.position - b.seen.position)
})

/** Returns the names that became silent from one time, exclusive, to another, the earliest first; of all names, or of `known`. */
export const silentBetween = Effect.fnUntraced(function* (
  source: DriftSource,
  workspace: WorkspaceId,
  { after, to }: { readonly after: number; readonly to: number },
  known?: ReadonlyArray<TypeName>,
): Effect.fn.Return<ReadonlyArray<Drift>, StoreUnavailable> {
  const names = yield* readNames(source, workspace, known)
  const shown = { workspace, senders: yield* source.registry.senders(workspace) }
  return yield* source.turns.work(function* () {
    return driftOfNames(shown, names, { time: after + 1 }, to)
      .filter(({ document }) => document.change === "silent")
      .toSorted((a, b) => (a.document.at < b.document.at ? -1 : 1))
  })
})

const isIn = ({ after, to }: PositionRange, position: number): boolean => position > after && position <= to

const readNames = Effect.fnUntraced(function* (
  { summaries, turns }: DriftSource,
  workspace: WorkspaceId,
  known: ReadonlyArray<TypeName> | undefined,
): Effect.fn.Return<ReadonlyArray<SummarizedName>, StoreUnavailable> {
  const names: Array<SummarizedName> = []
  if (known !== undefined) {
    for (const { kind, name } of known) {
      const row = yield* summaries.type(workspace, { kind, name })
      if (row !== null) names.push({ kind, name, stored: storedTypeFrom(row) })
    }
    return names
  }
  let after: TypeName | null = null
  do {
    const page: Page<TypeRow, TypeName> = yield* summaries.types(workspace, null, after)
    const read = yield* turns.work(() =>
      inSlices(page.items, (row) => ({ kind: row.kind, name: row.name, stored: storedTypeFrom(row) })),
    )
    names.push(...read)
    after = page.next
  } while (after !== null)
  return names
})

/** Returns the changes of a shape, each compared with what was before its own operation. */
function* shapeDrift(
  shown: Shown,
  name: TypeName,
  summary: TypeSummary,
  range: PositionRange,
): Slices<ReadonlyArray<Drift>> {
  const positions = new Set<number>()
  for (const { path } of shownPaths(summary.shape)) {
    const seen = [path.shared ?? path.first, ...Array.from(path.types.values(), ({ first }) => first)]
    if (path.missing !== null) seen.push(path.missing)
    for (const { position } of seen) if (isIn(range, position)) positions.add(position)
  }
  const found: Array<Drift> = []
  for (const position of positions) {
    yield
    const changes = driftOfShape(shown, name, summary, { position: position - 1 })
    found.push(...changes.filter(({ seen }) => seen.position === position))
  }
  return found
}
