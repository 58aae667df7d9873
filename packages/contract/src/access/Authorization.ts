import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { Principal } from "./Access.ts"
import {
  Forbidden,
  InternalError,
  InvalidRequest,
  NotFound,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from "./Problem.ts"

const bearer = HttpApiSecurity.annotate(
  HttpApiSecurity.bearer,
  OpenApi.Description,
  "The installation's management token, or a named token. A named token has a scope (read, write or admin) and may be limited to some workspaces.",
)

/**
 * Requires a management token as `Authorization: Bearer <token>`. A server also accepts the session cookie of its
 * console in requests from the console's own origin.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Principal }>()(
  "./Authorization.ts",
  {
    security: { bearer },
    error: [Unauthorized, Forbidden, TooManyRequests, Unavailable],
    requiredForClient: true,
  },
) {}

/** Responds to every error with problem details (RFC 9457). */
export class ProblemAnswers extends HttpApiMiddleware.Service<ProblemAnswers>()(
  "@inlethq/contract/access/ProblemAnswers",
  { error: [InvalidRequest, NotFound, InternalError, Unavailable] },
) {}
