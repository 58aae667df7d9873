import { Data, Effect } from "effect"
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as requestHttps } from "node:https"

/** The page of releases did not say which one is the newest. */
export class ReleaseUnknown extends Data.TaggedError("ReleaseUnknown")<{ readonly problem: string }> {}

/** The longest wait for the page of releases, in milliseconds. */
export const releaseWaitMsMax = 10_000

/** Where the page of the newest release leads: to that of its tag. */
const tagPattern = /\/tag\/v(\d{1,9}\.\d{1,9}\.\d{1,9})$/

/**
 * Asks a page of releases for the version of the newest one. The page redirects to the newest tag, so only the head of its answer is
 * read. Honours the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
 */
export const newestRelease = Effect.fnUntraced(function* (releases: string) {
  const { location, status } = yield* answerOf(new URL(`${releases}/latest`)).pipe(
    Effect.timeout(releaseWaitMsMax),
    Effect.catchTag("TimeoutError", () => unknown(`no answer within ${releaseWaitMsMax / 1000} seconds`)),
  )
  const version = tagPattern.exec(location)?.[1]
  if (version !== undefined) return version
  return yield* unknown(
    status === 404 ? "there is no release yet" : `it answered ${status} and names no release`,
  )
})

const unknown = (problem: string) => Effect.fail(new ReleaseUnknown({ problem }))

const answerOf = (url: URL) =>
  Effect.callback<{ readonly location: string; readonly status: number }, ReleaseUnknown>((resume) => {
    const isHttps = url.protocol === "https:"
    const options = { proxyEnv: process.env }
    const answered = (response: IncomingMessage) => {
      response.destroy()
      const { headers, statusCode = 0 } = response
      resume(Effect.succeed({ location: headers.location ?? "", status: statusCode }))
    }
    const request = isHttps
      ? requestHttps(url, { method: "HEAD", agent: new HttpsAgent(options) }, answered)
      : requestHttp(url, { method: "HEAD", agent: new HttpAgent(options) }, answered)
    request.once("error", (error) => resume(unknown(error.message)))
    request.end()
    return Effect.sync(() => request.destroy())
  })

/** Compares two versions by their numbers: negative if the first one is older. */
export const compareVersions = (one: string, other: string): number => {
  const [left, right] = [one, other].map((version) => version.split(".").map(Number))
  const differences = (left ?? []).map((number, at) => number - (right?.[at] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
