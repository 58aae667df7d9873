import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { ActivityCursor } from "@inlethq/contract/values/Cursor"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { cliTexts } from "../../texts/cliTexts.ts"
import { CommandFailed } from "../../texts/commandErrors.ts"
import { pageFlags, type PageFlags } from "../../flags/flags.ts"
import { outcomeStyles, whatOf, whoOf } from "../../output/entryLine.ts"
import { drawExplanation } from "../../output/explanationPage.ts"
import { printNote } from "../../output/note.ts"
import type { Column } from "../../output/table.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { show } from "../../server/show.ts"
import { showList } from "../../server/showList.ts"

const columns: ReadonlyArray<Column<ActivityDocument>> = [
  { heading: "OPERATION", text: ({ operation_id }) => operation_id },
  { heading: "OUTCOME", text: ({ outcome }) => outcome, style: ({ outcome }) => outcomeStyles[outcome] },
  { heading: "WHAT", text: whatOf, shrinks: true },
  { heading: "WHO", text: whoOf, shrinks: true },
  { heading: "REASON", text: ({ reason }) => reason ?? "", shrinks: true },
]

/** The outcomes that somebody may want to have explained, because the call did not do all that it asked for. */
const problems: ReadonlySet<string> = new Set(["rejected", "dropped", "partial", "ignored"])

/** Lists the operations of a batch with their outcomes, in the order of the batch. */
const listBatch = Effect.fnUntraced(function* (
  operation: string,
  page: PageFlags<typeof ActivityCursor.Type>,
) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const params = { w: workspace, operation_id: operation }
  let problem: string | undefined
  yield* showList(
    page,
    (query) =>
      Effect.tap(
        client.activity.request({ params, query, responseMode: "decoded-and-response" }),
        ([{ items }]) =>
          Effect.sync(() => {
            problem ??= items.find(({ outcome }) => problems.has(outcome))?.operation_id
          }),
      ),
    columns,
    { empty: "No operations", hint: null },
  )
  const [what, id] = problem === undefined ? ["item", `${operation}-0`] : ["problem", problem]
  yield* printNote(`This id names a batch. To explain its first ${what}: inlet why ${id}`)
})

export const whyCommand = Command.make(
  "why",
  {
    operation: Argument.String("operation_id").pipe(
      Argument.withDescription(
        "The id from `inlet tail`, or from the Inlet-Operation-Id header of an answer",
      ),
    ),
    ...pageFlags(ActivityCursor),
  },
  Effect.fnUntraced(function* ({ operation, ...page }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const params = { w: workspace, operation_id: operation.trim() }
    const [entry, response] = yield* Effect.catchTag(
      client.activity.operation({ params, responseMode: "decoded-and-response" }),
      "NotFound",
      () =>
        new CommandFailed({
          message: cliTexts.operationNotFound({ operation: params.operation_id, workspace }),
        }),
    )
    // For the id of a batch, the API answers with the first item, whose own id ends in its index.
    if (entry.operation_id !== params.operation_id) return yield* listBatch(params.operation_id, page)
    yield* show(Effect.succeed([entry, response] as const), (operation, screen) =>
      drawExplanation(screen, operation),
    )
  }, onServer),
).pipe(
  Command.withDescription(
    "Explain what was decided about an operation, which rule decided, and what to do; for a batch, list its operations",
  ),
  Command.withExamples([
    { command: "inlet why op11000000002", description: "One operation" },
    { command: "inlet why op11000000007-3", description: "The fourth item of a batch" },
    {
      command: "inlet why op11000000007 --all",
      description: "The outcomes of all items of a batch, by the id in its header",
    },
  ]),
)
