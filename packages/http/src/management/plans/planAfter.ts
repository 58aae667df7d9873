import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { decodePlans } from "@inlethq/core/plan/decodePlans"
import type { Plans, PlanText } from "@inlethq/core/plan/Plan"
import { plansIn } from "@inlethq/core/plan/PlanIndex"
import type { Json } from "@inlethq/core/values/Json"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Effect, Result } from "effect"

/**
 * Decodes the plans that replace those of a workspace. Fails with a 400 that begins with the path of what is wrong. `pathOf` names a
 * plan in the body, as in `decodePlans`.
 */
export const plansAfter = Effect.fnUntraced(function* (
  turns: ReadTurns,
  before: Plans,
  sent: ReadonlyArray<Json>,
  pathOf?: (place: number) => string,
) {
  const decoded = yield* turns.work(() => decodePlans(before, sent, pathOf))
  return Result.isFailure(decoded) ? yield* new InvalidRequest({ detail: decoded.failure }) : decoded.success
})

/** Returns the plans as the settings have them, in their next version. */
export const planText = (before: PlanText | null, plans: Plans): PlanText => ({
  version: (before?.version ?? 0) + 1,
  text: JSON.stringify(plans),
})

/** Returns the setting with other plans in the place of those before. */
export const planAfter = Effect.fnUntraced(function* (
  turns: ReadTurns,
  before: PlanText | null,
  sent: ReadonlyArray<Json>,
) {
  return planText(before, yield* plansAfter(turns, plansIn(before), sent))
})
