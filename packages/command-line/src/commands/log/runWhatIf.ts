import type { NewWhatIf, WhatIfDocument } from "@inlethq/contract/trial/WhatIf"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Schedule } from "effect"
import { clearProgress, showProgressLine } from "../../output/progressBar.ts"
import { count } from "../../output/text.ts"
import { drawWhatIf } from "../../output/whatIfPage.ts"
import { Connection } from "../../server/Connection.ts"
import { show } from "../../server/show.ts"
import { CommandFailed } from "../../texts/commandErrors.ts"

/** The pause between two looks at a trial that runs. */
const lookMs = 200

/** Has the server decide the log again with something changed, and prints the report. An interrupt stops the trial. */
export const runWhatIf = Effect.fnUntraced(function* (payload: NewWhatIf) {
  const { workspace: w } = yield* Connection
  const client = yield* ManagementClient
  const started = yield* client.whatIf.start({ params: { w }, payload })
  const params = { w, what_if_id: started.what_if_id }
  const look = Effect.tap(client.whatIf.get({ params }), showProgress)
  yield* Effect.repeat(look, {
    while: ({ status }) => status === "running",
    schedule: Schedule.spaced(lookMs),
  }).pipe(
    Effect.onInterrupt(() => Effect.ignore(client.whatIf.stop({ params }))),
    Effect.ensuring(clearProgress),
  )
  const ended = yield* show(client.whatIf.get({ params, responseMode: "decoded-and-response" }), drawWhatIf)
  if (ended.status === "failed") return yield* new CommandFailed({ message: ended.problem ?? "" })
})

const showProgress = ({ differing, entries, from, to }: WhatIfDocument): Effect.Effect<void> =>
  showProgressLine(
    `${count(entries)} of ${count(to - from + 1)} entries, ${count(differing.operations)} would be different`,
  )
