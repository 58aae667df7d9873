import { Clock, Effect, Metric, Option, Result } from "effect"
import { accepted as acceptedBody, refusalBody, refusedBody } from "@inlethq/wire/pipelines/answers"
import { operationKinds, type Operation } from "@inlethq/wire/pipelines/CallType"
import { bodyBytesMax, decodeBatch, decodeCall } from "@inlethq/wire/pipelines/decode"
import { asksForOutcomes, listOutcomes, unknownKeyOutcomes } from "@inlethq/wire/pipelines/outcomes"
import {
  unauthorizedRefusal,
  type Decoded,
  type RequestContext,
} from "@inlethq/wire/pipelines/RequestContext"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { reject, tooLarge } from "@inlethq/wire/decoding/reject"
import { withSent, withUnreadable } from "@inlethq/wire/decoding/sentCall"
import type { UnreadableBody } from "@inlethq/wire/decoding/unreadableBody"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { defaultLimits, type Limits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { IncomingMessage } from "node:http"
import { Authenticator, basicCredentials } from "../credentials/Authenticator.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { Admission } from "./Admission.ts"
import { whereAdmitted } from "./whereAdmitted.ts"
import { json, jsonInBrand, type Answer, type BrandedBody } from "./Answer.ts"
import type { Call, Endpoint } from "./Call.ts"
import {
  commit,
  commitEncoded,
  withRetryAfter,
  type Answering,
  type Decoded as DecodedBody,
  type CommitFailures,
} from "./commit.ts"
import { forward, forwardWithBody } from "./forward.ts"
import { loopDetected, unlessLooped } from "./loops.ts"
import { withSender } from "../credentials/Senders.ts"
import { readJsonBody, readRawBody, type ParsedBody, type RefusedBody } from "./requestBody.ts"
import { parseJson } from "./JsonBody.ts"
import { pipelines } from "./Protocol.ts"
import { writeKeysIn } from "./writeKeys.ts"
import { messageOf } from "@inlethq/wire/texts/sentences"
import { ingestionTexts } from "./ingestionTexts.ts"

const accepted = json(200, acceptedBody)

/**
 * The status and body of a response. If the request asks for the outcomes of its calls, the outcomes are added to the
 * body later.
 */
interface Reply {
  readonly status: number
  readonly body: BrandedBody
}

const acceptedReply: Reply = { status: 200, body: () => acceptedBody }

const looped = (): Answer => pipelines.failure(loopDetected, ingestionTexts.looped())

const unavailable = pipelines.failure(503, ingestionTexts.unavailable())

const errorAnswers = {
  unavailable,
  throttled: pipelines.failure(429, ingestionTexts.throttled()),
}

/** Returns the endpoint of the Pipelines API for one kind of call, or for batches (pipelines-api §4, contract §2). */
export const pipelinesEndpoint = (operation: Operation): Endpoint =>
  Effect.fnUntraced(
    function* (call) {
      const strict = call.request.headers["x-strict-mode"] === "1"
      const settings = yield* HttpSettings
      const outcomes = settings.outcomes && asksForOutcomes(call.query)
      const pipelinesCall = { call, operation, strict, outcomes }
      const byHeader = yield* workspaceByHeader(call.request)
      const known = Option.flatten(byHeader)
      if (Option.isNone(known)) return yield* answerByBodyKeys(pipelinesCall, byHeader)
      const workspace = known.value
      const bytesMax = bodyBytesMax(workspace.limits, false, operation === "batch")
      const send = (peer: URL) => forwardWithBody(peer, call, bytesMax, refuseBeforeForwarding(strict))
      const otherwise = { ...errorAnswers, unauthorized: unauthorizedAnswer(strict), send }
      const here = withSender(call, workspace, (opened) =>
        answerForWorkspace(pipelinesCall, opened, bytesMax),
      )
      return yield* unlessLooped(call, workspace, looped, whereAdmitted(workspace, otherwise, here))
    },
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(withRetryAfter(unavailable))),
  )

