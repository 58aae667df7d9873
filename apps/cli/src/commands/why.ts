import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { drawExplanation } from "../output/explanationPage.ts"
import { Connection } from "../server/Connection.ts"
import { onServer } from "../server/onServer.ts"
import { show } from "../server/show.ts"

export const whyCommand = Command.make(
  "why",
  {
    operation: Argument.String("operation_id").pipe(
      Argument.withDescription(
        "The id from `inlet tail`, or from the Inlet-Operation-Id header of an answer",
      ),
    ),
  },
  Effect.fnUntraced(function* ({ operation }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const params = { w: workspace, operation_id: operation.trim() }
    const entry = yield* client.activity.operation({ params })
    yield* show(
      client.activity.explanation({ params, responseMode: "decoded-and-response" }),
      (explanation, screen) => drawExplanation(screen, entry, explanation),
    )
  }, onServer),
).pipe(
  Command.withDescription("Explain what was decided about an operation, which rule decided, and what to do"),
  Command.withExamples([
    { command: "inlet why op11000000002", description: "One operation" },
    { command: "inlet why op11000000007-3", description: "The fourth item of a batch" },
  ]),
)
