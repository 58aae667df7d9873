import type { Command } from "./Command.ts"
import type { RecordEvent } from "./event/commands.ts"
import type { Fault } from "./log/Outcome.ts"
import type { PlanFinding } from "./log/PlanFinding.ts"
import { described, fits, misfitsIn, type Misfit } from "./plan/checkValue.ts"
import { attributesName } from "./plan/Plan.ts"
import { violationsMax } from "./plan/planBounds.ts"
import { planIndex, type CompiledPlan } from "./plan/PlanIndex.ts"
import type { PlanNode } from "./plan/PlanNode.ts"
import { planTexts } from "./plan/planTexts.ts"
import { stripValue } from "./plan/stripValue.ts"
import type { Assignment } from "./state/Attributes.ts"
import type { Json, JsonObject } from "./values/Json.ts"

/** A call that a plan refuses: its faults, and what its entry says. */
export interface PlanRefusal {
  readonly _tag: "PlanRefusal"
  readonly faults: ReadonlyArray<Fault>
  readonly plan: PlanFinding
}

/** What a plan makes of a command: what its entry says, and what is taken out of it. */
interface Followed {
  readonly _tag: "Followed"
  readonly plan: PlanFinding
  readonly faults: ReadonlyArray<Fault>
  /** The data that are left. Missing if nothing was taken out. */
  readonly data?: Json
}

/**
 * Applies the plans of the workspace to a command that was decoded. Returns the command, without what a plan takes out, or the
 * refusal of its call. `root` is the field of the call that holds the data of events.
 */
export const followPlan = <C extends Command>(command: C, root: string): C | PlanRefusal => {
  const { plan, unknownEvents } = command.workspace
  if (plan === null && unknownEvents === "allow") return command
  const found = judged(command, root)
  if (found === null) return command
  if (found._tag === "PlanRefusal") return found
  const { data, faults } = found
  return {
    ...command,
    plan: found.plan,
    ...(data !== undefined && { data, faults: [...command.faults, ...faults] }),
  }
}

const judged = (command: Command, root: string): Followed | PlanRefusal | null => {
  switch (command._tag) {
    case "RecordEvent":
      return judgedEvent(command, root)
    case "IdentifyPerson":
      return judgedAttributes(command, "person")
    case "IdentifyObject":
      return command.object._tag === "ByTypeAndId"
        ? judgedAttributes(command, `object:${command.object.typeId}`)
        : null
    default:
      return null
  }
}

const judgedEvent = (command: RecordEvent, root: string): Followed | PlanRefusal | null => {
  const { data, name, workspace } = command
  const kind = command.kind === "anonymous_event" ? "event" : command.kind
  const compiled = workspace.plan === null ? undefined : planIndex(workspace.plan).find(kind, name)
  if (compiled === undefined) return judgedUnknown(kind, command)
  const { node, plan } = compiled
  if (fits(node, data)) return null
  const misfits = misfitsIn(node, data, violationsMax)
  switch (plan.mode) {
    case "observe":
      return observed(compiled, misfits)
    case "strip": {
      const { left, stripped } = stripValue(node, data)
      const faults = stripped.map((one) => ({ ...faultOf(one, root), value: one.value }))
      return { ...observed(compiled, misfits), data: left, faults }
    }
    case "reject": {
      const impersonal = misfits.map((one) => withoutNames(node, one))
      return {
        _tag: "PlanRefusal",
        faults: impersonal.map((one) => faultOf(one, root)),
        plan: finding(compiled, impersonal),
      }
    }
  }
}

/** Judges an event whose name has no plan. Pages and screens need none. */
const judgedUnknown = (
  kind: string,
  { data, name, workspace }: RecordEvent,
): Followed | PlanRefusal | null => {
  if (kind !== "event" || workspace.unknownEvents === "allow") return null
  const violations = [{ path: "", clause: "unknown_events", got: described(data) }]
  return workspace.unknownEvents === "observe"
    ? { _tag: "Followed", faults: [], plan: { name, version: null, violations } }
    : {
        _tag: "PlanRefusal",
        faults: [planTexts.unknownEvent("")],
        plan: { name: null, version: null, violations },
      }
}

/**
 * Attributes are only observed. A call sends a part of them, so none is missing, and one that it removes fits every plan. What is
 * required inside an attribute counts.
 */
const judgedAttributes = (
  { assignments, workspace }: Command & { readonly assignments: ReadonlyArray<Assignment> },
  kind: string,
): Followed | null => {
  if (workspace.plan === null || assignments.length === 0) return null
  const compiled = planIndex(workspace.plan).find(kind, attributesName)
  if (compiled === undefined) return null
  const misfits = misfitsIn(compiled.node, attributesIn(assignments), violationsMax).filter(
    ({ clause, path }) => clause !== "required" || path.length > 1,
  )
  return misfits.length === 0 ? null : observed(compiled, misfits)
}

const observed = (compiled: CompiledPlan, misfits: ReadonlyArray<Misfit>): Followed => ({
  _tag: "Followed",
  faults: [],
  plan: finding(compiled, misfits),
})

const attributesIn = (assignments: ReadonlyArray<Assignment>): JsonObject =>
  Object.fromEntries(
    assignments.flatMap(({ name, value }): ReadonlyArray<readonly [string, Json]> =>
      value === null || value === "" ? [] : [[name, value]],
    ),
  )

const finding = ({ plan: { name, version } }: CompiledPlan, misfits: ReadonlyArray<Misfit>): PlanFinding => ({
  name,
  version,
  violations: misfits.map(({ clause, got, path }) => ({ path: path.join("."), clause, got })),
})

const faultOf = ({ clause, got, path }: Misfit, root: string): Fault => {
  const field = [...(root === "" ? [] : [root]), ...path].join(".")
  if (clause === "required") return planTexts.required(field)
  if (clause === "additionalProperties") return planTexts.additional(field)
  return planTexts.value(field, { clause, got })
}

/** A key that is no word may name somebody. Nothing would erase it from the entry of a rejected call, so it is `*`. */
const withoutNames = (node: PlanNode, misfit: Misfit): Misfit => {
  const path: Array<string | number> = []
  let at: PlanNode | "never" | null | undefined = node
  for (const key of misfit.path) {
    const inner: PlanNode | "never" | null | undefined = at === "never" ? null : at
    if (typeof key === "number") {
      path.push(key)
      at = inner?.items
    } else {
      const own: PlanNode | undefined = inner?.properties.get(key)
      const isPlanned = own !== undefined || inner?.required.includes(key) === true
      path.push(isPlanned || word.test(key) ? key : "*")
      at = own ?? inner?.others
    }
  }
  return { ...misfit, path }
}

const word = /^[A-Za-z][A-Za-z_ -]{0,39}$/
