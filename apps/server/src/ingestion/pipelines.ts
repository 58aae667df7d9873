import { Clock, Effect, Metric, Option, Result } from "effect"
import { accepted as acceptedBody, refusalBody } from "@inlet/api/pipelines/answers"
import { operationKinds, type Operation } from "@inlet/api/pipelines/CallType"
import { bodyBytesMax, decodeBatch, decodeCall } from "@inlet/api/pipelines/decode"
import { unauthorizedRefusal, type Decoded, type RequestContext } from "@inlet/api/pipelines/RequestContext"
import { defaultBrand } from "@inlet/api/wire/Brand"
import { reject, tooLarge } from "@inlet/api/wire/reject"
import { defaultLimits, type Limits } from "@inlet/core/workspace/Limits"
import type { Fault } from "@inlet/core/log/Outcome"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import type { IncomingMessage } from "node:http"
import { Authenticator, basicCredentials } from "../Authenticator.ts"
import { Admission } from "./Admission.ts"
import { admitted } from "./admitted.ts"
import { json, type Answer } from "./Answer.ts"
import type { Call, Endpoint } from "./Call.ts"
import { commit, commitEncoded, turnedAway, type Decoded as Opened } from "./commit.ts"
import { forward, forwardWithBody } from "./forward.ts"
import { takeIn, takeInRaw, type Intake, type Refused } from "./intake.ts"
import { parseJson } from "./JsonBody.ts"
import { pipelines } from "./Protocol.ts"
import { keysIn } from "./writeKeys.ts"
import { bodyFaults, requestTexts } from "./failures.ts"

const accepted = json(200, acceptedBody)

const unavailable = pipelines.failure(503, requestTexts.unavailable())

const turned = {
  unavailable,
  throttled: pipelines.failure(429, requestTexts.throttled()),
}

/** One call or a batch of them, as the path says (pipelines-api §4, contract §2). */
export const pipelinesEndpoint = (operation: Operation): Endpoint =>
  Effect.fnUntraced(
    function* (call) {
      const strict = call.request.headers["x-strict-mode"] === "1"
      const byHeader = yield* openedByHeader(call.request)
      const known = Option.flatten(byHeader)
      if (Option.isNone(known)) return yield* answerUnopened({ call, operation, strict }, byHeader)
      const workspace = known.value
      const bytesMax = bodyBytesMax(workspace.limits, false, operation === "batch")
      const send = (peer: URL) => forwardWithBody(peer, call.request, bytesMax, turnedBack(strict))
      const otherwise = { ...turned, unauthorized: unauthorizedAnswer(strict), send }
      return yield* admitted(
        workspace,
        otherwise,
        answerOpened({ call, operation, strict }, workspace, bytesMax),
      )
    },
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(turnedAway(unavailable))),
  )

interface Asked {
  readonly call: Call
  readonly operation: Operation
  readonly strict: boolean
}

/** The `Authorization` header opens a workspace: it beats every key in the body, which waits unread for its commit. */
const answerOpened = (asked: Asked, workspace: Workspace, bytesMax: number) =>
  Effect.matchEffect(takeInRaw(asked.call.request, bytesMax), {
    onFailure: (refused) =>
      Effect.flatMap(Clock.currentTimeMillis, (receivedAt) =>
        refuse(
          sizedAs(asked, workspace.limits, refused),
          { ...asked, receivedAt, wrongKey: false },
          Option.some(workspace),
        ),
      ),
    onSuccess: (body) =>
      Effect.flatMap(Clock.currentTimeMillis, (receivedAt) =>
        commitEncoded(
          body.length,
          receivedAt,
          () => decodeOpened(asked, workspace, body, receivedAt),
          unavailable,
        ),
      ),
  })

const decodeOpened = (asked: Asked, workspace: Workspace, body: Uint8Array, receivedAt: number): Opened => {
  const read = parseJson(body)
  if (Result.isFailure(read)) {
    const fault = read.failure
    return {
      commands: [refusalOf(asked.operation, workspace, receivedAt, fault)],
      answer: refusedAnswer(asked.strict, 400, fault),
    }
  }
  const context: RequestContext = {
    brand: defaultBrand,
    receivedAt,
    bytes: body.length,
    strict: asked.strict,
    open: () => workspace,
  }
  const decoded = decode(asked.operation, context, read.success)
  return { commands: decoded.commands, answer: answerOf(decoded) }
}

