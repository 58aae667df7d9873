import { whatIfDaysDefault, whatIfDaysMax } from "@inlethq/contract/trial/WhatIf"
import type { PlanDocument, PlansDocument } from "@inlethq/contract/workspaces/Plans"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printNote } from "../../output/note.ts"
import { printable } from "../../output/text.ts"
import { printLines } from "../../server/show.ts"
import { planCommandTexts } from "../../texts/planCommandTexts.ts"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { runWhatIf } from "../log/runWhatIf.ts"
import { confirmFlag, orNotConfirmed } from "../shared/confirm.ts"
import { calling, command, type Reach } from "../shared/resource.ts"
import { readPlans } from "./readPlans.ts"

const examples = {
  pull: { "inlet plan pull > plans.json": "Keep the plans of the workspace in git" },
  push: {
    "inlet plan push plans.json --dry-run": "What the plans would have done in the last 7 days",
    "inlet plan push plans.json": "Put the plans of a file in the place of those of the workspace",
  },
  promote: {
    'inlet plan promote "Order Placed"': "From observe to strip, or from strip to reject, after a trial",
    'inlet plan promote "Order Placed" --mode reject --yes': "At once to reject, without a question",
  },
}

const daysFlag = Flag.Int("days").pipe(
  Flag.withDescription(`The days that a trial looks back (default: ${whatIfDaysDefault})`),
  Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: whatIfDaysMax }))),
  Flag.withDefault(whatIfDaysDefault),
)

/** A plan as a file has it: versions belong to the workspace. */
const inFile = ({ kind, mode, name, schema }: PlanDocument) => ({ kind, name, mode, schema })

const fileOf = ({ plans }: PlansDocument) => ({ plans: plans.map(inFile) })

const pull = command(
  { examples },
  "pull",
  "Print the plans of the workspace as a file that push takes",
  {},
  calling(
    Effect.fnUntraced(function* ({ client, w }: Reach) {
      const plans = yield* client.plans.list({ params: { w } })
      yield* printLines([JSON.stringify(fileOf(plans), null, 2)])
    }),
  ),
)

interface Pushed {
  readonly file: string
  readonly dryRun: boolean
  readonly days: number
}

const push = command(
  { examples },
  "push",
  "Replace the plans of the workspace by those of a file",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("A file as inlet plan pull prints it, - for standard input"),
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription(
        "Change nothing: try the plans on recent operations, and show which would be different",
      ),
      Flag.withDefault(false),
    ),
    days: daysFlag,
  },
  calling(
    Effect.fnUntraced(function* ({ client, w }: Reach, { days, dryRun, file }: Pushed) {
      const sent = yield* readPlans(file)
      const query = dryRun ? { dry_run: "true" as const } : {}
      const { changes, version } = yield* client.plans.replace({ params: { w }, query, payload: sent })
      if (dryRun) return yield* runWhatIf({ days, change: { plan: sent } })
      const { isWanted, print } = yield* JsonOutput
      if (isWanted) return yield* print(JSON.stringify({ version, changes }))
      yield* printLines(changes.map(({ change, kind, name }) => `${change} ${kind} ${printable(name)}`))
      if (changes.length === 0) yield* printNote("The plans are as in the file")
    }),
  ),
)

interface Promoted {
  readonly name: string
  readonly kind: string
  readonly mode: Option.Option<PlanDocument["mode"]>
  readonly days: number
  readonly yes: boolean
}

const nextMode = { observe: "strip", strip: "reject", reject: null } as const

const promote = command(
  { examples },
  "promote",
  "Show what a stricter mode of a plan would have done, and set it",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The name of the plan")),
    kind: Flag.String("kind").pipe(Flag.withDescription("event, page or screen"), Flag.withDefault("event")),
    mode: Flag.Literals("mode", ["observe", "strip", "reject"]).pipe(
      Flag.withDescription("The mode to set (default: strip after observe, and reject after strip)"),
      Flag.optional,
    ),
    days: daysFlag,
    ...confirmFlag,
  },
  calling(
    Effect.fnUntraced(function* ({ client, w }: Reach, { days, kind, mode: wanted, name, yes }: Promoted) {
      const { plans } = yield* client.plans.list({ params: { w } })
      const current = plans.find((plan) => plan.kind === kind && plan.name === name)
      if (current === undefined)
        return yield* new CommandFailed({ message: planCommandTexts.noPlan({ kind, name: printable(name) }) })
      const mode = Option.getOrElse(wanted, () => nextMode[current.mode])
      if (mode === null) return yield* new WrongOption({ message: planCommandTexts.strictestPlan() })
      const tried = plans.map((plan) => inFile(plan === current ? { ...current, mode } : plan))
      yield* runWhatIf({ days, change: { plan: { plans: tried } } })
      yield* orNotConfirmed(yes, `Set the mode of ${printable(name)} to ${mode}?`)
      const payload = { mode, schema: current.schema, version: current.version }
      const { version } = yield* client.plans.put({ params: { w, kind, name }, query: {}, payload })
      yield* printNote(`${printable(name)} has the mode ${mode} in version ${version}`)
    }),
  ),
)

export const planCommand = Command.make("plan").pipe(
  Command.withDescription("What the data of events should be, as a file in git"),
  Command.withSubcommands([pull, push, promote]),
)