/** A call to one of the Pipelines endpoints. */
interface PipelinesCall {
  readonly call: Call
  readonly operation: Operation
  readonly strict: boolean
  /** Whether the request asks for the outcomes of its calls (contract §13 outcomes). */
  readonly outcomes: boolean
}

/** Returns the response. If `outcomes` is true, the body also lists the outcomes of the calls. */
const answering = (reply: Reply, outcomes: boolean): Answering =>
  outcomes ? (entries) => listing(reply, (brand) => listOutcomes(entries, brand)) : plain(reply)

const listing = (
  { body, status }: Reply,
  outcomes: (brand: WrittenBrand) => ReturnType<typeof listOutcomes>,
): Answer => jsonInBrand(status, (brand) => ({ ...body(brand), outcomes: outcomes(brand) }))

/** Returns the response to a request without a known write key. */
const unknownKeyAnswer = (reply: Reply, outcomes: boolean): Answer => ({
  ...(outcomes ? listing(reply, () => unknownKeyOutcomes) : plain(reply)),
  refusal: "unknown_key",
})

const plain = (reply: Reply): Answer =>
  reply === acceptedReply ? accepted : jsonInBrand(reply.status, reply.body)

/**
 * Handles a call with a valid `Authorization` header. The header alone decides the workspace, so the body can wait
 * undecoded in the commit queue.
 */
const answerForWorkspace = (pipelinesCall: PipelinesCall, workspace: Workspace, bytesMax: number) =>
  Effect.matchEffect(readRawBody(pipelinesCall.call.request, bytesMax), {
    onFailure: (refused) =>
      Effect.flatMap(Clock.currentTimeMillis, (receivedAt) =>
        refuse(
          withLimitOf(pipelinesCall, workspace.limits, refused),
          { ...pipelinesCall, receivedAt, wrongKey: false },
          Option.some(workspace),
        ),
      ),
    onSuccess: (body) =>
      Clock.clockWith((clock) => {
        const receivedAt = clock.currentTimeMillisUnsafe()
        const decode = () => decodeForWorkspace(pipelinesCall, workspace, body, receivedAt)
        const unauthorized = unauthorizedAnswer(pipelinesCall.strict)
        return commitEncoded(workspace.id, body.length, receivedAt, decode, { unavailable, unauthorized })
      }),
  })

const decodeForWorkspace = (
  pipelinesCall: PipelinesCall,
  workspace: Workspace,
  body: Uint8Array,
  receivedAt: number,
): DecodedBody => {
  const read = parseJson(body)
  if (Result.isFailure(read)) {
    const { fault } = read.failure
    return {
      commands: [refusalOf(pipelinesCall, workspace, receivedAt, fault, read.failure)],
      answer: answering(refusedReply(pipelinesCall.strict, 400, fault), pipelinesCall.outcomes),
    }
  }
  const context: RequestContext = {
    brand: defaultBrand,
    receivedAt,
    bytes: body.length,
    strict: pipelinesCall.strict,
    client: pipelinesCall.call.client,
    open: () => workspace,
  }
  const decoded = decode(pipelinesCall.operation, context, read.success)
  return { commands: decoded.commands, answer: answering(replyTo(decoded), pipelinesCall.outcomes) }
}

/**
 * Handles a call without a valid `Authorization` header. If the header is missing, write keys in the body select the
 * workspaces. If the header is invalid, write keys in the body are ignored.
 */
const answerByBodyKeys = Effect.fnUntraced(function* (
  pipelinesCall: PipelinesCall,
  byHeader: Option.Option<Option.Option<Workspace>>,
) {
  const { call, strict } = pipelinesCall
  const taken = yield* Effect.result(readJsonBody(call.request, unauthenticatedBytesMax))
  const receivedAt = yield* Clock.currentTimeMillis
  const wrongKey = Option.isSome(byHeader)
  if (Result.isFailure(taken)) {
    const refused = withLimitOf(pipelinesCall, defaultLimits, taken.failure)
    return yield* refuse(refused, { ...pipelinesCall, receivedAt, wrongKey }, Option.none())
  }
  const { body, json } = taken.success
  const byKey = wrongKey ? new Map<string, Workspace>() : yield* workspacesByBodyKeys(call, json)
  const here = decodeAndFinish(pipelinesCall, taken.success, receivedAt, (key) =>
    key === null ? undefined : byKey.get(key),
  )
  const [workspace, ...others] = new Set(byKey.values())
  if (workspace === undefined) return yield* here
  if (others.length > 0) {
    yield* keepAdmittedHere(byKey, receivedAt)
    return yield* here
  }
  const send = (peer: URL) => forward(peer, call, body)
  return yield* whereAdmitted(
    workspace,
    { ...errorAnswers, unauthorized: unauthorizedAnswer(strict), send },
    here,
  )
})

