import { Effect } from "effect"
import type { Answer } from "./Answer.ts"
import type { Endpoint } from "./Call.ts"

/** The headers that clients of the Pipelines API send (contract §13). */
const ownHeaders = ["authorization", "content-encoding", "content-type", "x-retry-count", "x-strict-mode"]

/** The largest number of headers that the answer to a preflight allows. */
const headersMax = 32

/** The largest number of characters of the headers that the answer to a preflight allows. */
const headersCharactersMax = 1024

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/

/**
 * Returns the names of headers that a page asked for, then those of the clients. Pages send headers of their error and
 * request tracing with every request, and the browser sends nothing if one of them is not allowed (contract §13).
 */
const allowedHeaders = (asked: string): string => {
  const names = asked
    .slice(0, headersCharactersMax)
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => token.test(name))
  return [...new Set([...ownHeaders, ...names])].slice(0, headersMax).join(", ")
}

/** Handles the CORS preflight requests of browsers (contract §13). */
export const preflight: Endpoint = ({ request }) => Effect.succeed(answerFor(request.headers))

const answerFor = (
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
): Answer => ({
  status: 204,
  body: null,
  contentType: "",
  headers: {
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": allowedHeaders(String(headers["access-control-request-headers"] ?? "")),
    "access-control-max-age": "86400",
    vary: "Access-Control-Request-Headers",
  },
})
