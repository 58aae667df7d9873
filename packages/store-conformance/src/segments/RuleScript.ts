import { Schema } from "effect"
import type { Command } from "@inlet/core/Command"
import { byEmail, byId, createSegment, identify, noon, register, updateSegment } from "../commands.ts"
import { commandOf, hour, Settings, Step } from "../script.ts"
import { rulePool } from "./rulePool.ts"

/** A step of a script about rules: mostly something that a rule counts or reads, by somebody who is known. */
const RuleStep = Schema.Struct({
  ...Step.fields,
  what: Schema.Literals([
    ...Array.from({ length: 8 }, () => "event" as const),
    ...Array.from({ length: 4 }, () => "identify" as const),
    "merge",
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
 * created.
 */
export function* commandsOf(
  { rules, settings, steps }: RuleScript,
  lastSegment: () => number,
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
      changeOfRule(step, now, earlier) ?? commandOf({ ...withoutRules(step), workspace: 1 }, now, settings)
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

const withoutRules = ({ what, ...step }: RuleStep) => ({
  ...step,
  what:
    what === "create rule" || what === "edit rule" || what === "pause rule" || what === "resume rule"
      ? ("event" as const)
      : what,
})
