import { HttpApiError } from "effect/http-api"

/** The `type` of every problem here: the status says what kind of problem it is, `detail` says what is wrong. */
const type = "about:blank"

/** Something in the request is not as the contract says; `detail` names the field. */
export class InvalidRequest extends HttpApiError.Problem<InvalidRequest>()("InvalidRequest", {
  type,
  status: 400,
  title: "Bad Request",
}) {}

/** The management token is missing or wrong. An ingestion key is always wrong here. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()("Unauthorized", {
  type,
  status: 401,
  title: "Unauthorized",
}) {}

/** The path names something that does not exist, or that another workspace holds. */
export class NotFound extends HttpApiError.Problem<NotFound>()("NotFound", {
  type,
  status: 404,
  title: "Not Found",
}) {}

/** The request cannot be carried out in the present state of what it names; `detail` says why. */
export class Conflict extends HttpApiError.Problem<Conflict>()("Conflict", {
  type,
  status: 409,
  title: "Conflict",
}) {}

/** The request is well formed, but names something that does not exist; `detail` names the field. */
export class Unprocessable extends HttpApiError.Problem<Unprocessable>()("Unprocessable", {
  type,
  status: 422,
  title: "Unprocessable Content",
}) {}

/** A fault of the server. */
export class InternalError extends HttpApiError.Problem<InternalError>()("InternalError", {
  type,
  status: 500,
  title: "Internal Server Error",
}) {}

/** The store cannot answer now, or too much waits for it. Nothing was changed; the header `Retry-After` says when to come again. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()("Unavailable", {
  type,
  status: 503,
  title: "Service Unavailable",
}) {}
