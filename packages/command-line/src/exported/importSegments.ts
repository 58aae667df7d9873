import { ExportedSegment } from "@inlethq/contract/transfer/Exports"
import type { RuleJson } from "@inlethq/core/rule/ruleLanguage"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { PersonCursor, SegmentCursor } from "@inlethq/contract/values/Cursor"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Schedule, Schema, Stream } from "effect"
import { cliTexts } from "../texts/cliTexts.ts"
import { Connection } from "../server/Connection.ts"
import { expectExport, linesOf } from "./exportedLines.ts"
import type { ImportSource } from "./ImportSource.ts"
import { ImportTally, orUnfinished } from "./ImportTally.ts"
import { withNewSegments } from "./renamedSegments.ts"

/** The largest number of people that one request adds to a segment. */
const idsPerCall = 500

/** The pause between two looks at a rule that is being built, and how often it is looked at, which is for ten minutes. */
const lookEvery = "250 millis"
const looksMax = 2400

/** The number of items in a page of a list. */
const listLimit = 1000

type Exported = typeof ExportedSegment.Type

/** A segment with the ids that its rule names here. */
type Renamed = Exported & { readonly rule: RuleJson | null }

const decodeSegment = Schema.decodeUnknownEffect(Schema.fromJsonString(ExportedSegment))

/**
 * Imports segments that `inlet export` wrote. An exported segment is matched with the segment of the same name, and the
 * second of a name with the second that exists, so that segments of one name stay apart. Adds the people that a matched
 * segment lacks; who is in a segment by rule is decided by its rule. People must be imported first.
 */
export const importSegments = Effect.fnUntraced(function* (source: ImportSource) {
  yield* expectExport("segments", source)
  const known = yield* segmentsByName
  const tally = new ImportTally()
  const newIds = new Map<number, SubjectKey>()
  let waiting: ReadonlyArray<{ readonly number: number; readonly segment: Exported }> = []
  let paused: ReadonlyArray<{ readonly number: number; readonly id: SubjectKey }> = []
  /** Imports a segment, unless its rule names one that is not imported yet. */
  const take = Effect.fnUntraced(function* (number: number, segment: Exported) {
    const { name, rule } = segment
    const existing = known.get(name)?.[0]
    const renamed = rule === null ? null : withNewSegments(rule, newIds)
    if (rule !== null && renamed === null && existing === undefined) return false
    known.get(name)?.shift()
    const { id, isChanged } = yield* importSegment({ ...segment, rule: renamed }, existing)
    newIds.set(segment.segment_id, id)
    if (isChanged) tally.take(number)
    if (isChanged && segment.state === "paused") paused = [...paused, { number, id }]
    else tally.settle(number)
    return true
  })
  yield* linesOf("segments", source).pipe(
    Stream.runForEach(
      Effect.fnUntraced(function* ({ number, text }) {
        const decoded = yield* Effect.result(decodeSegment(text))
        if (decoded._tag === "Failure") {
          const problem = decoded.failure.message.replaceAll(/\s+/g, " ")
          tally.fail(number, `not an exported document of segments: ${problem}`)
          tally.settle(number)
        } else if (!(yield* take(number, decoded.success))) {
          waiting = [...waiting, { number, segment: decoded.success }]
        }
      }),
    ),
    orUnfinished(tally),
  )
  // A rule can name a segment that comes later in the file.
  for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
    before = waiting.length
    waiting = yield* Effect.filter(waiting, ({ number, segment }) =>
      Effect.map(take(number, segment), (isTaken) => !isTaken),
    )
  }
  for (const { number } of waiting) {
    tally.fail(number, "the rule names a segment that is not in the file")
    tally.settle(number)
  }
  for (const { id, number } of paused) {
    if (!(yield* pauseOnceBuilt(id))) tally.fail(number, cliTexts.notPaused({ segment: id }))
    tally.settle(number)
  }
  return tally.summary
})

