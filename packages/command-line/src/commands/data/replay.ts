import { Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Clock, Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { orInterrupted } from "../../server/interruption.ts"
import { differencePrinter } from "../../diff/differencePrinter.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { count, printable } from "../../output/text.ts"
import { clearProgress } from "../../output/progressBar.ts"
import { replayLog, type Destination } from "../../replay/replayLog.ts"
import { triedSettings } from "../../replay/triedSettings.ts"
import { trySettings } from "../../replay/trySettings.ts"
import type { ReplayQuery, ReplaySource } from "../../replay/ReplaySource.ts"
import { ReplayTally } from "../../replay/ReplayTally.ts"
import { sourceOf, targetAt, type ReplayTarget } from "../../replay/ReplayTarget.ts"
import { onServer } from "../../server/onServer.ts"

const config = {
  positions: optionalFlag(
    Flag.String("positions").pipe(Flag.withMetavar("A..B")),
    "The log positions to replay, such as 120..900 or 120.. (default: the whole log)",
  ),
  filter: optionalFlag(Flag.String("filter"), "Only entries that match, such as `kind:event name:order*`"),
  to: optionalFlag(
    Flag.String("to").pipe(Flag.withMetavar("URL#workspace")),
    "The workspace to replay into, such as https://inlet.example.com#2, or #2 on the same server. After an address without a workspace, `--workspace` names it. `INLET_TO_TOKEN` is the management token of another server",
  ),
  rate: Flag.Int("rate").pipe(
    Flag.withDescription("The largest number of entries a second (default: as many as the servers take)"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
    Flag.optional,
  ),
  webhooks: Flag.Boolean("webhooks").pipe(
    Flag.withDescription("Let webhooks of the target send events about what is replayed"),
    Flag.withDefault(false),
  ),
  setting: optionalFlag(
    Flag.KeyValuePair("setting"),
    "With `--dry-run`: show who would be different with this setting, such as email_update_by_id=true, identifiers=email or attributes_per_person=50. Both are decided in memory, and begin without people",
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Count what would be replayed, and change nothing"),
    Flag.withDefault(false),
  ),
}

/** Shows who would be different with other settings, and how many entries that was decided on. */
const tryWith = Effect.fnUntraced(function* (
  source: ReplaySource,
  given: Readonly<Record<string, string>>,
  isTrial: boolean,
) {
  if (!isTrial) return yield* new WrongOption({ message: cliTexts.settingWithoutDryRun() })
  const settings = yield* triedSettings(given)
  const { isWanted: json, print } = yield* JsonOutput
  const show = differencePrinter({ here: "NOW", there: "TRIED" })
  const tallies = { now: new ReplayTally(), tried: new ReplayTally() }
  const changed = new Set<string>()
  yield* trySettings(
    source,
    settings,
    tallies,
    Effect.fnUntraced(function* (differences) {
      for (const { id, kind } of differences) changed.add(`${kind} ${id}`)
      yield* show(differences)
    }),
  ).pipe(Effect.ensuring(clearProgress))
  const { errors, ...summary } = tallies.tried.summary
  const refusedNow = tallies.now.summary.failed
  if (json) {
    return yield* print(JSON.stringify({ ...summary, failed_now: refusedNow, errors, changed: changed.size }))
  }
  yield* reportErrors(errors)
  const refused =
    summary.failed === 0 && refusedNow === 0
      ? ""
      : `, of which ${count(summary.failed)} would be refused, and ${count(refusedNow)} without the setting`
  yield* Console.log(
    `${count(changed.size)} would be different after ${count(summary.entries)} entries${refused}`,
  )
})

const range = /^(\d{1,15})\.\.(\d{1,15})?$/

/** Reads positions such as `120..900` and `120..`. */
const positionsIn = (text: string): Effect.Effect<ReplayQuery, WrongOption> => {
  const [, from = "0", to] = range.exec(text) ?? []
  const [first, last] = [Number(from), to === undefined ? Infinity : Number(to)]
  if (first < 1 || last < first) return Effect.fail(new WrongOption({ message: cliTexts.wrongPositions() }))
  return Effect.succeed({
    from: Sequence.make(first),
    ...(to !== undefined && { to: Sequence.make(last) }),
  })
}

/** Fails if the target forgets entries, and with them that they were replayed, before the source does. */
const expectHistory = Effect.fnUntraced(function* (workspace: WorkspaceId, target: ReplayTarget) {
  const client = yield* ManagementClient
  const { history_days: days } = yield* client.workspaces.get({ params: { w: workspace } })
  const there = yield* target.client.workspaces.get({ params: { w: target.workspace } })
  if (there.history_days >= days) return
  return yield* new WrongOption({
    message: cliTexts.shorterHistory({ workspace: target.workspace, days, there: there.history_days }),
  })
})

export const replayCommand = Command.make(
  "replay",
  config,
  Effect.fnUntraced(function* ({ dryRun, filter, positions, rate, setting, to, webhooks }) {
    const workspace = yield* sourceOf(to)
    const client = yield* ManagementClient
    const query = {
      ...(Option.isSome(positions) ? yield* positionsIn(positions.value) : {}),
      ...(Option.isSome(filter) && { filter: filter.value }),
    }
    if (Option.isSome(setting)) {
      return yield* tryWith({ client, workspace, query }, setting.value, dryRun)
    }
    if (!dryRun && Option.isNone(to)) {
      return yield* new WrongOption({ message: cliTexts.wrongReplayTarget() })
    }
    const target = Option.isSome(to) ? yield* targetAt(to.value, workspace) : null
    if (target !== null) yield* expectHistory(workspace, target)
    const destination: Destination | null =
      target === null || dryRun
        ? null
        : {
            target,
            webhooks,
            rate: Option.getOrNull(rate),
            entriesMax: null,
          }
    const tally = new ReplayTally()
    const started = yield* Clock.currentTimeMillis
    yield* replayLog({ client, workspace, query }, destination, tally).pipe(
      Effect.ensuring(clearProgress),
      Effect.tapError(() =>
        tally.entries === 0 ? Effect.void : Console.error(`inlet: ${cliTexts.replayInterrupted()}`),
      ),
      orInterrupted(cliTexts.replayInterrupted()),
    )
    yield* report(tally, destination === null, ((yield* Clock.currentTimeMillis) - started) / 1000)
  }, onServer),
).pipe(
  Command.withDescription(
    "Replay the log of a workspace into another one, with the original times; a second replay changes nothing",
  ),
  Command.withExamples([
    {
      command: "inlet replay --workspace 1 --to '#2'",
      description: "Replay the whole log into another workspace of the server",
    },
    {
      command: "inlet replay --positions 120..900 --to https://inlet.example.com#2 --rate 2000",
      description: "A part of the log, into another server",
    },
    {
      command: "inlet replay --filter kind:event --dry-run",
      description: "Count what would be replayed",
    },
    {
      command: "inlet replay --dry-run --setting email_update_by_id=true",
      description: "Who would be different with another setting",
    },
  ]),
)

const report = Effect.fnUntraced(function* (tally: ReplayTally, isTrial: boolean, seconds: number) {
  const { isWanted, print } = yield* JsonOutput
  const { errors, ...summary } = tally.summary
  if (isWanted) yield* print(JSON.stringify({ ...summary, errors }))
  else {
    yield* reportErrors(errors)
    const { entries, failed, left_out, replayed, skipped } = summary
    const outcome = isTrial
      ? `${count(replayed)} would be replayed`
      : `${count(replayed)} replayed, ${count(skipped)} skipped, ${count(failed)} failed`
    yield* Console.log(`${outcome}: ${count(entries)} entries in ${seconds.toFixed(1)} s`)
    for (const [reason, left] of Object.entries(left_out)) {
      yield* Console.log(`${count(left)} left out: ${reasons[reason] ?? reason}`)
    }
  }
  if (summary.failed > 0) {
    return yield* new CommandFailed({
      message: cliTexts.entriesNotReplayed({ count: count(summary.failed) }),
    })
  }
})

const reportErrors = (errors: ReplayTally["summary"]["errors"]) =>
  Effect.forEach(
    errors,
    ({ message, position }) => Console.error(printable(`position ${position}: ${message}`)),
    { discard: true },
  )

/** Why entries are left out, in words. */
const reasons: Readonly<Record<string, string>> = {
  no_effect: "changed nothing",
  erased: "about people who were deleted or suppressed",
  server: "made by the server itself",
  settings: "segments, which are carried over as they are today, and registered deliveries",
  unnamed: "about nobody who can be named",
}
