import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Console, Duration, Effect, identity, Option, Ref, Schedule, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpMethod } from "effect/http"
import { CommandFailed, WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { JsonOutput } from "../output/JsonOutput.ts"
import { clip, printable } from "../output/text.ts"
import { Connection } from "../server/Connection.ts"
import { givenKey, newKey, ownKey, type Credential } from "./Keyring.ts"

/** A request to an ingestion API. */
interface IngestionCall {
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  readonly body?: Schema.Json
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

/** A function that sends calls with one key. */
export type Ingestion = Effect.Success<ReturnType<typeof openIngestion>>

/**
 * Returns a function that sends calls to an ingestion API with the key of the environment, or with the command line's
 * own key for the selected workspace. Prints, for people, to which workspace the calls go. Fails if the environment's
 * key belongs to another workspace than the one that an option or a variable selects.
 */
export const openIngestion = Effect.fnUntraced(function* (kind: Credential["kind"]) {
  const { isWanted: json } = yield* JsonOutput
  const { ingestionUrl, readsKeys, workspace } = yield* Connection
  const given = readsKeys ? givenKey(kind) : undefined
  const target = given === undefined ? workspace : yield* workspaceOfKey(given)
  const send = given === undefined ? yield* openWithOwnKey(kind) : senderWith(given)
  if (!json) yield* Console.error(`Sending to workspace ${target} at ${ingestionUrl}`)
  return send
})

/** Like `openIngestion`, but does not use the keys of the environment. */
const openWithOwnKey = Effect.fnUntraced(function* (kind: Credential["kind"]) {
  const key = yield* Ref.make(yield* ownKey(kind))
  return Effect.fnUntraced(function* (call: IngestionCall) {
    const answer = yield* attempt(call, yield* Ref.get(key))
    if (answer.status !== 401) return answer
    // The server does not know the stored key, for example because it has a new database.
    yield* Ref.set(key, yield* newKey(kind))
    return yield* attempt(call, yield* Ref.get(key))
  })
})

type GivenKey = NonNullable<ReturnType<typeof givenKey>>

const senderWith = ({ credential, variables }: GivenKey) =>
  Effect.fnUntraced(function* (call: IngestionCall) {
    const answer = yield* attempt(call, credential)
    if (answer.status === 401) {
      return yield* new CommandFailed({ message: cliTexts.wrongKey({ variables }) })
    }
    return answer
  })

const Region = Schema.fromJsonString(Schema.Struct({ environment_id: WorkspaceId }))

/**
 * Returns the workspace of a key, by the region lookup (contract §2). Fails if an option or a variable selects another
 * workspace.
 */
const workspaceOfKey = Effect.fnUntraced(function* (given: GivenKey) {
  const { workspace, workspaceFrom } = yield* Connection
  const path = given.credential.kind === "track" ? "/api/v1/accounts/region" : "/v1/accounts/region"
  const answer = yield* senderWith(given)({ method: "GET", path })
  const { environment_id: found } = yield* Schema.decodeUnknownEffect(Region)(answer.text).pipe(
    Effect.mapError(() => new CommandFailed({ message: cliTexts.unknownAnswer() })),
  )
  if (workspaceFrom !== null && found !== workspace) {
    const { variables } = given
    return yield* new WrongOption({
      message: cliTexts.otherWorkspace({ variables, found, option: workspaceFrom, chosen: workspace }),
    })
  }
  return found
})

const attempt = Effect.fnUntraced(
  function* ({ body, method, path }: IngestionCall, { password, user }: Credential) {
    const { ingestionUrl } = yield* Connection
    const request = HttpClientRequest.make(method)(`${ingestionUrl}${path}`).pipe(
      HttpClientRequest.basicAuth(user, password),
      HttpClientRequest.setHeader("x-strict-mode", "1"),
      body === undefined ? identity : HttpClientRequest.bodyJsonUnsafe(body),
    )
    const response = yield* HttpClient.execute(request)
    if (busyStatuses.includes(response.status)) return yield* new Busy({ status: response.status })
    if (response.status === 404) {
      const { origin } = new URL(ingestionUrl)
      return yield* new CommandFailed({ message: cliTexts.noIngestionHere({ origin }) })
    }
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
