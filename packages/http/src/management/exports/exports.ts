import { Principal } from "@inlethq/contract/access/Access"
import type { ExportKind } from "@inlethq/contract/transfer/Exports"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Gone } from "@inlethq/contract/access/Problem"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Clock, Effect, Scope, type Stream } from "effect"
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
import { ExportTurns } from "./ExportTurns.ts"
import { replayLines } from "./replayLines.ts"
import { validActivityRequest } from "../activity/validActivityRequest.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { periodOf, type Period } from "@inlethq/log/reading/receiptPeriod"
import { personLines } from "./personLines.ts"
import { personAt, workspaceAt } from "../answers/lookup.ts"
import { orUnavailable } from "../../problems/problems.ts"

export const exportHandlers = HttpApiBuilder.group(
  ManagementApi,
  "exports",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const snapshots = yield* Snapshots
    const store = yield* Store
    const turns = yield* Turns
    const brand = yield* BrandInUse
    const exportTurns = new ExportTurns()

    const exporter = (
      kind: ExportKind,
      lines: (source: ExportSource, period: Period) => Stream.Stream<Piece, StoreUnavailable>,
    ) =>
      Effect.fn(`management.exports.${kind}`)(function* ({ params, query = {} }: ExportCall) {
        const { source, turn } = yield* sourceOf(params.w)
        yield* note({ details: query })
        return yield* exportResponse(lines(source, periodOf(query)), turn)
      }, orUnavailable)

    /** Waits for a turn and opens what is exported. */
    const sourceOf = Effect.fnUntraced(function* (w: WorkspaceId) {
      const { id } = yield* workspaceAt(registry, w)
      const { id: token } = yield* Principal
      // The turn belongs to the scope of the request, which closes after the response was sent.
      const turn = yield* exportTurns.take({ workspace: id, token })
      const snapshot = yield* Scope.provide(snapshots.open(id), turn.scope)
      return { turn, source: { snapshot, workspace: id, turns, brand } }
    })

    return handlers.handleAll({
      replay: Effect.fn("management.exports.replay")(function* ({ params, query }) {
        const { filter, from = Sequence.make(1), to = null } = query
        const requested = yield* validActivityRequest(filter === undefined ? {} : { filter }, null)
        const workspace = yield* workspaceAt(registry, params.w)
        const { source, turn } = yield* sourceOf(params.w)
        const position = yield* source.snapshot.prunedTo(params.w)
        if (from <= position) return yield* new Gone({ detail: problemTexts.beforeHistory({ position }) })
        yield* note({ details: query })
        return yield* exportResponse(replayLines(source, workspace, { from, to }, requested), turn)
      }, orUnavailable),

      person: Effect.fn("management.exports.person")(function* ({ params }) {
        const { source, turn } = yield* sourceOf(params.w)
        const record = yield* personAt(source.snapshot, source.workspace, params.svc_id)
        yield* note({ target: { id: params.svc_id } })
        const now = yield* Clock.currentTimeMillis
        return yield* exportResponse(personLines({ ...source, store, now }, record), turn)
      }, orUnavailable),

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