/** The header opens nothing, or there is none: then the keys in the body may. */
const answerUnopened = Effect.fnUntraced(function* (
  asked: Asked,
  byHeader: Option.Option<Option.Option<Workspace>>,
) {
  const { call, operation, strict } = asked
  const taken = yield* Effect.result(takeIn(call.request, unopenedBytesMax))
  const receivedAt = yield* Clock.currentTimeMillis
  const wrongKey = Option.isSome(byHeader)
  if (Result.isFailure(taken)) {
    const refused = sizedAs(asked, defaultLimits, taken.failure)
    return yield* refuse(refused, { operation, strict, receivedAt, wrongKey }, Option.none())
  }
  const { body, json } = taken.success
  const byKey = wrongKey ? new Map<string, Workspace>() : yield* openedByBody(json)
  const here = decodeAndFinish(asked, taken.success, receivedAt, (key) =>
    key === null ? undefined : byKey.get(key),
  )
  const [workspace, ...others] = new Set(byKey.values())
  if (workspace === undefined) return yield* here
  if (others.length > 0) {
    yield* keepThoseHere(byKey, receivedAt)
    return yield* here
  }
  const send = (peer: URL) => forward(peer, call.request, body)
  return yield* admitted(workspace, { ...turned, unauthorized: unauthorizedAnswer(strict), send }, here)
})

/** Of several workspaces in one body, those are served that live here and may still send; a call is forwarded whole. */
const keepThoseHere = (byKey: Map<string, Workspace>, now: number) =>
  Effect.map(Admission, (admission) => {
    const admitted = new Map([...new Set(byKey.values())].map((one) => [one.id, admission.admit(one, now)]))
    for (const [key, { id }] of byKey) if (admitted.get(id)?._tag !== "Here") byKey.delete(key)
  })

const decodeAndFinish = (
  { operation, strict }: Asked,
  { body, json }: Intake,
  receivedAt: number,
  open: RequestContext["open"],
) => {
  const bytes = body.length
  return finish(decode(operation, { brand: defaultBrand, receivedAt, bytes, strict, open }, json), bytes)
}

const decode = (operation: Operation, context: RequestContext, body: unknown): Decoded =>
  operation === "batch" ? decodeBatch(context, body) : decodeCall(context, operation, body)

const unauthorizedAnswer = (strict: boolean): Answer =>
  strict ? json(401, refusalBody(unauthorizedRefusal)) : accepted

const finish = (decoded: Decoded, bytes: number) => {
  const { commands, unauthorized } = decoded
  const answer = answerOf(decoded)
  const answered =
    commands.length === 0 && unauthorized > 0
      ? Effect.succeed(answer)
      : commit(commands, bytes, answer, unavailable)
  return unauthorized === 0 ? answered : Effect.andThen(countUnauthorized(unauthorized), answered)
}

const answerOf = ({ refusal }: Decoded): Answer =>
  refusal === null ? accepted : json(refusal.status, refusalBody(refusal))

/** Bytes of a body whose write key stands in it: what its workspace takes is known once it is read. */
const unopenedBytesMax = 4 * 1024 * 1024

/** A body that is too large has to be told the limit of its mode, which may be less than what is read of it. */
const sizedAs = ({ operation, strict }: Asked, limits: Limits, refused: Refused): Refused =>
  refused.status === 413
    ? { ...refused, fault: tooLarge(bodyBytesMax(limits, strict, operation === "batch")) }
    : refused

interface Refusal {
  readonly operation: Operation
  readonly strict: boolean
  readonly receivedAt: number
  /** Whether the `Authorization` header opens nothing. */
  readonly wrongKey: boolean
}

