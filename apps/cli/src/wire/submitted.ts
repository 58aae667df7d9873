import type { ActivityDocument } from "@inlet/api/management/ActivityLog"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Console, Effect } from "effect"
import { cliTexts } from "../cliTexts.ts"
import { inlet } from "../inlet.ts"
import { drawEntry } from "../output/entryLine.ts"
import { currentScreen } from "../output/Screen.ts"
import { Connection } from "../server/Connection.ts"
import { CommandFailed } from "../server/onServer.ts"
import { callIngestion, orRefused, type IngestionCall } from "./callIngestion.ts"

/**
 * Sends one operation to an ingestion API and prints its entry of the activity log, because the answer of the API does not
 * say what was applied. Fails if the operation had no effect.
 */
export const submit = Effect.fnUntraced(function* (call: IngestionCall) {
  const { json } = yield* inlet
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const { operationId } = yield* Effect.flatMap(callIngestion(call), orRefused)
  if (operationId === null) return
  const [entry, response] = yield* client.activity.operation({
    params: { w: workspace, operation_id: operationId },
    responseMode: "decoded-and-response",
  })
  yield* json ? Console.log(yield* response.text) : Console.log(drawEntry(yield* currentScreen, entry))
  yield* orIneffective(entry)
})

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
