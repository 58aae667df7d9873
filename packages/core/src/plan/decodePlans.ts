import { Result } from "effect"
import type { Slices } from "../Slices.ts"
import { isJsonObject, sameJson, utf8Bytes, type Json, type JsonObject } from "../values/Json.ts"
import { decodePlanSchema, type PlanProblem } from "./decodePlanSchema.ts"
import { attributesName, type Plan, type PlanMode, type Plans } from "./Plan.ts"
import {
  planBytesMax,
  planNameCharactersMax,
  plansBytesMax,
  plansMax,
  retiredPlansMax,
} from "./planBounds.ts"
import { planProblems } from "./planTexts.ts"

type Decoded<A> = Result.Result<A, PlanProblem>

const eventKinds = ["event", "page", "screen"]

const isKind = (kind: string): boolean =>
  eventKinds.includes(kind) || kind === "person" || /^object:.{1,100}$/.test(kind)

const modes: ReadonlyArray<PlanMode> = ["observe", "strip", "reject"]

/** The text by which a workspace knows a plan. */
export const planKey = ({ kind, name }: Pick<Plan, "kind" | "name">): string => `${kind} ${name}`

/**
 * Decodes the plans that replace those of a workspace. A plan that stays as it is keeps its version, and a changed one gets the
 * next. Yields after each plan. `pathOf` names a plan in what was sent, and is empty for a plan that was sent alone.
 */
export function* decodePlans(
  before: Plans,
  sent: ReadonlyArray<Json>,
  pathOf: (place: number) => string = (place) => `plans.${place}`,
): Slices<Decoded<Plans>> {
  if (sent.length > plansMax) return Result.fail(planProblems.tooManyPlans({ max: plansMax }))
  const known = new Map(before.plans.map((plan) => [planKey(plan), plan]))
  const versions = new Map([...before.retired, ...before.plans].map((one) => [planKey(one), one.version]))
  const plans = new Map<string, Plan>()
  let bytes = 0
  for (const [place, item] of sent.entries()) {
    const path = pathOf(place)
    const decoded = decodePlan(item, path)
    if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
    const { success: plan } = decoded
    const key = planKey(plan)
    if (plans.has(key)) return Result.fail(planProblems.twice({ path }))
    bytes += plan.bytes
    if (bytes > plansBytesMax) return Result.fail(planProblems.tooLargeTogether({ max: plansBytesMax }))
    const old = known.get(key)
    const isSame = old !== undefined && old.mode === plan.mode && sameJson(old.schema, plan.schema)
    const version = isSame ? old.version : (versions.get(key) ?? 0) + 1
    const { kind, mode, name, schema } = plan
    plans.set(key, { kind, name, mode, version, schema })
    yield
  }
  const gone = before.plans.filter((plan) => !plans.has(planKey(plan)))
  const retired = [...before.retired.filter((one) => !plans.has(planKey(one))), ...gone]
  return Result.succeed({
    plans: [...plans.values()],
    retired: retired.slice(-retiredPlansMax).map(({ kind, name, version }) => ({ kind, name, version })),
  })
}

const fields: ReadonlySet<string> = new Set(["kind", "name", "mode", "schema", "version"])

/** Decodes one plan. Its version may be given, as in what a server answers, and does not count. */
const decodePlan = (
  item: Json,
  path: string,
): Decoded<Omit<Plan, "version"> & { readonly bytes: number }> => {
  if (!isJsonObject(item)) return Result.fail(planProblems.notObject({ path }))
  const unknown = Object.keys(item).find((key) => !fields.has(key))
  if (unknown !== undefined) {
    return Result.fail(planProblems.unknownKey({ path, key: JSON.stringify(unknown) }))
  }
  const { kind, name, schema = null } = item
  if (typeof kind !== "string" || !isKind(kind))
    return Result.fail(planProblems.kind({ path: fieldOf(path, "kind") }))
  if (
    typeof name !== "string" ||
    name === "" ||
    name.length > planNameCharactersMax ||
    !name.isWellFormed()
  ) {
    return Result.fail(planProblems.name({ path: fieldOf(path, "name"), max: planNameCharactersMax }))
  }
  const isOfEvents = eventKinds.includes(kind)
  if (!isOfEvents && name !== attributesName) {
    return Result.fail(planProblems.nameOfAttributes({ path: fieldOf(path, "name") }))
  }
  const mode = modeOf(item)
  if (mode === undefined) return Result.fail(planProblems.mode({ path: fieldOf(path, "mode") }))
  if (!isOfEvents && mode !== "observe")
    return Result.fail(planProblems.observeOnly({ path: fieldOf(path, "mode") }))
  const bytes = utf8Bytes(JSON.stringify({ kind, name, mode, schema }))
  if (bytes > planBytesMax)
    return Result.fail(planProblems.tooLarge({ path: path === "" ? "schema" : path, max: planBytesMax }))
  return Result.map(decodePlanSchema(schema, fieldOf(path, "schema")), () => ({
    kind,
    name,
    mode,
    schema,
    bytes,
  }))
}

const fieldOf = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`)

const modeOf = ({ mode = "observe" }: JsonObject): PlanMode | undefined =>
  modes.find((known) => known === mode)
