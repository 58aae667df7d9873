import { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { fromTheBeginning } from "@inlethq/contract/values/StreamPart"
import { StreamPosition } from "@inlethq/contract/values/Cursor"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { cliTexts } from "../../texts/cliTexts.ts"
import { WrongOption } from "../../texts/commandErrors.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { succeedWhenInterrupted } from "../../server/interruption.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printNote } from "../../output/note.ts"
import { drawSegment } from "../../output/segmentPage.ts"
import { drawBacktest, drawMembership } from "../../output/proofTree.ts"
import { currentScreen, paint } from "../../output/Screen.ts"
import { count, printable } from "../../output/text.ts"
import { timeOfDay } from "../../output/times.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { show } from "../../server/show.ts"
import { followActivity } from "../../tail/followActivity.ts"
import { readRule, ruleFlag } from "./ruleFlag.ts"
import { segmentArgument } from "./segmentArgument.ts"

export const why = Command.make(
  "why",
  {
    segment: segmentArgument,
    person: Argument.String("person").pipe(Argument.withDescription("A person, by id, email or svc_…")),
  },
  Effect.fnUntraced(function* ({ person, segment }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    yield* show(
      client.segmentRules.explain({
        params: { w: workspace, segment_id: segment },
        query: { person },
        responseMode: "decoded-and-response",
      }),
      (found, screen) => drawMembership(screen, found),
    )
  }, onServer),
).pipe(
  Command.withDescription("Show why a person is in a segment by rule, or why not, as a tree"),
  Command.withExamples([
    { command: "inlet segments why 3 ada", description: "Each part of the rule, proved" },
  ]),
)

export const backtest = Command.make(
  "backtest",
  {
    rule: ruleFlag,
    days: Flag.Int("days").pipe(Flag.withDescription("The number of days, up to 30"), Flag.withDefault(30)),
  },
  Effect.fnUntraced(function* ({ days, rule }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const payload = { rule: yield* readRule(rule), days }
    yield* show(
      client.segmentRules.backtest({
        params: { w: workspace },
        payload,
        responseMode: "decoded-and-response",
      }),
      (test, screen) => drawBacktest(screen, test),
    )
  }, onServer),
).pipe(
  Command.withDescription("Show who would have entered and left in the last days; nothing is written"),
  Command.withExamples([
    { command: "inlet segments backtest --rule rule.json --days 7", description: "Try a rule on a week" },
  ]),
)

export const preview = Command.make(
  "preview",
  { rule: ruleFlag },
  Effect.fnUntraced(function* ({ rule }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const payload = { rule: yield* readRule(rule) }
    yield* show(
      client.segmentRules.preview({
        params: { w: workspace },
        payload,
        responseMode: "decoded-and-response",
      }),
      ({ checked, complete, examples, matches }, screen) => [
        paint(screen, "bold", `holds for ${count(matches)} of ${count(checked)} people checked`),
        ...(complete ? [] : [paint(screen, "dim", "not everybody, or not everything they did")]),
        ...examples.map(({ email, id, svc_id }) => `  ${svc_id}  ${printable(id ?? email ?? "anonymous")}`),
      ],
    )
  }, onServer),
).pipe(
  Command.withDescription("Show for how many people a rule holds now; nothing is written"),
  Command.withExamples([
    { command: "inlet segments preview --rule rule.json", description: "Try a rule before a segment has it" },
  ]),
)

const Entry = Schema.fromJsonString(ActivityDocument)

export const watch = Command.make(
  "watch",
  { segment: segmentArgument },
  Effect.fnUntraced(
    function* ({ segment }) {
      const { isWanted, print } = yield* JsonOutput
      const { workspace } = yield* Connection
      const client = yield* ManagementClient
      yield* client.segments.get({ params: { w: workspace, segment_id: segment } })
      const { items } = yield* client.activity.list({ params: { w: workspace }, query: { limit: 1 } })
      const newest = items[0]?.sequence
      const printEffects = Effect.fnUntraced(function* (text: string) {
        if (isWanted) return yield* print(text)
        const screen = yield* currentScreen
        const { effects, kind, name, operation_id, received_at } =
          yield* Schema.decodeUnknownEffect(Entry)(text)
        for (const { change, segment_id, svc_id } of effects) {
          if (segment_id !== segment) continue
          const time = paint(screen, "dim", timeOfDay(screen.times, received_at))
          const what = paint(screen, change === "entered" ? "green" : "red", change.padEnd(7))
          yield* Console.log(`${time} ${what} ${svc_id}  ${operation_id}  ${printable(name ?? kind ?? "")}`)
        }
      })
      return yield* followActivity({
        filter: `segment:${segment}`,
        after: newest === undefined ? fromTheBeginning : yield* Schema.encodeEffect(StreamPosition)(newest),
        onEntry: printEffects,
        onLost: printNote("Connection lost, waiting for the server"),
        onReconnected: printNote("Connected again"),
      })
    },
    onServer,
    succeedWhenInterrupted,
  ),
).pipe(
  Command.withDescription("Show live who enters and leaves a segment by rule, and by which operation"),
  Command.withExamples([{ command: "inlet segments watch 3", description: "One line for each person" }]),
)

/** Whether entries record what a build of the rule finds. */
export const announceFlag = Flag.Boolean("announce").pipe(
  Flag.withDescription("Let the log, webhooks and `watch` tell whom the build finds, too"),
  Flag.withDefault(false),
)

export const update = Command.make(
  "update",
  {
    segment: segmentArgument,
    name: optionalFlag(Flag.String("name"), "The new name"),
    description: optionalFlag(Flag.String("description"), "What the segment is for"),
    rule: optionalFlag(ruleFlag, "A file with the new rule, - for standard input"),
    announce: announceFlag,
    pause: Flag.Boolean("pause").pipe(
      Flag.withDescription("Let nobody enter or leave until --resume"),
      Flag.withDefault(false),
    ),
    resume: Flag.Boolean("resume").pipe(
      Flag.withDescription("Build the rule again after --pause"),
      Flag.withDefault(false),
    ),
  },
  Effect.fnUntraced(function* ({ announce, description, name, pause, resume, rule, segment }) {
    if (pause && resume) return yield* new WrongOption({ message: cliTexts.pauseAndResume() })
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const payload = {
      ...(Option.isSome(name) ? { name: name.value } : {}),
      ...(Option.isSome(description) ? { description: description.value } : {}),
      ...(yield* readOptionalRule(rule)),
      ...(pause || resume ? { paused: pause } : {}),
      announce,
    }
    yield* show(
      client.segments.update({
        params: { w: workspace, segment_id: segment },
        payload,
        responseMode: "decoded-and-response",
      }),
      (updated, screen) => drawSegment(screen, updated, []),
    )
  }, onServer),
).pipe(
  Command.withDescription("Change the name or the rule of a segment, pause it or resume it"),
  Command.withExamples([
    {
      command: "inlet segments update 3 --rule rule.json",
      description: "Build a new version beside the old",
    },
    { command: "inlet segments update 3 --pause", description: "Keep the people as they are" },
  ]),
)

/** The rule of a new segment, if it has one. */
export const optionalRuleFlag = optionalFlag(
  Flag.String("rule").pipe(Flag.withMetavar("file")),
  "A file with the rule that decides who is in it, as JSON, - for standard input; see docs/segments.md",
)

/** Reads the rule that a flag names, if it was given. */
export const readOptionalRule = Effect.fnUntraced(function* (file: Option.Option<string>) {
  return Option.isNone(file) ? {} : { rule: yield* readRule(file.value) }
})
