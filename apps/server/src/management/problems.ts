import { ProblemAnswers } from "@inlet/api/management/Authorization"
import { InternalError, InvalidRequest, NotFound, Unavailable } from "@inlet/api/management/Problem"
import { Overloaded } from "@inlet/core/engine/IngestBounds"
import { StoreUnavailable } from "@inlet/core/ports/Store"
import { ByteSize, Effect, identity, Layer, type SchemaAST, SchemaIssue, type Types } from "effect"
import {
  HttpEffect,
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
  ProblemDetails,
} from "effect/http"
import { HttpApiError } from "effect/http-api"
import { STATUS_CODES } from "node:http"
import { details } from "./details.ts"

/** When a client should come again after the store could not answer. */
const retryAfterSeconds = 1

/** One body of the management API; what is streamed has limits of its own. */
const bodyBytesMax = ByteSize.mebibytes(1)

/** Makes problem details of everything that is no success (RFC 9457), and keeps answers out of caches. */
export const problemAnswers = Layer.succeed(ProblemAnswers, (answer, { endpoint }) =>
  (endpoint.query === undefined ? Effect.andThen(refuseQuery, answer) : answer).pipe(
    endpoint.payload.size > 0 ? unlessCompressed : identity,
    Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyBytesMax),
    Effect.catchDefect(problemOfDefect),
    Effect.map((response) => asProblem(response, [...endpoint.payload.keys()])),
    Effect.map(HttpServerResponse.setHeader("cache-control", "no-store")),
    Effect.catch((error): Effect.Effect<never, InvalidRequest | NotFound | InternalError | Types.unhandled> =>
      HttpApiError.HttpApiSchemaError.is(error) ? problemOfSchema(error) : Effect.fail(error),
    ),
  ),
)

const noSuchField = "there is no such field"

/** Refuses whatever stands in the query of a call that takes none. */
const refuseQuery = Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
  const names = Object.keys(query)
  if (names.length === 0) return Effect.void
  return Effect.fail(
    new InvalidRequest({ detail: names.map((name) => details.unknownField({ field: name })).join("; ") }),
  )
})

/** Refuses a compressed body before it is read as if it were none. */
const unlessCompressed = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase()
    return encoding === "" || encoding === "identity" ? answer : Effect.succeed(compressed)
  })

/** A problem without anything special about it. */
export const problemResponse = (status: number, detail: string): HttpServerResponse.HttpServerResponse =>
  ProblemDetails.toResponse({
    type: ProblemDetails.blankType,
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail,
  })

const compressed = problemResponse(415, details.compressed())

/** Answers 503 with `Retry-After` where the store does not answer, or the queue before it is full. */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E | StoreUnavailable | Overloaded, R>) =>
  Effect.catchIf(effect, isUnavailable, unavailable)

const isUnavailable = (error: unknown): error is StoreUnavailable | Overloaded =>
  error instanceof StoreUnavailable || error instanceof Overloaded

const unavailable = Effect.fnUntraced(function* (error: StoreUnavailable | Overloaded) {
  yield* Effect.logWarning("the management API cannot be answered now", error)
  yield* HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(retryAfterSeconds))),
  )
  return yield* new Unavailable({ detail: error.message })
})

const ourFault = details.failed()

const noObject = "Expected a JSON object"

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "required"
    if (issue._tag === "UnexpectedKey") return noSuchField
    if (issue._tag === "InvalidType" && takesObjects(issue.ast)) return noObject
    return SchemaIssue.defaultLeafHook(issue)
  },
})

const problemOfSchema = (
  error: HttpApiError.HttpApiSchemaError,
): Effect.Effect<never, InvalidRequest | NotFound | InternalError> => {
  const detail = describe(error.cause.issue)
  switch (error.kind) {
    case "Params":
      return Effect.fail(new NotFound({ detail: details.wrongPathPart({ problem: detail }) }))
    case "Headers":
    case "Query":
    case "Payload":
      return Effect.fail(new InvalidRequest({ detail }))
    case "Body":
    case "ResponseHeaders":
      return Effect.andThen(
        Effect.logError("an answer of the management API is not as its contract says", error),
        Effect.fail(new InternalError({ detail: ourFault })),
      )
  }
}

const takesObjects = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Objects" || (ast._tag === "Union" && ast.types.every(takesObjects))

/** Says which fields are wrong and why: `limits.request_bytes: Expected an integer`. */
const describe = (issue: SchemaIssue.Issue): string => {
  if (issue._tag === "AnyOf" && issue.issues.length === 0 && takesObjects(issue.ast)) return noObject
  return formatIssues(issue)
    .issues.map(({ message, path = [] }) => {
      const field = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
      return field === "" ? message : `${field}: ${message}`
    })
    .join("; ")
}

const problemOfDefect = Effect.fnUntraced(function* (defect: unknown) {
  if (HttpServerError.isHttpServerError(defect)) return yield* HttpServerRespondable.toResponse(defect)
  yield* Effect.logError("the management API failed", defect)
  return problemResponse(500, ourFault)
})

const asProblem = (response: HttpServerResponse.HttpServerResponse, mediaTypes: ReadonlyArray<string>) => {
  const isProblem = response.headers["content-type"] === ProblemDetails.contentType
  if (response.status < 400 || isProblem) return response
  return problemResponse(response.status, detailOf(response, mediaTypes))
}

const detailOf = (
  response: HttpServerResponse.HttpServerResponse,
  mediaTypes: ReadonlyArray<string>,
): string => {
  switch (response.status) {
    case 413:
      return details.tooLarge()
    case 415:
      return details.wrongContentType({ types: mediaTypes.join(" or ") })
    default:
      return details.unreadable()
  }
}
