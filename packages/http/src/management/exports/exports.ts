import type { ExportKind } from "@inlet/api/management/Exports"
import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { Snapshots } from "@inlet/core/catalog/Snapshots"
import { Turns } from "@inlet/engine/reads/ReadTurns"
import { Registry } from "@inlet/core/ports/Registry"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect, Semaphore, type Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { note } from "../../audit/note.ts"
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
import { exportResponse } from "./exportResponse.ts"
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
        yield* note({ details: query })
        return yield* exportResponse(lines({ snapshot, workspace: id, turns, brand }, periodOf(query)))
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
