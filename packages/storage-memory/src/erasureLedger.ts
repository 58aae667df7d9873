import { byPlace } from "@inlet/core/ledger/ErasureRecord"
import { ErasureLedger, erasureReadMax } from "@inlet/core/ports/ErasureLedger"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

/** Stores the erasure ledger in memory. */
export const erasureLedger = Layer.effect(
  ErasureLedger,
  Effect.map(MemoryState, ({ erasures }) =>
    ErasureLedger.of({
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
    }),
  ),
)