/** Pauses a segment when its rule has been built. Returns false if that takes too long. */
const pauseOnceBuilt = Effect.fnUntraced(function* (segment_id: SubjectKey) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const params = { w: workspace, segment_id }
  const state = client.segments.get({ params }).pipe(
    Effect.repeat({
      schedule: Schedule.spaced(lookEvery),
      times: looksMax,
      until: (found) => found.state !== "building",
    }),
  )
  if ((yield* state).state === "building") return false
  yield* client.segments.update({ params, payload: { paused: true } })
  return true
})

/** Adds a segment, or the people that an existing one lacks. Returns its id, and whether that changed anything. */
const importSegment = Effect.fnUntraced(function* (segment: Renamed, existing: SubjectKey | undefined) {
  const isByHand = segment.kind === "manual"
  if (existing === undefined) {
    const id = yield* createSegment(segment)
    if (isByHand) yield* addMembers(id, segment.members)
    return { id, isChanged: true }
  }
  if (!isByHand) return { id: existing, isChanged: false }
  const present = yield* membersOf(existing)
  const missing = segment.members.filter(({ email, id }) => !present.has(identityOf({ email, id })))
  yield* addMembers(existing, missing)
  return { id: existing, isChanged: missing.length > 0 }
})

/** Returns the segments by name, those of one name in the order in which they were created. */
const segmentsByName = Effect.gen(function* () {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const known = new Map<string, Array<SubjectKey>>()
  let after: typeof SegmentCursor.Type | null | undefined
  while (after !== null) {
    const query = { limit: listLimit, ...(after === undefined ? {} : { after }) }
    const page: {
      readonly items: ReadonlyArray<{ readonly name: string; readonly segment_id: SubjectKey }>
      readonly next: typeof SegmentCursor.Type | null
    } = yield* client.segments.list({ params: { w: workspace }, query })
    for (const { name, segment_id } of page.items) known.set(name, [...(known.get(name) ?? []), segment_id])
    after = page.next
  }
  for (const ids of known.values()) ids.sort((a, b) => a - b)
  return known
})

interface Identity {
  readonly id: string | null
  readonly email: string | null
}

/** Returns the identifier by which a person is added to a segment. Email addresses are compared without regard to case. */
const identityOf = ({ email, id }: Identity): string =>
  id === null ? `email ${email?.toLowerCase()}` : `id ${id}`

const membersOf = Effect.fnUntraced(function* (segment_id: SubjectKey) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const present = new Set<string>()
  let after: typeof PersonCursor.Type | null | undefined
  while (after !== null) {
    const query = { limit: listLimit, ...(after === undefined ? {} : { after }) }
    const page: {
      readonly items: ReadonlyArray<Identity>
      readonly next: typeof PersonCursor.Type | null
    } = yield* client.segments.people({ params: { w: workspace, segment_id }, query })
    for (const { email, id } of page.items) present.add(identityOf({ email, id }))
    after = page.next
  }
  return present
})

const createSegment = Effect.fnUntraced(function* ({ description, name, rule }: Renamed) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const { segment_id } = yield* client.segments.create({
    params: { w: workspace },
    payload: { name, description, rule },
  })
  return segment_id
})

const addMembers = Effect.fnUntraced(function* (segment: SubjectKey, members: Exported["members"]) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const byId = members.flatMap(({ id }) => id ?? [])
  const byEmail = members.flatMap(({ email, id }) => (id === null ? (email ?? []) : []))
  for (const [id_type, ids] of [
    ["id", byId],
    ["email", byEmail],
  ] as const) {
    for (let from = 0; from < ids.length; from += idsPerCall) {
      yield* client.activity.apply({
        params: { w: workspace },
        payload: {
          type: "segment",
          action: "add",
          segment_id: segment,
          id_type,
          ids: ids.slice(from, from + idsPerCall),
        },
      })
    }
  }
})
