import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Conflict, NotFound } from "@inlethq/contract/access/Problem"
import { segmentDocument, segmentSizesDocument, sizeDaysDefault } from "@inlethq/contract/segments/Segments"
import { Catalog, type SegmentRecord } from "@inlethq/core/catalog/Catalog"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Registry } from "@inlethq/core/ports/Registry"
import { SegmentSizes } from "@inlethq/core/ports/SegmentSizes"
import { Store } from "@inlethq/core/ports/Store"
import { aboutObjects } from "@inlethq/core/rule/definitions"
import { dayNumber, sizesByDay } from "@inlethq/core/segment/sizesByDay"
import { progressOf } from "@inlethq/core/state/RuleBuild"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { foundOr404, personAt, workspaceAt } from "../answers/lookup.ts"
import { answerPeople } from "../people/people.ts"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { submit } from "../operations/submit.ts"
import { readingOf } from "./readTried.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

interface MemberParams {
  readonly w: WorkspaceId
  readonly segment_id: SubjectKey
  readonly svc_id: string
}

const noSuchSegment = problemTexts.notFound({ thing: "segment" })

export const segmentHandlers = HttpApiBuilder.group(
  ManagementApi,
  "segments",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const turns = yield* Turns
    const ingest = yield* Ingest
    const store = yield* Store
    const changeMembership = membershipChange(registry, catalog, ingest)
    const sizesOf = sizeReader(registry, catalog, yield* SegmentSizes)

    return handlers.handleAll({
      list: Effect.fn("management.segments.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const page = yield* catalog.segments(workspace.id, pageRequest(query))
        return { items: yield* segmentDocumentsOf(store, page.items), next: page.next }
      }, orUnavailable),

      create: Effect.fn("management.segments.create")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { announce = false, description = null, name, rule = null } = payload
        const given = { name, description, rule, announce }
        const missing = new NotFound({ detail: noSuchSegment })
        const segment_id = yield* submit(ingest, workspace, payload, missing, (envelope) => ({
          ...envelope,
          _tag: "CreateSegment",
          ...given,
        }))
        yield* note({ target: { id: String(segment_id), name } })
        return yield* documentOf(store, yield* segmentAt(catalog, workspace.id, segment_id))
      }, orUnavailable),

      get: Effect.fn("management.segments.get")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        return yield* documentOf(store, yield* segmentAt(catalog, workspace.id, params.segment_id))
      }, orUnavailable),

      update: Effect.fn("management.segments.update")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { announce = false, ...changes } = payload
        const segment = params.segment_id
        yield* submit(ingest, workspace, payload, new NotFound({ detail: noSuchSegment }), (envelope) => ({
          ...envelope,
          _tag: "UpdateSegment",
          segment,
          announce,
          ...changes,
        }))
        const updated = yield* segmentAt(catalog, workspace.id, segment)
        yield* note({ target: { id: String(segment), name: updated.segment.name } })
        return yield* documentOf(store, updated)
      }, orUnavailable),

      delete: Effect.fn("management.segments.delete")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        yield* submit(ingest, workspace, null, new NotFound({ detail: noSuchSegment }), (envelope) => ({
          ...envelope,
          _tag: "DeleteSegment",
          segment: params.segment_id,
        }))
      }, orUnavailable),

      sizes: ({ params, query }) => sizesOf(params, query.days),

      people: Effect.fn("management.segments.people")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { segment } = yield* segmentAt(catalog, workspace.id, params.segment_id)
        const page = yield* catalog.members(workspace.id, segment.key, pageRequest(query))
        return yield* answerPeople(turns, page)
      }, orUnavailable),

      addPerson: Effect.fn("management.segments.addPerson")(function* ({ params }) {
        yield* changeMembership(params, "add")
        const { segments } = yield* personAt(catalog, params.w, params.svc_id)
        if (!segments.includes(params.segment_id))
          return yield* new Conflict({ detail: problemTexts.notAddable() })
      }, orUnavailable),

      removePerson: ({ params }) => orUnavailable(changeMembership(params, "remove")),
    })
  }),
)

/** Adds people to segments, and removes them. */
const membershipChange = (
  registry: Registry["Service"],
  catalog: Catalog["Service"],
  ingest: Ingest["Service"],
) =>
  Effect.fnUntraced(function* (params: MemberParams, action: "add" | "remove") {
    const workspace = yield* workspaceAt(registry, params.w)
    const { segment } = yield* segmentAt(catalog, workspace.id, params.segment_id)
    const { person } = yield* personAt(catalog, workspace.id, params.svc_id)
    yield* submit(ingest, workspace, params, new NotFound({ detail: noSuchSegment }), (envelope) => ({
      ...envelope,
      _tag: "ChangeMembership",
      action,
      segment: segment.key,
      people: [{ _tag: "BySvcId", key: person.key }],
    }))
  })

/** Reads the sizes that a segment had. */
const sizeReader = (
  registry: Registry["Service"],
  catalog: Catalog["Service"],
  sizes: SegmentSizes["Service"],
) =>
  Effect.fn("management.segments.sizes")(function* (
    { segment_id, w }: Pick<MemberParams, "segment_id" | "w">,
    days = sizeDaysDefault,
  ) {
    const workspace = yield* workspaceAt(registry, w)
    const { segment, size } = yield* segmentAt(catalog, workspace.id, segment_id)
    const today = dayNumber(yield* Clock.currentTimeMillis)
    const from = today - days + 1
    const kept = yield* sizes.since(workspace.id, segment.key, from)
    const isBuilt = segment.rule !== null || segment.next === null
    return segmentSizesDocument(segment.key, sizesByDay(kept, from, today, isBuilt ? size : null))
  }, orUnavailable)

/** Returns segments as documents, with what the builds of the workspace mean for them. */
export const segmentDocumentsOf = Effect.fnUntraced(function* (
  store: Store["Service"],
  records: ReadonlyArray<SegmentRecord>,
) {
  const [first] = records
  if (first === undefined) return []
  const { workspace } = first.segment
  const building = (yield* store.building).filter((one) => one.workspace === workspace)
  if (building.length === 0) return records.map((record) => segmentDocument(record))
  const keys = new Set(building.map(({ build }) => build))
  const { rules, subjects } = yield* store.view(readingOf(workspace, keys))
  const builds = [...subjects.values()].filter((subject) => subject._tag === "RuleBuild")
  const settling = builds.some(({ settles }) => settles !== null) ? aboutObjects(rules) : new Set()
  return records.map((record) => {
    const { key, next } = record.segment
    const build = builds.find((one) => one.key === next?.build)
    return segmentDocument(record, {
      settles: settling.has(key),
      ...(build !== undefined && { progress: progressOf(build) }),
    })
  })
})

const documentOf = Effect.fnUntraced(function* (store: Store["Service"], record: SegmentRecord) {
  const [document = segmentDocument(record)] = yield* segmentDocumentsOf(store, [record])
  return document
})

/** Returns a segment, or fails with a 404. */
export const segmentAt = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  key: SubjectKey,
) {
  return yield* foundOr404(yield* catalog.segment(workspace, key), noSuchSegment)
})
