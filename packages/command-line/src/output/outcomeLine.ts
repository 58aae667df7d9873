import { Outcome } from "@inlethq/core/log/Outcome"
import { Schema } from "effect"
import { outcomeStyles } from "./entryLine.ts"
import { paint, type Screen } from "./Screen.ts"
import { printable } from "./text.ts"

/** The outcome of one call, in an answer of the Pipelines API. */
export const ListedOutcome = Schema.Struct({
  operation_id: Schema.NullOr(Schema.String),
  outcome: Outcome,
  reason: Schema.NullOr(Schema.String),
  rule: Schema.NullOr(Schema.String),
})
type ListedOutcome = typeof ListedOutcome.Type

/** Draws the outcome of a call as one line. The outcome is null if the server does not list outcomes. */
export const drawOutcome = (
  screen: Screen,
  call: Omit<ListedOutcome, "outcome"> & { readonly outcome: Outcome | null },
): string => {
  const { operation_id, outcome, reason, rule } = call
  return [
    outcome === null ? "accepted" : paint(screen, outcomeStyles[outcome], outcome),
    ...(operation_id === null ? [] : [operation_id]),
    ...(reason === null ? [] : [paint(screen, outcomeStyles[outcome ?? "applied"], printable(reason))]),
    ...(reason === null || rule === null ? [] : [paint(screen, "dim", `(${rule})`)]),
  ].join("  ")
}
