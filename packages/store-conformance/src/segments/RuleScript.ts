import { Schema } from "effect"
import type { Command } from "@inlethq/core/Command"
import type { RecordedMerge } from "@inlethq/core/person/mergeReceipt"
import { byEmail, byId, identify, noon, register, unmerge } from "../script/commands.ts"
import { createSegment, updateSegment } from "../script/segmentCommands.ts"
import { commandOf, hour, Settings, Step } from "../script/script.ts"
import { rulePool } from "./rulePool.ts"

/** A step of a script about rules: mostly something that a rule counts or reads, by somebody who is known. */
const RuleStep = Schema.Struct({
  ...Step.fields,
  what: Schema.Literals([
    ...Array.from({ length: 8 }, () => "event" as const),
    ...Array.from({ length: 4 }, () => "identify" as const),
    "merge",
    "merge",
    "merge",
    "undo a merge",
    "undo a merge",
    "undo a merge",
    "alias",
    "add device",
    "add device",
    "delete device",
    "relate",
    "relate",
    "unrelate",
    "identify object",
    "identify object",
    "delete object",
    "submit form",
    "submit form",
    "join",
    "leave",
    "register",
    "report",
    "report",
    "report",
    "unsubscribe",
    "delete",
    "suppress",
    "delete segment",
    "create rule",
    "create rule",
    "edit rule",
    "pause rule",
    "resume rule",
  ]),
  /** The number of steps by which the build of rules goes on after this step, each in a commit of its own. */
  buildSteps: Schema.Literals([0, 0, 0, 0, 1, 2, 30]),
  /** Whether entries record who enters and leaves while a rule of this step is built. */
  isAnnounced: Schema.Boolean,
  /** Whether an identify call sets the time of creation, and not the attribute. */
  setsCreation: Schema.Literals([false, false, true]),
  /** Whether the end of a merge divides the events since. */
  divides: Schema.Boolean,

  by: Schema.Literals(["id", "id", "id", "email", "email", "anonymous_id", "anonymous_id", "svc_id"]),
  attribute: Schema.Literals(["plan", "plan", "plan", "1", "__proto__"]),
  deduplicationKey: Schema.Union([Schema.Null, Schema.Null, Schema.Null, Schema.Literals([1, 2, 3])]),
})

/** A script, and the rules of the segments that it begins with, by their places in the pool. */
export const RuleScript = Schema.Struct({
  settings: Schema.Struct({ ...Settings.fields, recordsMax: Schema.Null }),
  rules: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: rulePool.length - 1 }))).check(
    Schema.isMinLength(3),
    Schema.isMaxLength(10),
  ),
  steps: Schema.Array(RuleStep).check(Schema.isMinLength(15), Schema.isMaxLength(60)),
})
export type RuleScript = typeof RuleScript.Type

/**
 * Yields the commands of a script in the first workspace. The first ones create two manual segments, the segments with
 * rules, two people, and a delivery to each. `lastSegment` returns the id of the segment that the command before has
 * created, and `merges` the merges that the log records.
 */
export function* commandsOf(
  { rules, settings, steps }: RuleScript,
  lastSegment: () => number,
  merges: () => ReadonlyArray<RecordedMerge>,
): Generator<Command, void, void> {
  const earlier: Array<number> = []
  for (const name of ["one", "two"]) {
    yield createSegment(name)
    earlier.push(lastSegment())
  }
  for (const place of rules) {
    yield createSegment(`rule ${place}`, { rule: rulePool[place]?.(earlier) ?? null })
    earlier.push(lastSegment())
  }
  for (const n of [1, 2]) {
    const [id, email] = [byId(`id ${n}`), byEmail(`${n}@example.com`)]
    yield identify(settings.identifiedBy === "email" ? email : id)
    yield register(`delivery ${n}`, settings.identifiedBy === "email" ? email : id)
  }
  let now = noon
  for (const step of steps) {
    now += step.hoursLater * hour
    yield (
      changeOfRule(step, now, earlier) ??
        (step.what === "undo a merge" ? endOfMerge(step, now, merges()) : undefined) ??
        withCreation(step, commandOf({ ...withoutRules(step), workspace: 1 }, now, settings))
    )
    if (step.what === "create rule") earlier.push(lastSegment())
  }
}

type RuleStep = typeof RuleStep.Type

/** Returns the command of a step that creates or changes a segment with a rule, or undefined for any other step. */
const changeOfRule = (
  step: RuleStep,
  receivedAt: number,
  earlier: ReadonlyArray<number>,
): Command | undefined => {
  const place = (step.who * 17 + step.thing * 5 + Number(step.value === 2)) % rulePool.length
  const rule = rulePool[place]?.(earlier) ?? null
  const segment = earlier[(step.other * 3 + step.thing) % earlier.length] ?? 1
  const announce = step.isAnnounced
  switch (step.what) {
    case "create rule":
      return createSegment(`late rule ${place}`, { rule, receivedAt, announce })
    case "edit rule":
      return updateSegment(segment, { rule, receivedAt, announce })
    case "pause rule":
    case "resume rule":
      return updateSegment(segment, { paused: step.what === "pause rule", receivedAt, announce })
    default:
      return undefined
  }
}

/** Returns the command that undoes one of the merges, the newest or any other, or undefined if there is none. */
const endOfMerge = (
  { divides: divide, other, thing, who }: RuleStep,
  receivedAt: number,
  merges: ReadonlyArray<RecordedMerge>,
): Command | undefined => {
  const merge = merges.at(-1 - ((who * 5 + other * 3 + thing) % Math.max(1, merges.length)))
  return merge === undefined ? undefined : unmerge(merge, { receivedAt, divide })
}

/** The times of creation that the values 1 and 2 stand for, in seconds. Other values are no times. */
const creations = [noon - 401 * hour, noon + hour].map((at) => at / 1000)

const withCreation = ({ setsCreation, value }: RuleStep, command: Command): Command => {
  if (command._tag !== "IdentifyPerson" || !setsCreation) return command
  const given = typeof value === "number" ? (creations[value - 1] ?? null) : value
  return { ...command, assignments: [{ name: "created_at", value: given }] }
}

const withoutRules = ({ what, ...step }: RuleStep) => ({
  ...step,
  what:
    what === "create rule" ||
    what === "edit rule" ||
    what === "pause rule" ||
    what === "resume rule" ||
    what === "undo a merge"
      ? ("event" as const)
      : what,
})
