import { AttemptCursor } from "@inlet/api/management/Cursor"
import { AttemptStatus } from "@inlet/core/webhook/Attempt"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../commandErrors.ts"
import { cliTexts } from "../cliTexts.ts"
import { optionalFlag, pageFlags, requiredTimeFlag } from "../flags.ts"
import { attemptColumns, statusStyles } from "../output/attemptColumns.ts"
import { drawFields } from "../output/fields.ts"
import { printNote } from "../output/note.ts"
import { paint } from "../output/Screen.ts"
import { count, counted } from "../output/text.ts"
import { onServer } from "../server/onServer.ts"
import { show } from "../server/show.ts"
import { showList } from "../server/showList.ts"
import { clientFor, webhookArgument } from "./webhookFlags.ts"

export const test = Command.make(
  "test",
  { webhook: webhookArgument },
  Effect.fnUntraced(function* ({ webhook }) {
    const { client, params } = yield* clientFor(webhook)
    const { status } = yield* show(
      client.webhookAttempts.test({ params, responseMode: "decoded-and-response" }),
      (result, screen) => [
        paint(screen, statusStyles[result.status], result.status),
        ...drawFields(screen, [
          ["response status", result.response_status === null ? null : String(result.response_status)],
          ["duration", `${count(result.duration_ms)} ms`],
          ["response", result.response_excerpt],
        ]),
      ],
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

export const attempts = Command.make(
  "attempts",
  {
    webhook: webhookArgument,
    status: optionalFlag(Flag.Literals("status", AttemptStatus.literals), "Only attempts with this status"),
    ...pageFlags(AttemptCursor),
  },
  Effect.fnUntraced(function* ({ status, webhook, ...page }) {
    const { client, params } = yield* clientFor(webhook)
    const filter = Option.isSome(status) ? { status: status.value } : {}
    yield* showList(
      page,
      (query) =>
        client.webhookAttempts.list({
          params,
          query: { ...filter, ...query },
          responseMode: "decoded-and-response",
        }),
      attemptColumns,
      "No attempts",
    )
  }, onServer),
).pipe(
  Command.withDescription("List the attempts to deliver events, newest first"),
  Command.withExamples([
    {
      command: "inlet webhooks attempts 5d0c2b7f9a4e1836ce0b",
      description: "Also shows the answers of the receiver",
    },
    {
      command: "inlet webhooks attempts 5d0c2b7f9a4e1836ce0b --status failed",
      description: "Events that were given up",
    },
  ]),
)

const attemptArgument = Argument.String("attempt_id").pipe(
  Argument.withDescription("The id that `inlet webhooks attempts` shows"),
)

export const resend = Command.make(
  "resend",
  { webhook: webhookArgument, attempt: attemptArgument },
  Effect.fnUntraced(function* ({ attempt, webhook }) {
    const { client, params } = yield* clientFor(webhook)
    yield* client.webhookAttempts.resend({ params: { ...params, attempt_id: attempt } })
    yield* printNote(`sending the event of ${attempt} again`)
  }, onServer),
).pipe(
  Command.withDescription("Send the event of an attempt again immediately"),
  Command.withExamples([
    { command: "inlet webhooks resend 5d0c2b7f9a4e1836ce0b a17", description: "Adds an attempt to the list" },
  ]),
)

export const skip = Command.make(
  "skip",
  { webhook: webhookArgument, attempt: attemptArgument },
  Effect.fnUntraced(function* ({ attempt, webhook }) {
    const { client, params } = yield* clientFor(webhook)
    yield* client.webhookAttempts.skip({ params: { ...params, attempt_id: attempt } })
    yield* printNote(`skipped the event of ${attempt}`)
  }, onServer),
).pipe(
  Command.withDescription("Stop retrying the event of an attempt, so that later events are sent"),
  Command.withExamples([
    {
      command: "inlet webhooks skip 5d0c2b7f9a4e1836ce0b a17",
      description: "Unblocks a webhook with strict ordering",
    },
  ]),
)

export const recover = Command.make(
  "recover",
  {
    webhook: webhookArgument,
    since: requiredTimeFlag("since", "The receipt time of the first event to send again, in ISO 8601"),
  },
  Effect.fnUntraced(function* ({ since, webhook }) {
    const { client, params } = yield* clientFor(webhook)
    const payload = { since }
    yield* show(
      client.webhookAttempts.recover({ params, payload, responseMode: "decoded-and-response" }),
      ({ events }) => [`sending ${counted(events, "event", "events")} again`],
    )
  }, onServer),
).pipe(
  Command.withDescription("Send again all undelivered events that were received at a given time or later"),
  Command.withExamples([
    {
      command: "inlet webhooks recover 5d0c2b7f9a4e1836ce0b --since 2026-01-31T12:00:00Z",
      description: "After the receiver was down",
    },
  ]),
)
