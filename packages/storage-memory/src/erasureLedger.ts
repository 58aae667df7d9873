import { noErasedRows } from "@inlethq/core/ledger/ErasedRows"
import { byPlace, type ErasurePlace } from "@inlethq/core/ledger/ErasureRecord"
import {
  ErasureLedger,
  erasingMax,
  erasureReadMax,
  unsealedMax,
  type LedgerPlace,
} from "@inlethq/core/ports/ErasureLedger"
import { lakeCursor } from "@inlethq/core/ports/LakeFiles"
import { summariesCursor } from "@inlethq/core/ports/LogSummaries"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Layer } from "effect"
import { followedTo } from "./cursors.ts"
import { MemoryState } from "./MemoryState.ts"

/** Stores the erasure ledger in memory. */
export const erasureLedger = Layer.effect(
  ErasureLedger,
  Effect.map(MemoryState, ({ cursors, erased, erasures, islands, lakes, receipts }) =>
    ErasureLedger.of({
      medium: "memory",
      workspaces: Effect.sync(() =>
        [...new Set(erasures.map(({ workspace }) => workspace))].toSorted((a, b) => a - b),
      ),
      read: (wanted, { after, limit, order }) =>
        Effect.sync(() => {
          const direction = order === "asc" ? 1 : -1
          const found = erasures
            .filter(({ workspace }) => workspace === wanted)
            .toSorted((a, b) => direction * byPlace(a, b))
            .filter((record) => after === null || direction * byPlace(record, after) > 0)
          const items = found.slice(0, Math.min(limit, erasureReadMax))
          const last = items.at(-1)
          const hasMore = last !== undefined && found.length > items.length
          return { items, next: hasMore ? { at: last.at, position: last.position } : null }
        }),
      unsealed: (before) =>
        Effect.sync(() => {
          const left = erasures
            .filter(
              (record) => record.action !== "unsuppress" && !receipts.has(nameOf(record.workspace, record)),
            )
            .filter((record) => before === null || byLedgerPlace(record, before) < 0)
            .toSorted((a, b) => byLedgerPlace(b, a))
          const looked = left.slice(0, unsealedMax)
          const last = looked.at(-1)
          const items = looked.filter(({ position, workspace }) => {
            const isUnread = [lakeCursor(workspace), summariesCursor(workspace)].some((cursor) => {
              const readTo = followedTo(cursors, cursor)
              return readTo !== null && readTo < position
            })
            return !isUnread && lakes.get(workspace)?.erasures.has(position) !== true
          })
          return { items, next: left.length > looked.length && last !== undefined ? last : null }
        }),
      erasing: (workspace) =>
        Effect.sync(() =>
          [...(islands.get(workspace)?.everything.subjects.values() ?? [])]
            .flatMap(({ _tag, key }) => (_tag === "Erased" ? [key] : []))
            .slice(0, erasingMax),
        ),
      isOverwritten: Effect.succeed(false),
      overwriting: Effect.succeed(null),
      erased: (workspace, place) => Effect.sync(() => erased.get(nameOf(workspace, place)) ?? noErasedRows),
      receipt: (workspace, place) => Effect.sync(() => receipts.get(nameOf(workspace, place)) ?? null),
      seal: (workspace, place, receipt) =>
        Effect.sync(() => {
          const name = nameOf(workspace, place)
          if (!receipts.has(name)) receipts.set(name, receipt)
          lakes.get(workspace)?.rewrites.delete(place.position)
        }),
    }),
  ),
)

const byLedgerPlace = (a: LedgerPlace, b: LedgerPlace): number =>
  a.at - b.at || a.workspace - b.workspace || a.position - b.position

/** Returns the name of a record of the ledger, in all workspaces. */
export const nameOf = (workspace: WorkspaceId, { at, position }: ErasurePlace): string =>
  `${workspace}:${at}:${position}`
