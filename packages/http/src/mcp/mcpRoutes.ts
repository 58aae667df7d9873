import { ByteSize, Effect, Option, Scope } from "effect"
import { Headers, HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Principals } from "../access/Principals.ts"
import { bearerOf } from "../access/requestCredentials.ts"
import { WrongTokens } from "../access/WrongTokens.ts"
import { AuditTrail } from "../audit/AuditTrail.ts"
import { problemResponse } from "../problems/problems.ts"
import { problemTexts } from "../problems/problemTexts.ts"
import { mcpPath } from "./mcpPath.ts"

/** The largest message of an MCP client, in bytes. */
const messageBytesMax = 262_144

/** The header with which a client asks for tools that change data. */
const allowHeader = "inlet-allow"

/** The names that a machine has for itself. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/**
 * Tells whether a page may call: only one of this very address on the same machine. A page whose name was pointed at this server (DNS
 * rebinding) calls its own address too. Its name is none that a machine has for itself, so it is refused.
 */
const isOwnPage = (origin: string, host = ""): boolean =>
  ownHost.test(host) && (origin === `http://${host}` || origin === `https://${host}`)

/**
 * `/mcp`: the Model Context Protocol over HTTP, with a management token. Nothing of the protocol is loaded before the first request with a
 * valid token.
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const principals = yield* Principals
    const wrongTokens = yield* WrongTokens
    const trail = yield* AuditTrail
    const scope = yield* Effect.scope
    const server = yield* Effect.cached(
      Effect.promise(() => import("./mcpServer.ts")).pipe(
        Effect.flatMap(({ makeMcpServer }) => makeMcpServer({ router, principals, trail })),
        Effect.provideService(Scope.Scope, scope),
      ),
    )

    const refuseToken = Effect.fnUntraced(function* (token: string | undefined) {
      const counted = token === undefined ? Effect.void : wrongTokens.count("access.unknown_token")
      const refused = yield* Effect.result(counted)
      return refused._tag === "Failure"
        ? problemResponse(429, refused.failure.detail ?? "")
        : HttpServerResponse.setHeader(
            problemResponse(401, problemTexts.unauthorized()),
            "www-authenticate",
            "Bearer",
          )
    })

    const answer = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { headers } = request
      const { host, origin } = headers
      if (origin !== undefined && !isOwnPage(origin, host)) {
        return problemResponse(403, problemTexts.mcpOrigin())
      }
      const token = bearerOf(headers["authorization"])
      const holder = yield* principals.ofSecret(token ?? "")
      if (Option.isNone(holder)) return yield* refuseToken(token)
      const { grants, name } = holder.value.principal
      const allow = headers[allowHeader]
      if (allow !== undefined && allow !== "write") return problemResponse(400, problemTexts.mcpAllow())
      if (allow === "write" && grants.every(({ scope }) => scope === "read")) {
        return problemResponse(403, problemTexts.mcpScope({ token: name }))
      }
      if (Number(headers["content-length"] ?? 0) > messageBytesMax) {
        return problemResponse(413, problemTexts.mcpTooLarge({ max: messageBytesMax }))
      }
      const { changing, reading } = yield* server
      // Where a page comes from is decided above, and effect would refuse every page.
      return yield* Effect.provideService(
        allow === "write" ? changing : reading,
        HttpServerRequest.HttpServerRequest,
        request.modify({ headers: Headers.remove(headers, "origin") }),
      )
    })

    yield* router.add("*", mcpPath, (request) =>
      answer(request).pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(messageBytesMax)),
        Effect.catchTag("StoreUnavailable", () => Effect.succeed(problemResponse(503, problemTexts.busy()))),
        Effect.map(HttpServerResponse.setHeader("cache-control", "no-store")),
      ),
    )
  }),
)
