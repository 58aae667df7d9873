import { partText, type StreamPart } from "@inlethq/contract/values/StreamPart"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

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
