import type { PersonNames, SegmentRecord } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import type { Envelope } from "@inlethq/core/fold/Envelope"
import { hasRule } from "@inlethq/core/state/Segment"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { isJsonObject, type JsonObject, utf8Bytes } from "@inlethq/core/values/Json"
import type { Page } from "@inlethq/core/values/Page"
import { sentenceOf } from "@inlethq/wire/texts/sentences"
import { segmentDocumentsOf } from "../management/segments/segments.ts"
import { managementEnvelope } from "../management/operations/managementEnvelope.ts"
import { Effect, Option } from "effect"
import { answerLists, json, list, refuse } from "./AppAnswer.ts"
import type { AppCall, AppEndpoint } from "./AppCall.ts"
import { nextStart } from "./AppQuery.ts"
import { appTexts } from "./appTexts.ts"
import { seconds } from "./customerDocuments.ts"
import { answerIdentifiers, bodyObject } from "./customers.ts"

/** The segments in one read of the list, which is answered as a whole. */
const segmentsPerRead = 1000

/** The most segments that the list shows, the newest. */
const segmentsListedMax = 10_000

/** The members on a page if the call gives no limit. */
const membersUsual = 1000

/** The most members on a page. */
const membersMax = 30_000

/** The members in one read of a page. */
const membersPerRead = 5000

/** The longest name of a segment, in characters. */
const nameMax = 200

const membersLetter = "m"

/** Returns segments as the App API shows them. */
const documentsOf = Effect.fnUntraced(function* (call: AppCall, records: ReadonlyArray<SegmentRecord>) {
  const known = yield* segmentDocumentsOf(call.store, records)
  return records.map(({ segment }, i): JsonObject => {
    const { kind, progress = null, state = null } = known[i] ?? {}
    const isBuilding = state === "building"
    const updated = Math.max(segment.createdAt, segment.silentBuild?.at ?? 0)
    return {
      id: segment.key,
      deduplicate_id: `${segment.key}:${seconds(updated)}`,
      name: segment.name,
      description: segment.description ?? "",
      state: isBuilding ? "build" : "finished",
      progress: isBuilding ? Math.floor((progress ?? 0) * 100) : null,
      type: kind === "rule" ? "dynamic" : "manual",
      tags: null,
      created_at: seconds(segment.createdAt),
      updated_at: seconds(updated),
    }
  })
})

export const listSegments: AppEndpoint = Effect.fn("app.segments.list")(function* (call) {
  const { catalog, turns, workspace } = call
  const documents: Array<JsonObject> = []
  for (let after: SubjectKey | null = null; ;) {
    const page: Page<SegmentRecord, SubjectKey> = yield* catalog.segments(workspace.id, {
      after,
      limit: segmentsPerRead,
      order: "desc",
    })
    documents.push(...(yield* documentsOf(call, page.items)))
    after = page.next
    if (after === null || documents.length >= segmentsListedMax) break
  }
  return yield* answerLists(turns, { segments: list(documents, (document) => document) })
})

/** Returns the segment in the path, or refuses with a 404. */
const segmentIn = Effect.fnUntraced(function* ({ catalog, parameters, workspace }: AppCall) {
  const [text = ""] = parameters
  const found = /^[1-9]\d{0,14}$/.test(text)
    ? yield* catalog.segment(workspace.id, SubjectKey.make(Number(text)))
    : Option.none()
  return Option.isSome(found) ? found.value : yield* refuse(404, appTexts.notFound({ thing: "segment" }))
})

const answerSegment = Effect.fnUntraced(function* (call: AppCall, record: SegmentRecord) {
  const [segment = null] = yield* documentsOf(call, [record])
  return json({ segment })
})

export const getSegment: AppEndpoint = Effect.fn("app.segments.get")(function* (call) {
  return yield* answerSegment(call, yield* segmentIn(call))
})

/** Applies a command of the holder of the key in one commit, and returns the key of what it is about. */
const submit = Effect.fnUntraced(function* (
  { body, ingest, workspace }: AppCall,
  command: (envelope: Envelope) => Command,
) {
  const envelope = yield* managementEnvelope(workspace)
  const [entry] = yield* ingest.submit([command(envelope)], utf8Bytes(JSON.stringify(body)))
  if (entry?.outcome === "rejected") return yield* refuse(400, sentenceOf("cio", entry.reasons) ?? "")
  return entry?.subject ?? (yield* refuse(404, appTexts.notFound({ thing: "segment" })))
})

/** `POST /v1/segments`: a manual segment without people. */
export const createSegment: AppEndpoint = Effect.fn("app.segments.create")(function* (call) {
  const { segment } = bodyObject(call)
  const { description = "", name } = isJsonObject(segment) ? segment : {}
  const isValid =
    typeof name === "string" &&
    name.trim() !== "" &&
    name.length <= nameMax &&
    typeof description === "string"
  if (!isValid) return yield* refuse(400, appTexts.wrongName({ max: nameMax }))
  const key = yield* submit(call, (envelope) => ({
    ...envelope,
    _tag: "CreateSegment",
    name: name.trim(),
    description: description === "" ? null : description,
    rule: null,
    announce: false,
  }))
  return yield* getSegment({ ...call, parameters: [String(key)] })
})

export const deleteSegment: AppEndpoint = Effect.fn("app.segments.delete")(function* (call) {
  const { segment } = yield* segmentIn(call)
  if (hasRule(segment)) return yield* refuse(400, appTexts.ruleSegment({ id: segment.key }))
  yield* submit(call, (envelope) => ({ ...envelope, _tag: "DeleteSegment", segment: segment.key }))
  return { status: 204, json: null }
})

export const segmentCount: AppEndpoint = Effect.fn("app.segments.count")(function* (call) {
  const { segment, size } = yield* segmentIn(call)
  return json({ segment_id: segment.key, count: size })
})

/** `GET …/membership`: the people in a segment in the order of their keys, so that a cursor survives writes. */
export const segmentMembership: AppEndpoint = Effect.fn("app.segments.membership")(function* (call) {
  const { catalog, query, workspace } = call
  const limit = yield* query.limit(membersUsual, membersMax)
  let after = yield* query.startKey(membersLetter)
  const { segment } = yield* segmentIn(call)
  const people: Array<PersonNames> = []
  do {
    const page = yield* catalog.memberNames(workspace.id, segment.key, {
      after,
      limit: Math.min(membersPerRead, limit - people.length),
      order: "asc",
    })
    people.push(...page.items)
    after = page.next
  } while (after !== null && people.length < limit)
  return yield* answerIdentifiers(call, people, {
    segment_id: segment.key,
    next: nextStart(membersLetter, after),
  })
})

/** `GET …/used_by`: nothing uses a segment, because Inlet has no campaigns and newsletters. */
export const segmentUses: AppEndpoint = Effect.fn("app.segments.usedBy")(function* (call) {
  const { segment } = yield* segmentIn(call)
  const used_by = { campaigns: [], sent_newsletters: [], draft_newsletters: [] }
  return json({ segment_id: segment.key, used_by })
})