/** A body that could not be taken: an error in strict mode, recorded and answered with success in default mode. */
const refuse = (
  { close, fault, status }: Refused,
  { operation, receivedAt, strict, wrongKey }: Refusal,
  workspace: Option.Option<Workspace>,
) => {
  if (status === 503) return Effect.succeed(turnedAway({ ...unavailable, close }))
  const answer = { ...refusedAnswer(strict, status, fault), close }
  if (Option.isNone(workspace)) {
    const refusal = strict && wrongKey ? unauthorizedAnswer(strict) : answer
    return Effect.as(countUnauthorized(1), { ...refusal, close })
  }
  return commit([refusalOf(operation, workspace.value, receivedAt, fault)], 0, answer, unavailable)
}

/** How a body that cannot be taken, or is no JSON, is answered. */
const refusedAnswer = (strict: boolean, status: number, { message, reason }: Fault): Answer =>
  strict || status === 408
    ? json(status === 413 ? 400 : status, refusalBody({ status: 400, code: reason, message }))
    : accepted

/** How a body that cannot be taken is answered where it would have gone to another node. */
const turnedBack =
  (strict: boolean) =>
  ({ fault, status }: Refused): Answer =>
    status === 503 ? turnedAway(unavailable) : refusedAnswer(strict, status, fault)

/** The record of such a body. */
const refusalOf = (operation: Operation, workspace: Workspace, receivedAt: number, fault: Fault) =>
  reject(
    { workspace, brand: defaultBrand, source: "pipelines", receivedAt, batchIndex: null },
    operationKinds[operation],
    [fault],
  )

const bearer = /^bearer(\s|$)/i

/**
 * Returns the workspace that the `Authorization` header opens, or none for a call without that header. A Bearer value that
 * is no known write key counts as no header: clients also send tokens there that mean nothing to us. Any other header
 * decides, even one that cannot be read (contract §3, §13, §16).
 */
const openedByHeader = (
  request: IncomingMessage,
): Effect.Effect<Option.Option<Option.Option<Workspace>>, StoreUnavailable, Authenticator> => {
  const { authorization = "" } = request.headers
  if (authorization === "") return Effect.succeed(Option.none())
  if (bearer.test(authorization)) return openedByBearer(authorization.slice("bearer".length).trim())
  const credentials = basicCredentials(authorization)
  if (credentials === undefined) return Effect.succeed(Option.some(Option.none()))
  const colon = credentials.indexOf(":")
  const writeKey = colon < 0 ? credentials : credentials.slice(0, colon)
  return Effect.flatMap(Authenticator, (authenticator) => Effect.asSome(authenticator.pipelines(writeKey)))
}

const openedByBearer = (writeKey: string) =>
  writeKey === ""
    ? Effect.succeed(Option.none())
    : Effect.flatMap(Authenticator, (authenticator) =>
        Effect.map(
          authenticator.pipelines(writeKey),
          Option.map((workspace) => Option.some(workspace)),
        ),
      )

/** Which workspace each write key of a body opens. */
const openedByBody = Effect.fnUntraced(function* (body: unknown) {
  const authenticator = yield* Authenticator
  const workspaces = new Map<string, Workspace>()
  for (const key of keysIn(body)) {
    const workspace = yield* authenticator.pipelines(key)
    if (Option.isSome(workspace)) workspaces.set(key, workspace.value)
  }
  return workspaces
})

const unauthorizedCalls = Metric.counter("inlet_unauthorized_calls_total", {
  description: "Pipelines calls whose write key opens nothing",
  incremental: true,
})

const countUnauthorized = (calls: number) =>
  Effect.andThen(
    Metric.update(unauthorizedCalls, calls),
    Effect.logDebug("pipelines calls without a valid write key", { calls }),
  )

/** POST `/m`: a client's own metrics, counted and not kept (contract §2). */
export const clientMetrics: Endpoint = ({ request }) =>
  takeIn(request, defaultLimits.batchBytesMax).pipe(
    Effect.match({
      onSuccess: () => accepted,
      onFailure: ({ close, status }): Answer =>
        status === 408
          ? { ...pipelines.failure(408, bodyFaults.timedOut("").message), close }
          : { ...accepted, close },
    }),
    Effect.tap(() => Metric.update(clientMetricReports, 1)),
  )

const clientMetricReports = Metric.counter("inlet_client_metric_reports_total", {
  description: "Reports that browser libraries sent of their own metrics",
  incremental: true,
})
