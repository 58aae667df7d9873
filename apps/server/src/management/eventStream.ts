import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/** A part of a stream of server-sent events: an event, or a sign of life that says how far the stream has come. */
export interface StreamPart {
  /** Where the client goes on after a break. */
  readonly id: string
  /** What the event carries, as JSON; null in a sign of life. */
  readonly data: string | null
}

/** Answers with server-sent events until the client leaves, the parts end, or the server begins to stop. */
export const eventStreamResponse = <E>(
  parts: Stream.Stream<StreamPart, E>,
  draining: Effect.Effect<void>,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    parts.pipe(
      Stream.map(partText),
      Stream.encodeText,
      // A client that sees the stream end comes back with the id that it saw last.
      Stream.catchCause((cause) =>
        Stream.fromEffectDrain(Effect.logWarning("a stream of activity broke off", cause)),
      ),
      Stream.interruptWhen(draining),
    ),
    { contentType: "text/event-stream", headers: { "x-accel-buffering": "no" } },
  )

const partText = ({ data, id }: StreamPart): string =>
  `id: ${id}\n${data === null ? ": here" : `data: ${data}`}\n\n`