/**
 * Removes from `byKey` the keys of workspaces that belong to the other region or are over their rate limit. A body for
 * several workspaces is never forwarded, because the other region would receive the calls of all of them.
 */
const keepAdmittedHere = (byKey: Map<string, Workspace>, now: number) =>
  Effect.map(Admission, (admission) => {
    const decisions = new Map(
      [...new Set(byKey.values())].map((workspace) => [workspace.id, admission.admit(workspace, now)]),
    )
    for (const [key, { id }] of byKey) if (decisions.get(id)?._tag !== "Here") byKey.delete(key)
  })

const decodeAndFinish = (
  { call, operation, outcomes, strict }: PipelinesCall,
  { body, json }: ParsedBody,
  receivedAt: number,
  open: RequestContext["open"],
) => {
  const bytes = body.length
  const { client } = call
  const decoded = decode(operation, { brand: defaultBrand, receivedAt, bytes, strict, client, open }, json)
  return finish(decoded, bytes, outcomes)
}

const decode = (operation: Operation, context: RequestContext, body: unknown): Decoded =>
  operation === "batch" ? decodeBatch(context, body) : decodeCall(context, operation, body)

const unauthorizedAnswer = (strict: boolean): Answer => ({
  ...(strict ? jsonInBrand(401, (brand) => refusedBody(brand, unauthorizedRefusal)) : accepted),
  refusal: "unknown_key",
})

/**
 * The response if the workspace of a write key in the body was deleted during the call. The other calls of the body may
 * have been applied, so the client should send all of them again. The key is unknown then.
 */
const retryable: CommitFailures = { unavailable, unauthorized: withRetryAfter(unavailable) }

const finish = (decoded: Decoded, bytes: number, outcomes: boolean) => {
  const { commands, unauthorized } = decoded
  const reply = replyTo(decoded)
  const answered =
    commands.length === 0 && unauthorized > 0
      ? Effect.succeed(unknownKeyAnswer(reply, outcomes))
      : commit(commands, bytes, answering(reply, outcomes), retryable)
  return unauthorized === 0 ? answered : Effect.andThen(countUnauthorized(unauthorized), answered)
}

const replyTo = ({ refusal }: Decoded): Reply =>
  refusal === null ? acceptedReply : { status: refusal.status, body: (brand) => refusedBody(brand, refusal) }

/**
 * The largest body of a call without a valid `Authorization` header. The workspace is not known before the body is
 * read, so the limit of the workspace cannot be used.
 */
const unauthenticatedBytesMax = 4 * 1024 * 1024

/**
 * A 413 response names a size limit. Replaces this limit by the limit for the mode of the call, strict or default. The
 * server reads bodies with a limit that does not depend on the mode and may be higher.
 */
const withLimitOf = (
  { operation, strict }: PipelinesCall,
  limits: Limits,
  refused: RefusedBody,
): RefusedBody =>
  refused.status === 413
    ? { ...refused, fault: tooLarge(bodyBytesMax(limits, strict, operation === "batch")) }
    : refused

interface Refusal extends PipelinesCall {
  readonly receivedAt: number
  /** True if the call has an `Authorization` header, but the key in this header is invalid. */
  readonly wrongKey: boolean
}

/**
 * Refuses a body that could not be read, and logs the refusal if the workspace is known. Responds with an error in
 * strict mode, else with success.
 */
