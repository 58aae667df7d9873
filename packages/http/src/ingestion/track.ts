import { Clock, Effect, Option, Result } from "effect"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import type { OpenedWorkspace, Receipt } from "@inlethq/wire/decoding/Receipt"
import { reject } from "@inlethq/wire/decoding/reject"
import { withSent, withUnreadable } from "@inlethq/wire/decoding/sentCall"
import type { ActivitySource } from "@inlethq/core/log/ActivityEntry"
import type { Limits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Authenticator } from "../credentials/Authenticator.ts"
import { whereAdmitted } from "./whereAdmitted.ts"
import type { Answer, ErrorAnswers } from "./Answer.ts"
import type { Call, Endpoint, IntendedKind } from "./Call.ts"
import { commit, commitEncoded, withRetryAfter, type Decoded } from "./commit.ts"
import { forward, forwardWithBody } from "./forward.ts"
import { readRawBody, type RefusedBody } from "./requestBody.ts"
import { withSender } from "../credentials/Senders.ts"
import { ingestionTexts } from "./ingestionTexts.ts"
import { loopDetected, unlessLooped } from "./loops.ts"
import { trackV1, trackV2, type Protocol } from "./Protocol.ts"
import { parseJson } from "./JsonBody.ts"

/** An operation of the Track API, with its body limit, its decoder and its error responses. */
export interface TrackOperation extends ErrorAnswers {
  readonly source: Extract<ActivitySource, "track-v1" | "track-v2">
  readonly kind: IntendedKind
  /** The largest body in bytes after decompression. Null if the operation ignores its body. */
  readonly bodyBytesMax: ((limits: Limits) => number) | null
  /** True if the body may be empty. The decoder receives `undefined` for an empty body. */
  readonly bodyIsOptional?: boolean
  readonly decode: (receipt: Receipt, call: Call, body: unknown, bytes: number) => Decoded
  readonly refuse: (status: number, faults: ReadonlyArray<Fault>) => Answer
}

/**
 * Passes a call with valid Basic credentials to `answer`, together with its workspace. Responds with 401 to other calls
 * (contract §3).
 */
export const authenticated =
  (
    { unauthorized, unavailable }: Pick<ErrorAnswers, "unauthorized" | "unavailable">,
    answer: (call: Call, workspace: Workspace) => ReturnType<Endpoint>,
  ): Endpoint =>
  (call) =>
    Authenticator.use((authenticator) => authenticator.track(call.request.headers.authorization)).pipe(
      Effect.matchEffect({
        onFailure: () => Effect.succeed(withRetryAfter(unavailable)),
        onSuccess: Option.match({
          onNone: () => Effect.succeed(unauthorized),
          onSome: (workspace) => answer(call, workspace),
        }),
      }),
    )

/**
 * Returns the endpoint of an operation. The endpoint checks the credentials, reads and decodes the body, and commits
 * the command. It also logs refused requests.
 */
export const trackEndpoint = (operation: TrackOperation): Endpoint =>
  authenticated(operation, answerFor(operation))

/** Handles a call after its credentials were checked. The credentials determine the workspace. */
export const answerFor = (operation: TrackOperation) => {
  const looped = () => protocolOf(operation).failure(loopDetected, ingestionTexts.looped())
  return (call: Call, workspace: Workspace): ReturnType<Endpoint> =>
    unlessLooped(call, workspace, looped, admittedHere(operation, call, workspace))
}

const protocolOf = ({ source }: TrackOperation): Protocol => (source === "track-v1" ? trackV1 : trackV2)

const admittedHere = (operation: TrackOperation, call: Call, workspace: Workspace): ReturnType<Endpoint> => {
  const { bodyBytesMax, throttled, unauthorized, unavailable } = operation
  return whereAdmitted(
    workspace,
    {
      unauthorized,
      unavailable,
      throttled,
      send: (peer) =>
        bodyBytesMax === null
          ? forward(peer, call, null)
          : forwardWithBody(peer, call, bodyBytesMax(workspace.limits), ({ fault, status }) =>
              status === 503 ? withRetryAfter(unavailable) : operation.refuse(status, [fault]),
            ),
    },
    answerHere(operation, call, workspace),
  )
}

const answerHere = (operation: TrackOperation, call: Call, workspace: Workspace): ReturnType<Endpoint> => {
  const { bodyBytesMax } = operation
  return withSender(call, workspace, (opened) =>
    bodyBytesMax === null
      ? take(operation, call, opened, null)
      : Effect.matchEffect(readRawBody(call.request, bodyBytesMax(workspace.limits)), {
          onFailure: (refused) => refuse(operation, call, opened, refused),
          onSuccess: (body) => take(operation, call, opened, body),
        }),
  )
}

const take = (operation: TrackOperation, call: Call, workspace: OpenedWorkspace, body: Uint8Array | null) =>
  Clock.clockWith((clock) => {
    const receivedAt = clock.currentTimeMillisUnsafe()
    const decode = () => decodeBody(operation, receiptOf(operation, call, workspace, receivedAt), call, body)
    return commitEncoded(workspace.id, body?.length ?? 0, receivedAt, decode, operation)
  })

const decodeBody = (
  operation: TrackOperation,
  receipt: Receipt,
  call: Call,
  body: Uint8Array | null,
): Decoded => {
  if (body === null || (body.length === 0 && operation.bodyIsOptional === true)) {
    return operation.decode(receipt, call, undefined, 0)
  }
  const json = parseJson(body)
  return Result.isSuccess(json)
    ? operation.decode(receipt, call, json.success, body.length)
    : {
        commands: [
          withUnreadable(receipt, reject(receipt, operation.kind, [json.failure.fault]), json.failure),
        ],
        answer: operation.refuse(400, [json.failure.fault]),
      }
}

const refuse = (
  operation: TrackOperation,
  call: Call,
  workspace: OpenedWorkspace,
  { close, fault, status }: RefusedBody,
) => {
  const { kind, unavailable } = operation
  if (status === 503) return Effect.succeed(withRetryAfter({ ...unavailable, close }))
  const answer = { ...operation.refuse(status, [fault]), close }
  return Effect.flatMap(Clock.currentTimeMillis, (receivedAt) => {
    const receipt = receiptOf(operation, call, workspace, receivedAt)
    return commit([withSent(receipt, reject(receipt, kind, [fault]), null)], 0, answer, operation)
  })
}

const receiptOf = (
  { source }: TrackOperation,
  { client }: Call,
  workspace: OpenedWorkspace,
  receivedAt: EpochMillis,
): Receipt => ({
  workspace,
  brand: defaultBrand,
  source,
  receivedAt,
  batchIndex: null,
  client,
})
