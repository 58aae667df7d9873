import { HttpApiError } from "effect/http-api"

/**
 * The `type` of every problem document. The status tells the kinds of problems apart, and `detail` says what is wrong.
 */
const type = "about:blank"

/** The request does not match the API's schema. `detail` names the invalid field. */
export class InvalidRequest extends HttpApiError.Problem<InvalidRequest>()("InvalidRequest", {
  type,
  status: 400,
  title: "Bad Request",
}) {}

/** The management token is missing or wrong. Ingestion keys are not accepted as management tokens. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()("Unauthorized", {
  type,
  status: 401,
  title: "Unauthorized",
}) {}

/** The request must come from the console, but does not. `detail` says what the request must contain. */
export class Forbidden extends HttpApiError.Problem<Forbidden>()("Forbidden", {
  type,
  status: 403,
  title: "Forbidden",
}) {}

/** The resource does not exist or belongs to another workspace. */
export class NotFound extends HttpApiError.Problem<NotFound>()("NotFound", {
  type,
  status: 404,
  title: "Not Found",
}) {}

/** The current state of the resource does not allow the request. `detail` says why. */
export class Conflict extends HttpApiError.Problem<Conflict>()("Conflict", {
  type,
  status: 409,
  title: "Conflict",
}) {}

/** What is asked for was there once and is no longer kept. `detail` says what is still there. */
export class Gone extends HttpApiError.Problem<Gone>()("Gone", {
  type,
  status: 410,
  title: "Gone",
}) {}

/** The request is valid, but refers to something that does not exist. `detail` names the field with the reference. */
export class Unprocessable extends HttpApiError.Problem<Unprocessable>()("Unprocessable", {
  type,
  status: 422,
  title: "Unprocessable Content",
}) {}

/** The token is wrong, and the address has sent too many wrong tokens. `Retry-After` says when their count ends. */
export class TooManyRequests extends HttpApiError.Problem<TooManyRequests>()("TooManyRequests", {
  type,
  status: 429,
  title: "Too Many Requests",
}) {}

/** The body is larger than the endpoint accepts. `detail` names the limit. */
export class TooLarge extends HttpApiError.Problem<TooLarge>()("TooLarge", {
  type,
  status: 413,
  title: "Payload Too Large",
}) {}

/** An error in the server. */
export class InternalError extends HttpApiError.Problem<InternalError>()("InternalError", {
  type,
  status: 500,
  title: "Internal Server Error",
}) {}

/** The store is unavailable or overloaded, and nothing was changed. `Retry-After` says when to try again. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()("Unavailable", {
  type,
  status: 503,
  title: "Service Unavailable",
}) {}
