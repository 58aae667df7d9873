import { managementPath } from "@inlethq/contract/values/managementPath"
import { StreamReader } from "@inlethq/contract/values/StreamPart"
import { Data, Effect, Ref, Result, Schedule, Schema, Stream } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { CommandFailed, WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { Connection } from "../server/Connection.ts"

/** A stream that sends nothing for this time counts as lost. The server sends a heartbeat every 15 seconds. */
const silenceMax = "45 seconds"

/** The waits between attempts to reconnect to the server. */
const reconnecting = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("3 seconds")])

/** The connection to the server has ended. The command can reconnect. */
class Lost extends Data.TaggedError("Lost") {}

/**
 * The activity stream to follow: its filter, its starting position, and the effects to run for each entry, after a lost
 * connection and after a reconnection.
 */
export interface Follow<E, R> {
  readonly filter: string
  /** The stream starts after the entry with this `Last-Event-ID`. */
  readonly after: string
  readonly onEntry: (json: string) => Effect.Effect<void, E, R>
  readonly onLost: Effect.Effect<void>
  readonly onReconnected: Effect.Effect<void>
}

/**
 * Follows the activity of the workspace until interrupted. After a lost connection, reconnects and resumes after the
 * last received entry, so that no entry is missing or repeated. Fails if the server refuses the request, or if the
 * first connection fails.
 */
export const followActivity = Effect.fnUntraced(function* <E, R>(follow: Follow<E, R>) {
  const position = yield* Ref.make(follow.after)
  yield* connect(follow, position, Effect.void).pipe(Effect.catchTag("Lost", () => Effect.void))
  for (;;) {
    yield* follow.onLost
    yield* connect(follow, position, follow.onReconnected).pipe(
      Effect.catchIf(HttpClientError.isHttpClientError, () => Effect.fail(new Lost())),
      Effect.retry({ while: (error) => error instanceof Lost, schedule: reconnecting }),
      Effect.catchIf(
        (error) => error instanceof Lost,
        () => Effect.void,
      ),
    )
  }
})

/** Opens the stream and reads it until the connection ends. A connection that breaks after opening is not an error. */
const connect = Effect.fnUntraced(function* <E, R>(
  { filter, onEntry }: Follow<E, R>,
  position: Ref.Ref<string>,
  onOpen: Effect.Effect<void>,
) {
  const { token, url, workspace } = yield* Connection
  const request = HttpClientRequest.get(
    `${url}${managementPath}/workspaces/${workspace}/activity/stream`,
  ).pipe(
    HttpClientRequest.setUrlParams(filter === "" ? {} : { filter }),
    HttpClientRequest.bearerToken(yield* Effect.fromResult(token)),
    HttpClientRequest.setHeader("last-event-id", yield* Ref.get(position)),
  )
  const response = yield* HttpClient.execute(request)
  if (response.status !== 200) return yield* refusal(response.status, yield* response.text)
  yield* onOpen
  yield* response.stream.pipe(
    Stream.decodeText,
    Stream.timeout(silenceMax),
    Stream.catchIf(HttpClientError.isHttpClientError, () => Stream.empty),
    Stream.mapAccum(
      () => new StreamReader(),
      (reader, piece) => [reader, reader.add(piece)] as const,
    ),
    Stream.runForEach(({ data, id }) =>
      Effect.andThen(data === null ? Effect.void : onEntry(data), Ref.set(position, id)),
    ),
  )
})

const Problem = Schema.fromJsonString(Schema.Struct({ detail: Schema.String }))

const refusal = (status: number, text: string): Effect.Effect<never, Lost | CommandFailed | WrongOption> => {
  if (status >= 500 || status === 429) return Effect.fail(new Lost())
  if (status === 401) return Effect.fail(new CommandFailed({ message: cliTexts.wrongToken() }))
  const problem = Result.getOrUndefined(Schema.decodeUnknownResult(Problem)(text))
  if (problem === undefined) return Effect.fail(new CommandFailed({ message: cliTexts.unknownAnswer() }))
  const { detail: message } = problem
  return status === 400
    ? Effect.fail(new WrongOption({ message }))
    : Effect.fail(new CommandFailed({ message }))
}
