import { AttemptCursor } from "@inlethq/contract/values/Cursor"
import { AttemptStatus } from "@inlethq/core/webhook/Attempt"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag, pageFlags, requiredTimeFlag } from "../../flags/flags.ts"
import { attemptColumns } from "../../output/attemptColumns.ts"
import { printNote } from "../../output/note.ts"
import { drawTested } from "../../output/sending.ts"
import { counted } from "../../output/text.ts"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { show } from "../../server/show.ts"
import { calling, command, listing, raw, showing } from "../shared/resource.ts"
import { forwardArgument } from "./forwardArgument.ts"

export const test = Command.make(
  "test",
  { forward: forwardArgument },
  Effect.fnUntraced(function* ({ forward }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const params = { w: workspace, forward_id: forward }
    const { status } = yield* show(
      client.forwardAttempts.test({ params, responseMode: "decoded-and-response" }),
      drawTested,
    )
    if (status === "failed") return yield* new CommandFailed({ message: cliTexts.emptyBatchRefused() })
  }, onServer),
).pipe(
  Command.withDescription("Send an empty batch, which changes nothing, and show what the receiver answered"),
  Command.withExamples([
    {
      command: "inlet forwards test 5d0c2b7f9a4e1836ce0b",
      description: "Exit with code 1 if the receiver does not accept the key",
    },
  ]),
)

const attempt = {
  columns: attemptColumns,
  empty: "No attempts",
  examples: {
    attempts: {
      "inlet forwards attempts 5d0c2b7f9a4e1836ce0b": "Also shows the answers of the receiver",
      "inlet forwards attempts 5d0c2b7f9a4e1836ce0b --status failed": "Operations that were given up",
    },
    resend: { "inlet forwards resend 5d0c2b7f9a4e1836ce0b a17": "Adds an attempt to the list" },
    skip: { "inlet forwards skip 5d0c2b7f9a4e1836ce0b a17": "Lets what comes after it go on" },
    recover: {
      "inlet forwards recover 5d0c2b7f9a4e1836ce0b --since 2026-01-31T12:00:00Z":
        "After the receiver was down",
    },
  },
}

export const attempts = command(
  attempt,
  "attempts",
  "List the attempts to send operations, newest first",
  {
    forward: forwardArgument,
    status: optionalFlag(Flag.Literals("status", AttemptStatus.literals), "Only attempts with this status"),
    ...pageFlags(AttemptCursor),
  },
  listing(attempt, ({ client, w }, query, { forward, status }) =>
    client.forwardAttempts.list({
      params: { w, forward_id: forward },
      query: { ...(Option.isSome(status) && { status: status.value }), ...query },
      ...raw,
    }),
  ),
)

const oneAttempt = {
  forward: forwardArgument,
  attempt: Argument.String("attempt_id").pipe(
    Argument.withDescription("The id that `inlet forwards attempts` shows"),
  ),
}

export const resend = command(
  attempt,
  "resend",
  "Send the operation of an attempt again immediately",
  oneAttempt,
  calling(({ client, w }, { attempt, forward }) =>
    Effect.andThen(
      client.forwardAttempts.resend({ params: { w, forward_id: forward, attempt_id: attempt } }),
      printNote(`sending the operation of ${attempt} again`),
    ),
  ),
)

export const skip = command(
  attempt,
  "skip",
  "Stop retrying the operation of an attempt, so that later ones are sent",
  oneAttempt,
  calling(({ client, w }, { attempt, forward }) =>
    Effect.andThen(
      client.forwardAttempts.skip({ params: { w, forward_id: forward, attempt_id: attempt } }),
      printNote(`skipped the operation of ${attempt}`),
    ),
  ),
)

export const recover = command(
  attempt,
  "recover",
  "Send again all undelivered operations that were received at a given time or later",
  {
    forward: forwardArgument,
    since: requiredTimeFlag("since", "The receipt time of the first operation to send again, in ISO 8601"),
  },
  showing(
    ({ client, w }, { forward, since }) =>
      client.forwardAttempts.recover({
        params: { w, forward_id: forward },
        payload: { since },
        ...raw,
      }),
    ({ operations }) => [`sending ${counted(operations, "operation", "operations")} again`],
  ),
)
