import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, type Schema } from "effect"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { drawEntry } from "../output/entryLine.ts"
import { printable } from "../output/text.ts"
import { Connection } from "./Connection.ts"
import { show } from "./show.ts"

/** An operation in the format of the management API. */
interface Operation {
  readonly type: "person" | "object" | "segment"
  readonly action: string
  readonly [field: string]: Schema.Json
}

/**
 * Applies one operation through the management API and prints its log entry, and what it did in `sentences`. Fails if the
 * operation had no effect.
 */
export const applyOperation = Effect.fnUntraced(function* (
  operation: Operation,
  sentences: ReadonlyArray<string> = [],
) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const entry = yield* show(
    client.activity.apply({
      params: { w: workspace },
      payload: operation,
      responseMode: "decoded-and-response",
    }),
    (entry, screen) => [
      drawEntry(screen, entry),
      ...(hasEffect(entry.outcome) ? sentences.map(printable) : []),
    ],
  )
  yield* orIneffective(entry)
})

const hasEffect = (outcome: ActivityDocument["outcome"]): boolean =>
  outcome === "applied" || outcome === "partial"

/** Fails if an operation had no effect. */
export const orIneffective = ({
  operation_id,
  outcome,
}: Pick<ActivityDocument, "outcome"> & { readonly operation_id: string }): Effect.Effect<
  void,
  CommandFailed
> => {
  switch (outcome) {
    case "applied":
    case "created":
    case "duplicate":
    case "partial":
    case "pending":
      return Effect.void
    case "ignored":
    case "dropped":
    case "rejected":
      return Effect.fail(
        new CommandFailed({ message: cliTexts.ineffective({ outcome, operation: operation_id }) }),
      )
  }
}
