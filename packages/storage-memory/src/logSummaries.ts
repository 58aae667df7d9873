import {
  summariesCursor,
  summaryRowsMax,
  type CauseRow,
  type LogSummaries,
  type ShapedTypeRow,
  type TypeName,
} from "@inlethq/core/ports/LogSummaries"
import type { Page } from "@inlethq/core/values/Page"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { advance } from "./cursors.ts"
import type { MemorySummaries, MemoryState } from "./MemoryState.ts"

/** Stores in memory what the entries of each log have in common. */
export const logSummaries = ({
  cursors,
  deleted,
  summaries,
}: MemoryState["Service"]): LogSummaries["Service"] => {
  const of = (workspace: WorkspaceId): MemorySummaries =>
    summaries.get(workspace) ?? { types: new Map(), causes: new Map() }
  const shapedTypes = (workspace: WorkspaceId, kind: string | null, after: TypeName | null) =>
    pageOf(
      [...of(workspace).types.values()]
        .filter((row) => (kind === null || row.kind === kind) && (after === null || byName(row, after) > 0))
        .toSorted(byName),
      ({ kind: its, name }) => ({ kind: its, name }),
    )
  return {
    types: (workspace, kind, after) =>
      Effect.sync(() => {
        const place = after === null || kind === null ? after : { kind, name: after.name }
        const { items, next } = shapedTypes(workspace, kind, place)
        return { items: items.map(({ doc, kind: its, name }) => ({ kind: its, name, doc })), next }
      }),
    shapedTypes: (workspace, after) => Effect.sync(() => shapedTypes(workspace, null, after)),
    type: (workspace, name) => Effect.sync(() => of(workspace).types.get(keyOf(name)) ?? null),
    causes: (workspace, after) =>
      Effect.sync(() =>
        pageOf<CauseRow, string>(
          [...of(workspace).causes.values()]
            .filter(({ cause }) => after === null || cause > after)
            .toSorted((a, b) => (a.cause < b.cause ? -1 : 1)),
          ({ cause }) => cause,
        ),
      ),
    commit: ({ causes, forgottenCauses, to, token, types, workspace }) =>
      Effect.sync(() => {
        if (deleted.has(workspace)) return false
        if (!advance(cursors, summariesCursor(workspace), to, token)) return false
        const known = of(workspace)
        for (const row of types) known.types.set(keyOf(row), row)
        for (const row of causes) known.causes.set(row.cause, row)
        for (const cause of forgottenCauses) known.causes.delete(cause)
        summaries.set(workspace, known)
        return true
      }),
  }
}

const keyOf = ({ kind, name }: TypeName): string => JSON.stringify([kind, name])

const byName = (a: TypeName, b: TypeName): number =>
  a.kind === b.kind ? (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) : a.kind < b.kind ? -1 : 1

const pageOf = <Item extends ShapedTypeRow | CauseRow, Place>(
  found: ReadonlyArray<Item>,
  placeOf: (item: Item) => Place,
): Page<Item, Place> => {
  const items = found.slice(0, summaryRowsMax)
  const last = items.at(-1)
  return { items, next: found.length > items.length && last !== undefined ? placeOf(last) : null }
}
