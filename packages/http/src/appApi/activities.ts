import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Person } from "@inlethq/core/state/Person"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Clock, Effect, Option } from "effect"
import {
  activityDocument,
  activityOf,
  isNamed,
  isOfDeleted,
  kindsOf,
  type Activity,
} from "./activityDocuments.ts"
import { type AppRefused, answerLists, list, refuse } from "./AppAnswer.ts"
import { answerMsMax, scanMs, type AppCall, type AppEndpoint } from "./AppCall.ts"
import { nextStart } from "./AppQuery.ts"
import { appTexts } from "./appTexts.ts"
import { tooSlow } from "./findCustomers.ts"
import { idTypeOf, personCalled, personIn } from "./people.ts"

/** The activities on a page if the call gives no limit. */
const activitiesUsual = 10

/** The most activities on a page. */
const activitiesMax = 100

/** The entries of the log in one read. */
const entriesPerRead = 200

const activitiesLetter = "a"

/**
 * Reads a page of activities, newest first, of a person or of all. Not every entry is an activity of the hosted service, so the
 * read goes on until the page is full or the log ends. `isDeleted` asks for those of people who were deleted.
 */
const readActivities = Effect.fnUntraced(function* (
  { catalog, query, turns, workspace }: AppCall,
  person: Person | null,
  isDeleted: boolean,
): Effect.fn.Return<Page<Activity, Sequence>, AppRefused | StoreUnavailable> {
  const limit = yield* query.limit(activitiesUsual, activitiesMax)
  const type = query.text("type")
  const name = query.text("name")
  const kinds = type === undefined ? undefined : (kindsOf(type) ?? [])
  const stored = {
    ...noFilter,
    person,
    kind: kinds?.length === 1 ? (kinds[0] ?? null) : null,
    name: type === "event" && name !== undefined ? name : null,
  }
  const begun = yield* Clock.currentTimeMillis
  const items: Array<Activity> = []
  if (kinds?.length === 0) return { items, next: null }
  for (let after = yield* query.startSequence(activitiesLetter); ;) {
    const page = yield* catalog.activity(workspace.id, stored, {
      after,
      limit: entriesPerRead,
      order: "desc",
    })
    const isFull = yield* turns.work(function* () {
      for (const record of page.items) {
        const { kind } = record.entry
        const isCandidate = kinds === undefined || (kind !== null && kinds.includes(kind))
        const activity = isCandidate ? activityOf(record, person) : undefined
        const isWanted =
          activity !== undefined &&
          (type === undefined || activity.type === type) &&
          (name === undefined || isNamed(activity, name)) &&
          isOfDeleted(activity) === isDeleted
        if (isWanted) {
          if (items.length === limit) return true
          items.push(activity)
        }
        yield
      }
      return false
    })
    if (isFull) return { items, next: items.at(-1)?.view.sequence ?? null }
    if (page.next === null) return { items, next: null }
    after = page.next
    const elapsed = (yield* Clock.currentTimeMillis) - begun
    if (elapsed >= scanMs && items.length > 0) return { items, next: after }
    if (elapsed >= answerMsMax) return yield* tooSlow
  }
})

const answerActivities = Effect.fnUntraced(function* (
  call: AppCall,
  person: Person | null,
  isDeleted: boolean,
) {
  const { items, next } = yield* readActivities(call, person, isDeleted)
  const lists = { activities: list(items, activityDocument) }
  return yield* answerLists(call.turns, lists, { next: nextStart(activitiesLetter, next) })
})

/** `GET /v1/activities`: what happened in the workspace, or to one person. */
export const listActivities: AppEndpoint = Effect.fn("app.activities.list")(function* (call) {
  const customer = call.query.plain("customer_id")
  const isDeleted = call.query.isTrue("deleted")
  if (customer === undefined) return yield* answerActivities(call, null, isDeleted)
  const found = yield* personCalled(call, yield* idTypeOf(call), customer)
  if (Option.isNone(found)) return yield* refuse(404, appTexts.notFound({ thing: "customer" }))
  return yield* answerActivities(call, found.value.person, isDeleted)
})

export const customerActivities: AppEndpoint = Effect.fn("app.customers.activities")(function* (call) {
  const { person } = yield* personIn(call)
  return yield* answerActivities(call, person, false)
})
