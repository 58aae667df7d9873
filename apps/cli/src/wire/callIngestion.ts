import { Duration, Effect, Option, Schedule, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpMethod } from "effect/http"
import { cliTexts } from "../cliTexts.ts"
import { clip, printable } from "../output/text.ts"
import { Connection } from "../server/Connection.ts"
import { CommandFailed } from "../server/onServer.ts"
import { keyFor, newKey, type Credential } from "./Keyring.ts"

/** A request to an ingestion API. `kind` selects the API and the key. */
export interface IngestionCall {
  readonly kind: Credential["kind"]
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  readonly body: Schema.Json
}

/** The answer of an ingestion API. `text` is its body. */
export interface IngestionAnswer {
  readonly status: number
  readonly text: string
  readonly contentType: string
  /** The id of the log entry, or null if nothing was recorded. */
  readonly operationId: string | null
}

/** The status codes of a server that asks its clients to try again later. */
const busyStatuses = [429, 503]

/** The largest number of attempts of a call while the server is busy. */
const attemptsMax = 10

/** The pause between two attempts of a call. */
const pause = "1 second"

/** The error for a call that a busy server has refused. The call was not applied. */
class Busy extends Schema.TaggedError<Busy>()("Busy", { status: Schema.Int }) {}

/**
 * Sends a request to an ingestion API, and repeats the request while the server is busy. If the server does not know
 * the stored key (for example, because the server has a new database), creates another key and sends the request once
 * more.
 */
export const callIngestion = Effect.fnUntraced(function* (call: IngestionCall) {
  const key = yield* keyFor(call.kind)
  const first = yield* attempt(call, key.credential)
  const answer = first.status === 401 && key.isOwn ? yield* attempt(call, yield* newKey(call.kind)) : first
  if (answer.status === 401) {
    const variables = call.kind === "track" ? "INLET_SITE_ID and INLET_API_KEY" : "INLET_WRITE_KEY"
    return yield* new CommandFailed({ message: cliTexts.wrongKey({ variables }) })
  }
  return answer
})

const attempt = Effect.fnUntraced(
  function* ({ body, method, path }: IngestionCall, { password, user }: Credential) {
    const { ingestionUrl } = yield* Connection
    const request = HttpClientRequest.make(method)(`${ingestionUrl}${path}`).pipe(
      HttpClientRequest.basicAuth(user, password),
      HttpClientRequest.setHeader("x-strict-mode", "1"),
      HttpClientRequest.bodyJsonUnsafe(body),
    )
    const response = yield* HttpClient.execute(request)
    if (busyStatuses.includes(response.status)) return yield* new Busy({ status: response.status })
    const answer: IngestionAnswer = {
      status: response.status,
      text: yield* response.text,
      contentType: response.headers["content-type"] ?? "",
      operationId: response.headers["inlet-operation-id"] ?? null,
    }
    return answer
  },
  Effect.retry({
    while: (error) => error._tag === "Busy",
    times: attemptsMax - 1,
    schedule: Schedule.spaced(Duration.fromInputUnsafe(pause)),
  }),
  Effect.catchTag("Busy", ({ status }) =>
    Effect.fail(new CommandFailed({ message: cliTexts.serverBusy({ status }) })),
  ),
)

/** The bodies of error answers of the ingestion APIs. */
const Refusal = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({
      errors: Schema.NonEmptyArray(Schema.Struct({ field: Schema.String, message: Schema.String })),
    }),
    Schema.Struct({ meta: Schema.Struct({ error: Schema.String }) }),
    Schema.Struct({ meta: Schema.Struct({ errors: Schema.NonEmptyArray(Schema.String) }) }),
    Schema.Struct({ message: Schema.String }),
  ]),
)

/** Fails if the server has refused a request. */
export const orRefused = (answer: IngestionAnswer): Effect.Effect<IngestionAnswer, CommandFailed> =>
  answer.status < 300
    ? Effect.succeed(answer)
    : Effect.fail(new CommandFailed({ message: cliTexts.refused({ problem: problemIn(answer) }) }))

/** The width, in terminal cells, to which a plain text answer is cut in an error message. */
const plainTextWidthMax = 200

const problemIn = (answer: IngestionAnswer): string => {
  const refusal = Option.getOrUndefined(Schema.decodeUnknownOption(Refusal)(answer.text))
  if (refusal === undefined)
    return [`status ${answer.status}`, plainTextIn(answer)].filter(Boolean).join(": ")
  if ("message" in refusal) return refusal.message
  if ("errors" in refusal) {
    return refusal.errors
      .map(({ field, message }) => (field === "" ? message : `${field}: ${message}`))
      .join("; ")
  }
  return "error" in refusal.meta ? refusal.meta.error : refusal.meta.errors.join("; ")
}

/** Returns the text of a plain text answer, such as the answer for an unknown segment. Otherwise returns an empty text. */
const plainTextIn = ({ contentType, text }: IngestionAnswer): string =>
  contentType.startsWith("text/plain") ? clip(printable(text.trim()), plainTextWidthMax) : ""
