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
import { onServer } from "../../server/onServer.ts"
import { show } from "../../server/show.ts"
import { calling, command, listing, raw, showing } from "../shared/resource.ts"
import { clientFor, webhookArgument } from "./webhookFlags.ts"

export const test = Command.make(
  "test",
  { webhook: webhookArgument },
  Effect.fnUntraced(function* ({ webhook }) {
    const { client, params } = yield* clientFor(webhook)
    const { status } = yield* show(
      client.webhookAttempts.test({ params, responseMode: "decoded-and-response" }),
      drawTested,
    )
    if (status === "failed") return yield* new CommandFailed({ message: cliTexts.sampleNotDelivered() })
  }, onServer),
).pipe(
  Command.withDescription("Send a sample event and show what the receiver answered"),
  Command.withExamples([
    {
      command: "inlet webhooks test 5d0c2b7f9a4e1836ce0b",
      description: "Exit with code 1 if the receiver does not accept the event",
    },
  ]),
)

const attempt = {
  columns: attemptColumns,
  empty: "No attempts",
  examples: {
    attempts: {
      "inlet webhooks attempts 5d0c2b7f9a4e1836ce0b": "Also shows the answers of the receiver",
      "inlet webhooks attempts 5d0c2b7f9a4e1836ce0b --status failed": "Events that were given up",
    },
    resend: { "inlet webhooks resend 5d0c2b7f9a4e1836ce0b a17": "Adds an attempt to the list" },
    skip: { "inlet webhooks skip 5d0c2b7f9a4e1836ce0b a17": "Unblocks a webhook with strict ordering" },
    recover: {
      "inlet webhooks recover 5d0c2b7f9a4e1836ce0b --since 2026-01-31T12:00:00Z":
        "After the receiver was down",
    },
  },
}

export const attempts = command(
  attempt,
  "attempts",
  "List the attempts to deliver events, newest first",
  {
    webhook: webhookArgument,
    status: optionalFlag(Flag.Literals("status", AttemptStatus.literals), "Only attempts with this status"),
    ...pageFlags(AttemptCursor),
  },
  listing(attempt, ({ client, w }, query, { status, webhook }) =>
    client.webhookAttempts.list({
      params: { w, webhook_id: webhook },
      query: { ...(Option.isSome(status) && { status: status.value }), ...query },
      ...raw,
    }),
  ),
)

const oneAttempt = {
  webhook: webhookArgument,
  attempt: Argument.String("attempt_id").pipe(
    Argument.withDescription("The id that `inlet webhooks attempts` shows"),
  ),
}

export const resend = command(
  attempt,
  "resend",
  "Send the event of an attempt again immediately",
  oneAttempt,
  calling(({ client, w }, { attempt, webhook }) =>
    Effect.andThen(
      client.webhookAttempts.resend({ params: { w, webhook_id: webhook, attempt_id: attempt } }),
      printNote(`sending the event of ${attempt} again`),
    ),
  ),
)

export const skip = command(
  attempt,
  "skip",
  "Stop retrying the event of an attempt, so that later events are sent",
  oneAttempt,
  calling(({ client, w }, { attempt, webhook }) =>
    Effect.andThen(
      client.webhookAttempts.skip({ params: { w, webhook_id: webhook, attempt_id: attempt } }),
      printNote(`skipped the event of ${attempt}`),
    ),
  ),
)

export const recover = command(
  attempt,
  "recover",
  "Send again all undelivered events that were received at a given time or later",
  {
    webhook: webhookArgument,
    since: requiredTimeFlag("since", "The receipt time of the first event to send again, in ISO 8601"),
  },
  showing(
    ({ client, w }, { since, webhook }) =>
      client.webhookAttempts.recover({
        params: { w, webhook_id: webhook },
        payload: { since },
        ...raw,
      }),
    ({ events }) => [`sending ${counted(events, "event", "events")} again`],
  ),
)
