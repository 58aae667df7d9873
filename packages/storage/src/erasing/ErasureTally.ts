import { addErasedRows, noErasedRows, type ErasedRows } from "@inlethq/core/ledger/ErasedRows"
import type { ErasurePlace } from "@inlethq/core/ledger/ErasureRecord"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import type { ErasureQueries } from "./ErasureQueries.ts"

/** Counts what a step of housekeeping erases of one deleted subject. */
export class ErasureTally {
  private rows = noErasedRows

  add(rows: Partial<ErasedRows>): void {
    this.rows = addErasedRows(this.rows, { ...noErasedRows, ...rows })
  }

  /** Counts entries at these positions. */
  addEntries(kind: "events" | "entries" | "mentions", sequences: ReadonlyArray<Sequence>): void {
    for (const sequence of sequences) this.add({ [kind]: 1, from: sequence, to: sequence })
  }

  /** Adds the counts to the row of the receipt, in the transaction of the step, and begins anew. */
  save<E>(
    { ask }: Pick<ErasureQueries<E>, "ask">,
    workspace: WorkspaceId,
    place: ErasurePlace | undefined,
  ): Effect.Effect<void, E> {
    const { rows } = this
    this.rows = noErasedRows
    if (place === undefined || rows === noErasedRows) return Effect.void
    const { answers, deliveries, entries, events, from, mentions, to } = rows
    return Effect.asVoid(
      ask.run(
        addSql,
        workspace,
        place.at,
        place.position,
        events,
        entries,
        mentions,
        deliveries,
        answers,
        from,
        to,
      ),
    )
  }
}

const addSql = `
  UPDATE erasure_receipts SET events = events + $4, entries = entries + $5, mentions = mentions + $6,
    deliveries = deliveries + $7, answers = answers + $8,
    first_entry = CASE WHEN first_entry <= $9 THEN first_entry ELSE coalesce($9, first_entry) END,
    last_entry = CASE WHEN last_entry >= $10 THEN last_entry ELSE coalesce($10, last_entry) END
  WHERE workspace = $1 AND at = $2 AND position = $3`
