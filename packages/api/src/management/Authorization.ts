import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { InternalError, InvalidRequest, NotFound, Unauthorized, Unavailable } from "./Problem.ts"

/** Lets in whoever shows the management token as `Authorization: Bearer <token>`; clients have to add it. */
export class Authorization extends HttpApiMiddleware.Service<Authorization>()(
  "@inlet/api/management/Authorization",
  { security: { bearer: HttpApiSecurity.bearer }, error: Unauthorized, requiredForClient: true },
) {}

/** Turns whatever goes wrong into problem details (RFC 9457). */
export class ProblemAnswers extends HttpApiMiddleware.Service<ProblemAnswers>()(
  "@inlet/api/management/ProblemAnswers",
  { error: [InvalidRequest, NotFound, InternalError, Unavailable] },
) {}
