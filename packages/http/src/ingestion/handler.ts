import type { Fault } from "@inlethq/core/log/Outcome"
import { Context, Effect, Exit, Metric, Record, Result } from "effect"
import { NodeFitness, type Fitness } from "@inlethq/core/ports/NodeFitness"
import { pathTexts } from "@inlethq/wire/texts/pathTexts"
import { messageOf } from "@inlethq/wire/texts/sentences"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { IncomingMessage, ServerResponse } from "node:http"
import { clientOf } from "./clientOf.ts"
import { send, withHeaders, type Answer } from "./Answer.ts"
import type { Call, Endpoint, Services } from "./Call.ts"
import { isRecorded, withRetryAfter } from "./commit.ts"
import { Geo } from "../geo/Geo.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { RefusedCalls, type RefusalReason } from "../listener/RefusedCalls.ts"
import { clientMetricReports } from "./clientMetrics.ts"
import { unauthorizedCalls } from "./pipelines.ts"
import { unapplied } from "./unsubscribe.ts"
import { parsePath } from "./Path.ts"
import type { Protocol } from "./Protocol.ts"
import type { Match } from "./Router.ts"
import { ingestionTexts } from "./ingestionTexts.ts"
import { refuseUnrouted } from "./refuseUnrouted.ts"
import { unknownPath } from "./unknownPath.ts"
import { unknownSender } from "./unknownSender.ts"

/**
 * Returns the HTTP handler of the ingestion API. Each call runs in a fiber of its own. While `isStopping` returns true,
 * responses close their connections.
 */
export const makeHandler = (route: Find, brand: WrittenBrand, isStopping: () => boolean) =>
  Effect.map(Effect.andThen(registerMetrics, Effect.context<Services | RefusedCalls | Geo>()), (context) => {
    const refused = Context.get(context, RefusedCalls)
    const { unfit } = Context.get(context, NodeFitness)
    const { trustedProxies } = Context.get(context, HttpSettings)
    const { locate } = Context.get(context, Geo)
    const run = Effect.runForkWith(context)
    return (protocol: Protocol, request: IncomingMessage, response: ServerResponse): void => {
      const receivedAtMs = performance.now()
      const client = clientOf(request, trustedProxies, locate)
      run(answerTo(protocol, route, { request, client }, unfit, brand)).addObserver((exit) => {
        if (Exit.isFailure(exit)) run(Effect.logError("an ingestion call failed", exit.cause))
        const answer = Exit.isSuccess(exit) ? exit.value : protocol.failure(500, ingestionTexts.failed())
        try {
          send(response, brand, protocol.finish(answer), isStopping())
        } catch (defect) {
          // The error must not leave this function, because an exception in a fiber observer would end the process.
          run(Effect.logError("an answer could not be sent", defect))
          response.destroy()
        }
        const reason = isRecorded(answer) ? undefined : (answer.refusal ?? reasons.get(answer.status))
        if (reason !== undefined) {
          const sender = reason === "unknown_key" ? unknownSender(protocol, request, route) : undefined
          refused.count(reason, client.address, sender)
        }
        answersOf(protocol.name, answer.status).updateUnsafe(1, context)
        answerSeconds.updateUnsafe((performance.now() - receivedAtMs) / 1000, context)
      })
    }
  })

/** Why calls get an answer with this status that no workspace records. */
const reasons: ReadonlyMap<number, RefusalReason> = new Map([
  [400, "malformed"],
  [401, "unknown_key"],
  [404, "unknown_path"],
  [405, "wrong_method"],
  [408, "timed_out"],
  [413, "too_large"],
  [415, "malformed"],
  [429, "rate_limit"],
])

type Find = (method: string, segments: ReadonlyArray<string>) => Match<Endpoint>

const answerTo = (
  protocol: Protocol,
  route: Find,
  { client, request }: Pick<Call, "client" | "request">,
  unfit: Fitness["unfit"],
  brand: WrittenBrand,
): Effect.Effect<Answer, never, Services> => {
  const refuse = (status: number, fault: Fault, headers: Answer["headers"] = {}) => {
    const answer = withHeaders(protocol.failure(status, messageOf(brand, fault)), headers)
    return unfit() === null
      ? refuseUnrouted({ protocol, request, client, fault, answer })
      : Effect.succeed(answer)
  }
  const path = parsePath(request.url ?? "/")
  if (Result.isFailure(path)) return refuse(400, pathTexts.malformed(""))
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET")
  const match = route(method, path.success.segments)
  const unfitness = match._tag === "Found" && !reading.has(method) ? unfit() : null
  if (unfitness !== null) return Effect.succeed(withRetryAfter(protocol.failure(503, unfitness.message)))
  switch (match._tag) {
    case "Found":
      return match.endpoint({
        request,
        client,
        route: match.route,
        parameters: match.parameters,
        query: path.success.query,
      })
    case "NotFound":
      return refuse(404, unknownPath(path.success.segments))
    case "WrongMethod":
      return refuse(405, pathTexts.methodNotAllowed(""), { allow: match.allowed.join(", ") })
  }
}

/** The methods of calls that change nothing. A node that may not write answers them. */
const reading: ReadonlySet<string> = new Set(["GET", "OPTIONS"])

const answers = Metric.counter("inlet_http_answers_total", {
  description: "Answers to ingestion calls, by protocol and status",
  incremental: true,
})

const answerSeconds = Metric.histogram("inlet_http_answer_duration_seconds", {
  description: "Time from the headers of an ingestion call to its answer",
  boundaries: Metric.exponentialBoundaries({ start: 0.0005, factor: 2, count: 16 }),
})

/** The statuses of ingestion responses that are exported from the start, with 0. */
const knownStatuses: Readonly<Record<Protocol["name"], ReadonlyArray<number>>> = {
  "track-v1": [200, 400, 401, 404, 405, 408, 413, 429, 500, 503],
  "track-v2": [200, 207, 400, 401, 404, 405, 408, 413, 429, 500, 503],
  pipelines: [200, 400, 401, 404, 405, 408, 413, 429, 500, 503],
}

/** Exports the metrics of ingestion from the start. */
const registerMetrics = Effect.suspend(() =>
  Effect.forEach(
    [
      ...Record.values(
        Record.map(knownStatuses, (statuses, protocol) =>
          statuses.map((status) => answersOf(protocol, status)),
        ),
      ).flat(),
      unapplied,
      unauthorizedCalls,
      clientMetricReports,
    ],
    (metric) => Metric.value(metric),
  ).pipe(Effect.andThen(Metric.value(answerSeconds))),
)

type Counters = Map<number, Metric.Counter<number>>

const counters: Readonly<Record<Protocol["name"], Counters>> = {
  "track-v1": new Map(),
  "track-v2": new Map(),
  pipelines: new Map(),
}

/** Returns the cached request counter for a protocol and a status. */
const answersOf = (protocol: Protocol["name"], status: number): Metric.Counter<number> => {
  const known = counters[protocol].get(status)
  if (known !== undefined) return known
  const made = Metric.withAttributes(answers, { protocol, status: String(status) })
  counters[protocol].set(status, made)
  return made
}
