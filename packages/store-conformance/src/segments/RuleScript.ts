import { Schema } from "effect"
import type { Command } from "@inlet/core/Command"
import { byEmail, byId, createSegment, identify, noon, register } from "../commands.ts"
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
  ]),
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
    yield commandOf({ ...step, workspace: 1 }, now, settings)
  }
}
