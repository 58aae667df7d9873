import { ProblemAnswers } from "@inlethq/contract/access/Authorization"
import { InternalError, InvalidRequest, NotFound, Unavailable } from "@inlethq/contract/access/Problem"
import { Overloaded, type SubmitError } from "@inlethq/engine/commits/IngestBounds"
import { StoreUnavailable, WorkspaceDeleted } from "@inlethq/core/ports/Store"
import { ByteSize, Effect, identity, Layer, type SchemaAST, SchemaIssue, type Types } from "effect"
import {
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
  ProblemDetails,
} from "effect/http"
import { HttpApiError } from "effect/http-api"
import { STATUS_CODES } from "node:http"
import { answerHeader, retryAfterSeconds } from "../answerHeader.ts"
import { problemTexts } from "./problemTexts.ts"

/** The largest body of a management call. The size of imports is not limited, because imports are streamed. */
const bodyBytesMax = ByteSize.mebibytes(1)

/**
 * Turns every error into problem details (RFC 9457). Also rejects unknown query parameters and compressed bodies, and
 * forbids caching.
 */
export const problemAnswers = Layer.succeed(ProblemAnswers, (answer, { endpoint }) =>
  (endpoint.query === undefined ? Effect.andThen(rejectQuery, answer) : answer).pipe(
    endpoint.payload.size > 0 ? rejectCompressed : identity,
    Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyBytesMax),
    Effect.catchDefect(problemOfDefect),
    Effect.map((response) => asProblem(response, [...endpoint.payload.keys()])),
    Effect.map(HttpServerResponse.setHeader("cache-control", "no-store")),
    Effect.catch((error): Effect.Effect<never, InvalidRequest | NotFound | InternalError | Types.unhandled> =>
      HttpApiError.HttpApiSchemaError.is(error) ? problemOfSchema(error) : Effect.fail(error),
    ),
  ),
)

const unknownField = "unknown field"

/** Rejects query parameters of a call for which no parameters are defined. */
const rejectQuery = Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
  const names = Object.keys(query)
  if (names.length === 0) return Effect.void
  return Effect.fail(
    new InvalidRequest({
      detail: names.map((name) => problemTexts.unknownField({ field: name })).join("; "),
    }),
  )
})

/** Rejects a compressed body, because the parser would read it as uncompressed text. */
const rejectCompressed = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase()
    return encoding === "" || encoding === "identity" ? answer : Effect.succeed(compressedBody)
  })

/** Returns a problem details response with `about:blank` as its type. */
export const problemResponse = (status: number, detail: string): HttpServerResponse.HttpServerResponse =>
  ProblemDetails.toResponse({
    type: ProblemDetails.blankType,
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail,
  })

const compressedBody = problemResponse(415, problemTexts.compressed())

/**
 * Responds with 503 and `Retry-After` if the store is unavailable or the commit queue is full, and with 404 if the
 * workspace was deleted during the call.
 */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E | SubmitError, R>) =>
  Effect.catchIf(orStoreUnavailable(effect), isDeleted, workspaceNotFound)

/** Does the same as `orUnavailable` for a call that no workspace takes part in. */
export const orStoreUnavailable = <A, E, R>(effect: Effect.Effect<A, E | StoreUnavailable | Overloaded, R>) =>
  Effect.catchIf(effect, isUnavailable, unavailable)

const isDeleted = (error: unknown): error is WorkspaceDeleted => error instanceof WorkspaceDeleted

const workspaceNotFound = ({ workspace }: WorkspaceDeleted) =>
  Effect.fail(new NotFound({ detail: problemTexts.noWorkspace({ workspace }) }))

const isUnavailable = (error: unknown): error is StoreUnavailable | Overloaded =>
  error instanceof StoreUnavailable || error instanceof Overloaded

const unavailable = Effect.fnUntraced(function* (error: StoreUnavailable | Overloaded) {
  yield* Effect.logWarning("a management request was answered 503", error)
  yield* answerHeader("retry-after", String(retryAfterSeconds))
  return yield* new Unavailable({ detail: error.message })
})

const internalErrorDetail = problemTexts.failed()

const objectExpected = "Expected a JSON object"

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "required"
    if (issue._tag === "UnexpectedKey") return unknownField
    if (issue._tag === "InvalidType" && acceptsObjects(issue.ast)) return objectExpected
    return SchemaIssue.defaultLeafHook(issue)
  },
})

const problemOfSchema = (
  error: HttpApiError.HttpApiSchemaError,
): Effect.Effect<never, InvalidRequest | NotFound | InternalError> => {
  const detail = describe(error.cause.issue)
  switch (error.kind) {
    case "Params":
      return Effect.fail(new NotFound({ detail: problemTexts.wrongPathPart({ problem: detail }) }))
    case "Headers":
    case "Query":
    case "Payload":
      return Effect.fail(new InvalidRequest({ detail }))
    case "Body":
    case "ResponseHeaders":
      return Effect.andThen(
        Effect.logError("a management answer does not match its schema", error),
        Effect.fail(new InternalError({ detail: internalErrorDetail })),
      )
  }
}

const acceptsObjects = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Objects" || (ast._tag === "Union" && ast.types.every(acceptsObjects))

/** Lists the invalid fields, each with the reason, such as `limits.request_bytes: Expected an integer`. */
const describe = (issue: SchemaIssue.Issue): string => {
  if (issue._tag === "AnyOf" && issue.issues.length === 0 && acceptsObjects(issue.ast)) return objectExpected
  return formatIssues(issue)
    .issues.map(({ message, path = [] }) => {
      const field = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
      return field === "" ? message : `${field}: ${message}`
    })
    .join("; ")
}

const problemOfDefect = Effect.fnUntraced(function* (defect: unknown) {
  if (HttpServerError.isHttpServerError(defect)) return yield* HttpServerRespondable.toResponse(defect)
  yield* Effect.logError("a management request failed", defect)
  return problemResponse(500, internalErrorDetail)
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
      return problemTexts.tooLarge()
    case 415:
      return problemTexts.wrongContentType({ types: mediaTypes.join(" or ") })
    default:
      return problemTexts.unreadable()
  }
}
