import { ExportedSegment } from "@inlet/api/management/Exports"
import type { SegmentCursor } from "@inlet/api/management/Cursor"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect, Schema, Stream } from "effect"
import { Connection } from "../server/Connection.ts"
import { expectExport, linesOf } from "./exportedLines.ts"
import { ImportTally, orUnfinished } from "./ImportTally.ts"

/** The largest number of people that one request adds to a segment. */
const idsPerCall = 500

type Exported = typeof ExportedSegment.Type

const decodeSegment = Schema.decodeUnknownEffect(Schema.fromJsonString(ExportedSegment))

/**
 * Imports segments that `inlet export` wrote. If a segment with the same name exists, adds the people to that segment.
 * People must be imported first.
 */
export const importSegments = Effect.fnUntraced(function* (file: string) {
  yield* expectExport("segments", file)
  const known = yield* segmentsByName
  const tally = new ImportTally()
  yield* linesOf(file).pipe(
    Stream.runForEach(
      Effect.fnUntraced(function* ({ number, text }) {
        const decoded = yield* Effect.result(decodeSegment(text))
        if (decoded._tag === "Failure") {
          const problem = decoded.failure.message.replaceAll(/\s+/g, " ")
          tally.fail(number, `not an exported document of segments: ${problem}`)
        } else {
          const segment = decoded.success
          const id = known.get(segment.name) ?? (yield* createSegment(segment))
          known.set(segment.name, id)
          yield* addMembers(id, segment)
        }
        tally.settle(number)
      }),
    ),
    orUnfinished(tally),
  )
  return tally.summary
})

const segmentsByName = Effect.gen(function* () {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const known = new Map<string, number>()
  let after: typeof SegmentCursor.Type | null | undefined
  while (after !== null) {
    const query = { limit: 1000, ...(after === undefined ? {} : { after }) }
    const page: {
      readonly items: ReadonlyArray<{ readonly name: string; readonly segment_id: number }>
      readonly next: typeof SegmentCursor.Type | null
    } = yield* client.segments.list({ params: { w: workspace }, query })
    for (const { name, segment_id } of page.items) known.set(name, segment_id)
    after = page.next
  }
  return known
})

const createSegment = Effect.fnUntraced(function* ({ description, name }: Exported) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const { segment_id } = yield* client.segments.create({
    params: { w: workspace },
    payload: { name, description },
  })
  return segment_id
})

const addMembers = Effect.fnUntraced(function* (segment: number, { members }: Exported) {
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
