import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Forbidden, InternalError, InvalidRequest, NotFound, Unauthorized, Unavailable } from "./Problem.ts"

/** The cookie of a browser that has signed in to the console. */
export const sessionCookie = HttpApiSecurity.apiKey({ in: "cookie", key: "inlet_session" })

/**
 * Requires the management token as `Authorization: Bearer <token>`, or the session cookie of the console in a request
 * from the console's own origin.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization>()(
  "@inlet/api/management/Authorization",
  {
    security: { bearer: HttpApiSecurity.bearer, session: sessionCookie },
    error: [Unauthorized, Forbidden],
    requiredForClient: true,
  },
) {}

/** Responds to every error with problem details (RFC 9457). */
export class ProblemAnswers extends HttpApiMiddleware.Service<ProblemAnswers>()(
  "@inlet/api/management/ProblemAnswers",
  { error: [InvalidRequest, NotFound, InternalError, Unavailable] },
) {}
