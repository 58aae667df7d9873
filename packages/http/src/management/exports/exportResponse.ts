import { ExportBroken, ExportEnd, type ExportTrailer } from "@inlethq/contract/transfer/Exports"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Cause, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { AccessEnds } from "../../access/AccessEnds.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { Draining } from "../node/Draining.ts"
import { Ended } from "./Ended.ts"
import type { ExportTurn } from "./ExportTurns.ts"
import type { Piece } from "./exportLines.ts"

/**
 * Responds with the lines of an export. The last line says whether the export is complete. An export with a turn loses it if the
 * client does not read.
 */
export const exportResponse = Effect.fnUntraced(function* (
  pieces: Stream.Stream<Piece, StoreUnavailable>,
  turn: ExportTurn | null = null,
) {
  const ended = Effect.raceFirst(
    Effect.andThen(yield* Draining, Effect.fail(new Ended({ reason: problemTexts.exportStopped() }))),
    Effect.andThen(yield* AccessEnds, Effect.fail(new Ended({ reason: problemTexts.exportAccessEnded() }))),
  )
  let count = 0
  let isInLine = false
  const inTurn = turn === null ? pieces : turn.noting(pieces)
  const lines = inTurn.pipe(
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
})

const lineOf = (trailer: typeof ExportTrailer.Type): string => `${JSON.stringify(trailer)}\n`

const reasonOf = (cause: Cause.Cause<StoreUnavailable | Ended>): string => {
  const [error] = cause.reasons.flatMap((reason) => (Cause.isFailReason(reason) ? [reason.error] : []))
  return error?.message ?? problemTexts.failed()
}
