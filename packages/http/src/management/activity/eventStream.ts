import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/** An event or a heartbeat in a stream of server-sent events. A heartbeat has only the position in the stream. */
export interface StreamPart {
  /** The `Last-Event-ID` with which a client resumes after this event or heartbeat. */
  readonly id: string
  /** The event's data as JSON, or null for a heartbeat. */
  readonly data: string | null
}

/** Responds with server-sent events until the client disconnects, the events end, or `ended` completes. */
export const eventStreamResponse = <E>(
  parts: Stream.Stream<StreamPart, E>,
  ended: Effect.Effect<void>,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    parts.pipe(
      Stream.map(partText),
      Stream.encodeText,
      // After an error, the response ends normally, without an error event. The client then reconnects with the last id
      // that it received.
      Stream.catchCause((cause) =>
        Stream.fromEffectDrain(Effect.logWarning("an activity stream failed", cause)),
      ),
      Stream.interruptWhen(ended),
    ),
    { contentType: "text/event-stream", headers: { "x-accel-buffering": "no" } },
  )

const partText = ({ data, id }: StreamPart): string =>
  `id: ${id}\n${data === null ? ": here" : `data: ${data}`}\n\n`
