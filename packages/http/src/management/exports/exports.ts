import { ExportBroken, ExportEnd, type ExportKind, type ExportTrailer } from "@inlet/api/management/Exports"
import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { Snapshots } from "@inlet/core/catalog/Snapshots"
import { Turns } from "@inlet/core/catalog/ReadTurns"
import { Registry } from "@inlet/core/ports/Registry"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { Cause, Effect, Schema, Semaphore, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { AccessEnds } from "../../access/AccessEnds.ts"
import { details } from "../../problems/details.ts"
import { Draining } from "../Draining.ts"
import {
  activityLines,
  deliveryLines,
  eventLines,
  objectLines,
  peopleLines,
  segmentLines,
  type ExportSource,
  type Piece,
} from "./exportLines.ts"
import { periodOf, type Period } from "@inlet/api/log/receiptPeriod"
import { workspaceAt } from "../answers/lookup.ts"
import { orUnavailable } from "../../problems/problems.ts"

/**
 * The largest number of exports that run at the same time. The number is small, because each export keeps a snapshot
 * open. Further exports wait.
 */
const exportsMax = 2

export const exportHandlers = HttpApiBuilder.group(
  ManagementApi,
  "exports",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const snapshots = yield* Snapshots
    const turns = yield* Turns
    const brand = yield* BrandInUse
    const draining = yield* Draining
    const running = yield* Semaphore.make(exportsMax)

    const exporter = (
      kind: ExportKind,
      lines: (source: ExportSource, period: Period) => Stream.Stream<Piece, StoreUnavailable>,
    ) =>
      Effect.fn(`management.exports.${kind}`)(function* ({ params, query = {} }: ExportCall) {
        const { id } = yield* workspaceAt(registry, params.w)
        // The permit belongs to the scope of the request, which closes after the response was sent. The wait for a
        // permit is interruptible, so that a client that disconnects leaves the queue.
        yield* Effect.acquireRelease(Semaphore.take(running, 1), () => Semaphore.release(running, 1), {
          interruptible: true,
        })
        const snapshot = yield* snapshots.open(id)
        const ended = Effect.raceFirst(
          Effect.andThen(draining, Effect.fail(new Ended({ reason: details.exportStopped() }))),
          Effect.andThen(yield* AccessEnds, Effect.fail(new Ended({ reason: details.exportAccessEnded() }))),
        )
        return exportResponse(lines({ snapshot, workspace: id, turns, brand }, periodOf(query)), ended)
      }, orUnavailable)

    return handlers.handleAll({
      people: exporter("people", peopleLines),
      events: exporter("events", eventLines),
      objects: exporter("objects", objectLines),
      segments: exporter("segments", segmentLines),
      deliveries: exporter("deliveries", deliveryLines),
      activity: exporter("activity", activityLines),
    })
  }),
)

/** The parameters of an export. Only exports of events and of activity have query parameters. */
interface ExportCall {
  readonly params: { readonly w: WorkspaceId }
  readonly query?: { readonly since?: string; readonly until?: string }
}

/** An export was ended before it was complete. */
class Ended extends Schema.TaggedError<Ended>()("Ended", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Responds with the lines of an export. The last line says whether the export is complete. */
const exportResponse = (
  pieces: Stream.Stream<Piece, StoreUnavailable>,
  ended: Effect.Effect<never, Ended>,
): HttpServerResponse.HttpServerResponse => {
  let count = 0
  let isInLine = false
  const lines = pieces.pipe(
    Stream.interruptWhen(ended),
    Stream.map((piece) => {
      count += piece.lines
      isInLine = !piece.text.endsWith("\n")
      return piece.text
    }),
  )
  const end = Stream.sync(() => lineOf(ExportEnd.make({ end: true, count })))
  const whole = Stream.catchCause(Stream.concat(lines, end), (cause) => {
    const error = reasonOf(cause)
    const last = lineOf(ExportBroken.make({ end: false, count, error }))
    return Stream.fromEffect(
      Effect.as(Effect.logWarning("an export was interrupted", cause), isInLine ? `\n${last}` : last),
    )
  })
  return HttpServerResponse.stream(Stream.encodeText(whole), {
    contentType: "application/x-ndjson",
    headers: { "x-accel-buffering": "no" },
  })
}

const lineOf = (trailer: typeof ExportTrailer.Type): string => `${JSON.stringify(trailer)}\n`

const reasonOf = (cause: Cause.Cause<StoreUnavailable | Ended>): string => {
  const [error] = cause.reasons.flatMap((reason) => (Cause.isFailReason(reason) ? [reason.error] : []))
  return error?.message ?? details.failed()
}
