import { Effect, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { TLSSocket } from "node:tls"
import { Authenticator } from "../credentials/Authenticator.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { json, type Answer } from "./Answer.ts"
import type { Call, Endpoint, Services } from "./Call.ts"
import { withRetryAfter } from "./commit.ts"
import { pipelines } from "./Protocol.ts"
import { ingestionTexts } from "./ingestionTexts.ts"

/**
 * The name of the integration that contains the server's address. Browser and mobile libraries look up the address
 * under this name.
 */
const destination = "Customer.io Data Pipelines"

/**
 * GET `/projects/{writeKey}/settings`: tells a browser or mobile library where to send calls, and turns off the
 * library's own metrics. The response must contain exactly one integration. For other integrations, the browser library
 * would load scripts that this server does not have (contract §13).
 */
export const browserSettings: Endpoint = (call) =>
  withWriteKey(call, (writeKey) =>
    Effect.map(publicAddressOf(call.request), ({ host, pathname, protocol }) =>
      json(200, {
        integrations: {
          [destination]: {
            apiKey: writeKey,
            apiHost: `${host}${pathname.replace(/\/$/, "")}/v1`,
            protocol: protocol.slice(0, -1),
          },
        },
        plan: {},
        edgeFunction: {},
        middlewareSettings: {},
        enabledMiddleware: {},
        metrics: { sampleRate: 0 },
        remotePlugins: [],
      }),
    ),
  )

/** Passes the write key in the path to `answer` if the key is valid, else responds with 404. */
export const withWriteKey = (
  { parameters }: Call,
  answer: (writeKey: string) => Effect.Effect<Answer, never, Services>,
): ReturnType<Endpoint> => {
  const writeKey = parameters[0] ?? ""
  return Authenticator.use((authenticator) => authenticator.pipelines(writeKey)).pipe(
    Effect.matchEffect({
      onFailure: () => Effect.succeed(withRetryAfter(unavailable)),
      onSuccess: (workspace) => (Option.isNone(workspace) ? Effect.succeed(unknownKey) : answer(writeKey)),
    }),
  )
}

const unavailable = pipelines.failure(503, ingestionTexts.lookupUnavailable())
const unknownKey = pipelines.failure(404, ingestionTexts.unknownWriteKey())

/**
 * Returns this server's address as clients see it: `INLET_PUBLIC_URL`, or the `Host` header of the request if that
 * variable is not set.
 */
export const publicAddressOf = (request: IncomingMessage): Effect.Effect<URL, never, HttpSettings> =>
  Effect.map(HttpSettings, ({ publicUrl }) =>
    Option.getOrElse(publicUrl, () => {
      const isProxied = /^https\b/.test(String(request.headers["x-forwarded-proto"]))
      const scheme = isProxied || request.socket instanceof TLSSocket ? "https" : "http"
      return URL.parse(`${scheme}://${request.headers.host ?? ""}/`) ?? new URL("http://localhost/")
    }),
  )
