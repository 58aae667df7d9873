import { PersonCursor } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { PersonDocument, personDocument } from "@inlethq/contract/people/People"
import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { provenanceOf } from "@inlethq/log/documents/provenance"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { PastMoment } from "@inlethq/log/history/PastMoment"
import { personAsOf } from "@inlethq/log/history/personAsOf"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Registry } from "@inlethq/core/ports/Registry"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { namesIn, personNamed } from "../answers/personNames.ts"
import { hasAttribute, scanPeople } from "./scanPeople.ts"
import { listPeople } from "./listPeople.ts"
import { activityAnswer } from "../activity/activity.ts"
import { lastSeen } from "@inlethq/log/reading/lastSeen"
import { personMatcher } from "@inlethq/log/filter/matchPerson"
import { readActivity } from "@inlethq/log/reading/filteredActivity"
import { validActivityRequest } from "../activity/validActivityRequest.ts"
import { foundOr404, personAt, personKeyOf, workspaceAt } from "../answers/lookup.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"
import { asOf, expectHistory, pastMoment } from "../answers/pastMoment.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { periodOf } from "@inlethq/log/reading/receiptPeriod"
import { problemTexts } from "../../problems/problemTexts.ts"

export const peopleHandlers = HttpApiBuilder.group(
  ManagementApi,
  "people",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const snapshots = yield* Snapshots
    const turns = yield* Turns
    const brand = yield* BrandInUse
    const reader = { catalog, turns, brand }
    const answerActivity = activityAnswer(brand)

    return handlers.handleAll({
      list: Effect.fn("management.people.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { attribute, filter, q, value } = query
        const names = namesIn(query)
        const [name] = names
        const searches = names.length + [q, attribute, filter].filter((text) => text !== undefined).length
        if (searches > 1) return yield* new InvalidRequest({ detail: problemTexts.oneSearch() })
        if (value !== undefined && attribute === undefined) {
          return yield* new InvalidRequest({ detail: problemTexts.valueWithoutAttribute() })
        }
        if (name !== undefined) {
          const found = yield* personNamed(catalog, workspace.id, name)
          return { items: Option.toArray(found).map(personDocument), next: null }
        }
        if (attribute !== undefined) {
          const isWanted = hasAttribute({ name: attribute, value })
          const found = yield* scanPeople(catalog, workspace.id, isWanted, pageRequest(query))
          return yield* answerPeople(turns, found, { searched: found.searched })
        }
        if (filter !== undefined) {
          const found = yield* scanPeople(catalog, workspace.id, personMatcher(filter), pageRequest(query))
          return yield* answerPeople(turns, found, { searched: found.searched })
        }
        return yield* answerPeople(
          turns,
          yield* listPeople(catalog, workspace.id, query.q, pageRequest(query)),
        )
      }, orUnavailable),

      get: Effect.fn("management.people.get")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const moment = yield* pastMoment(query)
        if (moment === null) {
          const record = yield* personAt(catalog, workspace.id, params.svc_id)
          return { ...personDocument(record), last_seen: yield* lastSeen(catalog, record.person, null) }
        }
        const then = yield* personThen(snapshots, workspace.id, params.svc_id, moment)
        return { ...then, as_of: asOf(query) }
      }, orUnavailable),

      activity: Effect.fn("management.people.activity")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { person } = yield* personAt(catalog, workspace.id, params.svc_id)
        const requested = yield* validActivityRequest(query, person)
        const page = yield* readActivity(reader, workspace.id, requested, periodOf(query), pageRequest(query))
        return yield* answerActivity(turns, page, { searched_to: page.searchedTo })
      }, orUnavailable),

      provenance: Effect.fn("management.people.provenance")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { person } = yield* personAt(catalog, workspace.id, params.svc_id)
        const page = { limit: entriesPerProvenance, after: query.after ?? null, order: "desc" } as const
        const { items, next } = yield* catalog.activity(workspace.id, { ...noFilter, person }, page)
        const changed = yield* turns.work(function* () {
          return provenanceOf(person.key, items, brand)
        })
        return { items: changed, next }
      }, orUnavailable),
    })
  }),
)

/**
 * Returns a person as they were and where they were last seen. Fails with a 410 that names the beginning of the history, and with a
 * 404 if there was no such person.
 */
const personThen = Effect.fnUntraced(function* (
  snapshots: Snapshots["Service"],
  workspace: WorkspaceId,
  svcId: string,
  moment: PastMoment,
) {
  const key = personKeyOf(workspace, svcId)
  const { record, seen } = yield* foundOr404(
    key === undefined ? Option.none() : yield* recordThen(snapshots, workspace, key, moment),
    problemTexts.noPersonThen(),
  )
  return { ...personDocument(record), last_seen: seen }
})

const recordThen = Effect.fnUntraced(function* (
  snapshots: Snapshots["Service"],
  workspace: WorkspaceId,
  key: SubjectKey,
  moment: PastMoment,
) {
  const snapshot = yield* snapshots.open(workspace)
  yield* expectHistory(snapshot, workspace, moment)
  const found = yield* personAsOf(snapshot, workspace, key, moment)
  return Option.isNone(found)
    ? Option.none()
    : Option.some({ record: found.value, seen: yield* lastSeen(snapshot, found.value.person, moment) })
}, Effect.scoped)

/**
 * To find the operations that last changed the fields of a person, one response reads at most this many entries of the
 * person's log.
 */
const entriesPerProvenance = 500

export const answerPeople = pageAnswer(personDocument, PersonDocument, PersonCursor)
