import { SessionDocument } from "@inlethq/contract/console/ConsoleApi"
import { Effect, Option, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { failed, ok, type Check } from "./Check.ts"

/** The longest wait for an answer. The server itself waits for the issuer for ten seconds. */
const answerWithin = "15 seconds"

const decodeSession = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.toCodecJson(SessionDocument)))

/** Checks that the server reaches the issuer at which people sign in. Returns nothing if there is none. */
export const checkSignIn = Effect.fnUntraced(
  function* (url: string) {
    const answer = yield* HttpClient.execute(HttpClientRequest.get(`${url}/console/session`))
    const session = decodeSession(yield* answer.text)
    const issuer = Option.getOrNull(Option.map(session, ({ ways }) => ways.oidc))?.issuer
    if (issuer === undefined) return []
    const { status } = yield* HttpClient.execute(HttpClientRequest.get(`${url}/console/oidc?here=1`))
    return [status === 303 ? ok("sign-in", `people sign in at ${issuer}`) : notReached(issuer, status)]
  },
  Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
  Effect.timeout(answerWithin),
  Effect.orElseSucceed((): ReadonlyArray<Check> => []),
)

const notReached = (issuer: string, status: number): Check =>
  failed(
    "sign-in",
    `the server cannot sign people in at ${issuer} (status ${status})`,
    "Open the console and sign in: the page says why. Compare INLET_OIDC_ISSUER with the address of the issuer.",
  )
