import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { InternalError, InvalidRequest, NotFound, Unauthorized, Unavailable } from "./Problem.ts"

/** Requires the management token as `Authorization: Bearer <token>`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization>()(
  "@inlet/api/management/Authorization",
  { security: { bearer: HttpApiSecurity.bearer }, error: Unauthorized, requiredForClient: true },
) {}

/** Responds to every error with problem details (RFC 9457). */
export class ProblemAnswers extends HttpApiMiddleware.Service<ProblemAnswers>()(
  "@inlet/api/management/ProblemAnswers",
  { error: [InvalidRequest, NotFound, InternalError, Unavailable] },
) {}
