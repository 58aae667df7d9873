import type { EventTypeDocument, SightingDocument } from "@inlethq/contract/types/EventTypes"
import type { PlanDocument, PlansDocument } from "@inlethq/contract/workspaces/Plans"
import type { ShownChange } from "../../shared/lists/DriftRows.tsx"
import { counted } from "../../shared/values/figures.ts"
import { titleOf } from "../../shared/values/typeTitle.ts"
import type { QueryFields } from "../../shared/query/rowsLanguage.ts"
import type { Pages } from "../../shared/lists/usePages.ts"
import { isNew, isOfKind, typeFields, typeKey, type KindChoice } from "./eventTypes.ts"
import type { PlanOf } from "./plans.ts"
import type { UnseenMisfits } from "./unseenMisfits.ts"
import { lastSender, violationsSince, type ViolationCount } from "./violations.ts"

/** A name that was seen, that has a plan, or both. */
export interface EventRow extends PlanOf {
  /** Null if no operation was counted under the name. */
  readonly type: EventTypeDocument | null
  /** Null if the name has none. Undefined while the plans are not known. */
  readonly plan: PlanDocument | null | undefined
  /** What did not fit the plan in the shown period. */
  readonly violations: ViolationCount
}

/** What rows are made from. */
interface RowSources {
  readonly types: ReadonlyArray<EventTypeDocument>
  readonly plans: PlansDocument | undefined
  readonly unseen: UnseenMisfits
  /** The time from which on is counted what does not fit. */
  readonly since: number
}

/** Returns the names of a kind with their plans: the new ones first, then those whose operations do not fit, then the most frequent. */
export const eventRows = (
  { plans, since, types, unseen }: RowSources,
  kind: KindChoice,
): ReadonlyArray<EventRow> => {
  const byName = new Map(plans?.plans.map((plan) => [typeKey(plan), plan]))
  const seen = types.map((type): EventRow => {
    const plan = plans === undefined ? undefined : (byName.get(typeKey(type)) ?? null)
    byName.delete(typeKey(type))
    return { ...nameOf(type), type, plan, violations: violationsSince(type.violations, since) }
  })
  const planned = Array.from(byName.values(), (plan): EventRow => ({
    ...nameOf(plan),
    type: null,
    plan,
    violations: unseen.names.get(typeKey(plan))?.violations ?? { count: 0, isExact: unseen.isWhole },
  }))
  const listed = new Set([...seen, ...planned].map(typeKey))
  const rejected = Array.from(unseen.names.values(), ({ of, violations }): EventRow => ({
    ...of,
    type: null,
    plan: plans === undefined ? undefined : null,
    violations,
  })).filter((row) => !listed.has(typeKey(row)))
  return [...seen, ...planned, ...rejected].filter(isOfKind(kind)).toSorted(byInterest)
}

const nameOf = ({ kind, name }: PlanOf): PlanOf => ({ kind, name })

const byInterest = (a: EventRow, b: EventRow): number =>
  newness(b) - newness(a) ||
  Number(b.violations.count > 0) - Number(a.violations.count > 0) ||
  (b.type?.count ?? -1) - (a.type?.count ?? -1)

const newness = ({ type }: EventRow): number => Number(type !== null && isNew(type))

/** Returns the names whose operations did not fit in the shown period, as changes of what operations look like. */
export const misfitsOf = ({ plans, since, types, unseen }: RowSources): ReadonlyArray<ShownChange> => {
  const planned = plans === undefined ? undefined : new Set(plans.plans.map(typeKey))
  const seen = types.flatMap((type) => {
    const { violations } = type
    const found = violationsSince(violations, since)
    if (violations === undefined || found.count === 0) return []
    const hasPlan = planned === undefined || planned.has(typeKey(type))
    return [misfitOf(type, { found, hasPlan }, violations.last, lastSender(violations))]
  })
  const names = new Set(types.map(typeKey))
  const rejected = Array.from(unseen.names, ([key, { newest, of, violations: found }]) => {
    const { operation_id, plan, received_at, sender } = newest
    const hasPlan = plan?.version != null
    return names.has(key) ? [] : [misfitOf(of, { found, hasPlan }, { at: received_at, operation_id }, sender)]
  }).flat()
  return [...seen, ...rejected]
}

interface CountedMisfits {
  readonly found: ViolationCount
  /** Whether there is a plan that they do not fit. Otherwise they do not fit because there is none. */
  readonly hasPlan: boolean
}

const misfitOf = (
  { kind, name }: PlanOf,
  { found: { count: number, isExact }, hasPlan }: CountedMisfits,
  { at, operation_id }: SightingDocument,
  sender: ShownChange["sender"],
): ShownChange => {
  const operations = `${isExact ? "" : "About "}${counted(number, "operation", "operations")}`
  const summary = `${operations} ${hasPlan ? "did not fit the plan." : "came without a plan."}`
  return { change: "misfit", kind, name, path: null, summary, at, operation_id, sender }
}

/** Returns the pages of names as pages of rows. */
export const pagesOfRows = (
  pages: Pages<EventTypeDocument>,
  rowsOf: (types: ReadonlyArray<EventTypeDocument>) => ReadonlyArray<EventRow>,
  items: ReadonlyArray<EventRow>,
): Pages<EventRow> => ({
  ...pages,
  items,
  readAll: async (itemsMax) => {
    const read = await pages.readAll(itemsMax)
    return { items: rowsOf(read.items).slice(0, itemsMax), isCut: read.isCut }
  },
})

/** What a query compares of a row. */
export const rowFields: QueryFields<EventRow> = {
  fields: {
    ...Object.fromEntries(
      Object.entries(typeFields).map(([key, { hint, texts }]) => [
        key,
        { hint, texts: ({ type }: EventRow) => (type === null ? [] : texts(type)) },
      ]),
    ),
    name: { hint: "name of the event", texts: (row) => [titleOf(row)] },
    plan: {
      hint: "mode of the plan, none, or violated",
      texts: ({ plan, violations }) => [
        ...(plan === undefined ? [] : [plan?.mode ?? "none"]),
        ...(violations.count > 0 ? ["violated"] : []),
      ],
    },
  },
  words: (row) => [titleOf(row)],
  weight: () => 1,
  examples: [
    ["is:new", "first within a day"],
    ["is:silent", "stopped coming"],
    ["plan:violated", "operations that do not fit their plan"],
    ["plan:none", "without a plan"],
  ],
}