const refuse = (
  { close, fault, status }: RefusedBody,
  { call, operation, outcomes, receivedAt, strict, wrongKey }: Refusal,
  workspace: Option.Option<Workspace>,
) => {
  if (status === 503) return Effect.succeed(withRetryAfter({ ...unavailable, close }))
  const reply = refusedReply(strict, status, fault)
  if (Option.isNone(workspace)) {
    const refusal = strict && wrongKey ? unauthorizedAnswer(strict) : unknownKeyAnswer(reply, outcomes)
    return Effect.as(countUnauthorized(1), { ...refusal, close })
  }
  const command = refusalOf({ call, operation }, workspace.value, receivedAt, fault)
  return Effect.map(commit([command], 0, answering(reply, outcomes), retryable), (answer) => ({
    ...answer,
    close,
  }))
}

/** Returns the response to a body that could not be read or is not JSON. */
const refusedReply = (strict: boolean, status: number, fault: Fault): Reply =>
  strict || status === 408
    ? {
        status: status === 413 ? 400 : status,
        body: (brand) => refusalBody({ code: fault.reason, message: messageOf(brand, fault) }),
      }
    : acceptedReply

/** Returns the response to a body that cannot be forwarded because it could not be read. */
const refuseBeforeForwarding =
  (strict: boolean) =>
  ({ fault, status }: RefusedBody): Answer =>
    status === 503 ? withRetryAfter(unavailable) : plain(refusedReply(strict, status, fault))

/** Returns the command that logs a refused body. */
const refusalOf = (
  { call, operation }: Pick<PipelinesCall, "call" | "operation">,
  workspace: Workspace,
  receivedAt: number,
  fault: Fault,
  unreadable?: UnreadableBody,
) => {
  const { client } = call
  const source = "pipelines" as const
  const receipt = { workspace, brand: defaultBrand, source, receivedAt, batchIndex: null, client }
  const refusal = reject(receipt, operationKinds[operation], [fault])
  return unreadable === undefined
    ? withSent(receipt, refusal, null)
    : withUnreadable(receipt, refusal, unreadable)
}

const bearer = /^bearer(\s|$)/i

/**
 * Returns the workspace of the `Authorization` header. The outer option is empty if the header is missing, and the
 * inner option is empty if the header is invalid. An unknown Bearer token counts as a missing header, because some
 * clients send tokens for other services. Every other invalid header counts as invalid (contract §3, §13).
 */
export const workspaceByHeader = (
  request: IncomingMessage,
): Effect.Effect<Option.Option<Option.Option<Workspace>>, StoreUnavailable, Authenticator> => {
  const { authorization = "" } = request.headers
  if (authorization === "") return Effect.succeed(Option.none())
  if (bearer.test(authorization)) return workspaceByBearer(authorization.slice("bearer".length).trim())
  const credentials = basicCredentials(authorization)
  if (credentials === undefined) return Effect.succeed(Option.some(Option.none()))
  const colon = credentials.indexOf(":")
  const writeKey = colon < 0 ? credentials : credentials.slice(0, colon)
  return Authenticator.use((authenticator) => Effect.asSome(authenticator.pipelines(writeKey)))
}

const workspaceByBearer = (writeKey: string) =>
  writeKey === ""
    ? Effect.succeed(Option.none())
    : Authenticator.use((authenticator) =>
        Effect.map(
          authenticator.pipelines(writeKey),
          Option.map((workspace) => Option.some(workspace)),
        ),
      )

/** Returns the workspace of each valid write key in a body. */
const workspacesByBodyKeys = Effect.fnUntraced(function* (call: Call, body: unknown) {
  const authenticator = yield* Authenticator
  const workspaces = new Map<string, Workspace>()
  for (const key of writeKeysIn(body)) {
    const workspace = yield* authenticator.pipelines(key)
    if (Option.isNone(workspace)) continue
    workspaces.set(key, yield* withSender(call, workspace.value, Effect.succeed))
  }
  return workspaces
})

export const unauthorizedCalls = Metric.counter("inlet_unauthorized_calls_total", {
  description: "Pipelines calls without a valid write key",
  incremental: true,
})

const countUnauthorized = (calls: number) =>
  Effect.andThen(
    Metric.update(unauthorizedCalls, calls),
    Effect.logDebug("pipelines calls without a valid write key", { calls }),
  )
