import { Effect, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { TLSSocket } from "node:tls"
import { Authenticator } from "../Authenticator.ts"
import { Settings } from "../Settings.ts"
import { json, type Answer } from "./Answer.ts"
import type { Call, Endpoint, Services } from "./Call.ts"
import { turnedAway, unrecorded } from "./commit.ts"
import { pipelines } from "./Protocol.ts"
import { requestTexts } from "./failures.ts"

/** Under this name the browser and mobile libraries look for where they send to. */
const destination = "Customer.io Data Pipelines"

/**
 * GET `/projects/{writeKey}/settings`: where a browser or mobile library sends to, and that it measures nothing of itself.
 * One destination and no more, or browsers load what is not there (contract §13).
 */
export const settings: Endpoint = (call) =>
  withWriteKey(call, (writeKey) =>
    Effect.map(addressOf(call.request), ({ host, pathname, protocol }) =>
      unrecorded(
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
    ),
  )

/** Answers a call whose path holds a write key that opens a workspace; what is known of no key is not there. */
export const withWriteKey = (
  { parameters }: Call,
  answer: (writeKey: string) => Effect.Effect<Answer, never, Services>,
): ReturnType<Endpoint> => {
  const writeKey = parameters[0] ?? ""
  return Effect.flatMap(Authenticator, (authenticator) => authenticator.pipelines(writeKey)).pipe(
    Effect.matchEffect({
      onFailure: () => Effect.succeed(turnedAway(unavailable)),
      onSuccess: (workspace) =>
        Option.isNone(workspace) ? Effect.succeed(unrecorded(unknownKey)) : answer(writeKey),
    }),
  )
}

const unavailable = pipelines.failure(503, requestTexts.lookupUnavailable())
const unknownKey = pipelines.failure(404, requestTexts.unknownWriteKey())

/** Our own address as clients see it: as it is set, or as the request names it. */
export const addressOf = (request: IncomingMessage): Effect.Effect<URL, never, Settings> =>
  Effect.map(Settings, ({ publicUrl }) =>
    Option.getOrElse(publicUrl, () => {
      const isProxied = /^https\b/.test(String(request.headers["x-forwarded-proto"]))
      const scheme = isProxied || request.socket instanceof TLSSocket ? "https" : "http"
      return URL.parse(`${scheme}://${request.headers.host ?? ""}/`) ?? new URL("http://localhost/")
    }),
  )
