import type { WhatIfChange } from "@inlethq/contract/trial/WhatIf"
import { whatIfDaysDefault, whatIfDaysMax } from "@inlethq/contract/trial/WhatIf"
import { Sequence } from "@inlethq/core/values/Identifier"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { optionalFlag } from "../../flags/flags.ts"
import { clearProgress } from "../../output/progressBar.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { currentScreen } from "../../output/Screen.ts"
import { drawBuildReport } from "../../output/whatIfPage.ts"
import { tryBuild } from "../../replay/tryBuild.ts"
import { triedSettings } from "../../replay/triedSettings.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { printLines } from "../../server/show.ts"
import { whatIfTexts } from "../../texts/whatIfTexts.ts"
import { WrongOption } from "../../texts/commandErrors.ts"
import { readPlans } from "../plans/readPlans.ts"
import { readRule, ruleFlag } from "../segments/ruleFlag.ts"
import { runWhatIf } from "./runWhatIf.ts"

const pairFlag = (name: string, about: string) =>
  optionalFlag(Flag.String(name).pipe(Flag.withMetavar("SVC_ID,SVC_ID")), about)

const config = {
  days: Flag.Int("days").pipe(
    Flag.withDescription(`The days to look back (default: ${whatIfDaysDefault})`),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: whatIfDaysMax }))),
    Flag.optional,
  ),
  from: optionalFlag(Flag.Int("from"), "The first log position, in place of --days"),
  to: optionalFlag(Flag.Int("to"), "The last log position (default: the newest)"),
  setting: optionalFlag(
    Flag.KeyValuePair("setting"),
    "Another setting, such as email_update_by_id=true or attributes_per_person=50",
  ),
  omit: optionalFlag(Flag.String("omit"), "A path that would be left out of calls, such as traits.ssn"),
  rule: optionalFlag(ruleFlag, "A file with a rule that a segment would have had, - for standard input"),
  plan: optionalFlag(
    Flag.String("plan").pipe(Flag.withMetavar("file")),
    "A file with the plans that the workspace would have had, - for standard input",
  ),
  merge: pairFlag("merge", "Two people who would have been merged, the primary first"),
  with: optionalFlag(
    Flag.String("with").pipe(Flag.withMetavar("build")),
    "Another build of Inlet that decides: its one file, the folder of its package, or a checkout with dist/",
  ),
  unmerge: pairFlag("unmerge", "Two people whose merge would not have been made"),
}

/** Has another build decide the log, beside this version. */
const withBuild = Effect.fnUntraced(function* (path: string, { days, from, to, ...change }: Given) {
  const { with: _, ...changes } = change
  if (Option.isSome(days) || Object.values(changes).some((one) => Option.isSome<unknown>(one)))
    return yield* new WrongOption({ message: whatIfTexts.buildAlone() })
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const query = {
    ...(Option.isSome(from) && { from: Sequence.make(from.value) }),
    ...(Option.isSome(to) && { to: Sequence.make(to.value) }),
  }
  const report = yield* tryBuild({ client, workspace, query }, path).pipe(Effect.ensuring(clearProgress))
  const { isWanted, print } = yield* JsonOutput
  yield* isWanted ? print(JSON.stringify(report)) : printLines(drawBuildReport(report, yield* currentScreen))
})

type Given = Command.Command.Config.Infer<typeof config>

const changeOf = Effect.fnUntraced(function* ({ merge, omit, plan, rule, setting, unmerge }: Given) {
  const change: WhatIfChange = {
    ...(Option.isSome(setting) && { settings: yield* settingsIn(setting.value) }),
    ...(Option.isSome(omit) && { omit: omit.value }),
    ...(Option.isSome(rule) && { rule: { rule: yield* readRule(rule.value) } }),
    ...(Option.isSome(plan) && { plan: yield* readPlans(plan.value) }),
    ...(Option.isSome(merge) && { merge: yield* pairIn(merge.value) }),
    ...(Option.isSome(unmerge) && { unmerge: yield* pairIn(unmerge.value) }),
  }
  if (Object.keys(change).length > 1) return yield* new WrongOption({ message: whatIfTexts.oneTrial() })
  return change
})

/** The server refuses settings that it cannot try. */
const settingsIn = Effect.fnUntraced(function* (given: Readonly<Record<string, string>>) {
  const { identifiers, ip, records_max, ...settings } = yield* triedSettings(given)
  if (identifiers !== undefined || ip !== undefined || records_max !== undefined)
    return yield* new WrongOption({ message: whatIfTexts.notTriable() })
  return settings
})

const pairIn = (text: string) => {
  const [primary = "", secondary = "", ...others] = text.split(",").map((one) => one.trim())
  return primary === "" || secondary === "" || others.length > 0
    ? Effect.fail(new WrongOption({ message: whatIfTexts.wrongTrialPair() }))
    : Effect.succeed({ primary, secondary })
}

export const whatIfCommand = Command.make(
  "what-if",
  config,
  Effect.fnUntraced(function* (given) {
    if (Option.isSome(given.with)) return yield* withBuild(given.with.value, given)
    const { days, from, to } = given
    yield* runWhatIf({
      change: yield* changeOf(given),
      ...(Option.isSome(days) && { days: days.value }),
      ...(Option.isSome(from) && { from: Sequence.make(from.value) }),
      ...(Option.isSome(to) && { to: Sequence.make(to.value) }),
    })
  }, onServer),
).pipe(
  Command.withDescription(
    "Decide recent operations again in memory with something changed, and show which would be different",
  ),
  Command.withExamples([
    {
      command: "inlet what-if --days 30 --setting email_update_by_id=true",
      description: "Who would be different with another setting",
    },
    { command: "inlet what-if --omit traits.ssn", description: "What would be left out of calls" },
    { command: "inlet what-if --plan plans.json", description: "Which events would not have fitted" },
    { command: "inlet what-if --rule rule.json --days 30", description: "Who would enter and leave" },
    {
      command: "inlet what-if --merge p11000000001,p11000000002",
      description: "What would follow if two people were one",
    },
    {
      command: "inlet what-if --with ./inlet-1.5 --json > report.json",
      description: "Whether another version decides the log as this one does",
    },
    { command: "inlet what-if --json > report.json", description: "Nothing changed: all are decided again" },
  ]),
)
