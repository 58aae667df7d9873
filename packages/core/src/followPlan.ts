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
import { isJsonObject, type Json, type JsonObject } from "./values/Json.ts"

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
 * refusal of its call. `root` is the field of the call that holds the data of events. The cells of a table are texts: they fit
 * where the number or the boolean does that they spell.
 */
export const followPlan = <C extends Command>(
  command: C,
  { areCells = false, root }: { readonly root: string; readonly areCells?: boolean },
): C | PlanRefusal => {
  const { plan, unknownEvents } = command.workspace
  if (plan === null && unknownEvents === "allow") return command
  const found = judged(command, root, areCells)
  if (found === null) return command
  if (found._tag === "PlanRefusal") return found
  const { data, faults } = found
  return {
    ...command,
    plan: found.plan,
    ...(data !== undefined && { data, faults: [...command.faults, ...faults] }),
  }
}

const judged = (command: Command, root: string, areCells: boolean): Followed | PlanRefusal | null => {
  switch (command._tag) {
    case "RecordEvent":
      return judgedEvent(command, root, areCells)
    case "IdentifyPerson":
      return judgedAttributes(command, "person", areCells)
    case "IdentifyObject":
      return command.object._tag === "ByTypeAndId"
        ? judgedAttributes(command, `object:${command.object.typeId}`, areCells)
        : null
    default:
      return null
  }
}

const judgedEvent = (
  command: RecordEvent,
  root: string,
  areCells: boolean,
): Followed | PlanRefusal | null => {
  const { data, name, workspace } = command
  const kind = command.kind === "anonymous_event" ? "event" : command.kind
  const compiled = workspace.plan === null ? undefined : planIndex(workspace.plan).find(kind, name)
  if (compiled === undefined) return judgedUnknown(kind, command)
  const { node, plan } = compiled
  const read = areCells ? cellsRead(node, data) : data
  if (fits(node, read)) return null
  const misfits = misfitsIn(node, read, violationsMax)
  switch (plan.mode) {
    case "observe":
      return observed(compiled, misfits)
    case "strip": {
      const { left, stripped } = stripValue(node, read)
      const faults = stripped.map((one) => ({ ...faultOf(one, root), value: one.value }))
      return { ...observed(compiled, misfits), data: areCells ? keptOf(data, left) : left, faults }
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
  areCells: boolean,
): Followed | null => {
  if (workspace.plan === null || assignments.length === 0) return null
  const compiled = planIndex(workspace.plan).find(kind, attributesName)
  if (compiled === undefined) return null
  const attributes = attributesIn(assignments)
  const read = areCells ? cellsRead(compiled.node, attributes) : attributes
  const misfits = misfitsIn({ ...compiled.node, required: [] }, read, violationsMax)
  return misfits.length === 0 ? null : observed(compiled, misfits)
}

/** Reads the cells of a row that do not fit as texts, but do as what they spell. */
const cellsRead = (node: PlanNode, data: Json): Json =>
  !isJsonObject(data)
    ? data
    : Object.fromEntries(
        Object.entries(data).map(([key, cell]) => {
          const inner = node.properties.get(key) ?? node.others
          if (typeof cell !== "string" || inner === null || inner === "never" || fits(inner, cell))
            return [key, cell]
          const spelled = spelledBy(cell)
          return [key, fits(inner, spelled) ? spelled : cell]
        }),
      )

const spelledBy = (cell: string): Json => {
  if (cell === "true" || cell === "false") return cell === "true"
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/.test(cell) ? Number(cell) : cell
}

/** Returns the cells that were not taken out, as they were. */
const keptOf = (cells: Json, left: Json): Json =>
  isJsonObject(cells) && isJsonObject(left)
    ? Object.fromEntries(Object.entries(cells).filter(([key]) => Object.hasOwn(left, key)))
    : left

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
  violations: misfits.map(({ clause, got, path }) => ({ path: pathText(path), clause, got })),
})

const faultOf = ({ clause, got, path }: Misfit, root: string): Fault => {
  const field = pathText([...(root === "" ? [] : [root]), ...path])
  if (clause === "required") return planTexts.required(field)
  if (clause === "additionalProperties") return planTexts.additional(field)
  return planTexts.value(field, { clause, got })
}

/** The most characters of a path in an entry. */
const pathCharactersMax = 1000

const pathText = (path: Misfit["path"]): string => {
  const text = path.join(".")
  return text.length <= pathCharactersMax ? text : `${text.slice(0, pathCharactersMax).toWellFormed()}…`
}

/** A key that no plan names may name somebody. Nothing would erase it from the entry of a rejected call, so it is `*`. */
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
      path.push(isPlanned ? key : "*")
      at = own ?? inner?.others
    }
  }
  return { ...misfit, path }
}
