import { Clock, Effect, Option, Result } from "effect"
import { defaultBrand } from "@inlet/api/wire/Brand"
import type { Receipt } from "@inlet/api/wire/Receipt"
import { reject } from "@inlet/api/wire/reject"
import type { ActivitySource } from "@inlet/core/Activity"
import type { Command } from "@inlet/core/Command"
import type { Limits } from "@inlet/core/Limits"
import type { Fault } from "@inlet/core/Outcome"
import type { Workspace } from "@inlet/core/Workspace"
import { Authenticator } from "../Authenticator.ts"
import { admitted } from "./admitted.ts"
import type { Answer } from "./Answer.ts"
import type { Call, Endpoint, IntendedKind } from "./Call.ts"
import { commit, turnedAway, type Answering } from "./commit.ts"
import { forward, forwardWithBody } from "./forward.ts"
import { takeIn, type Intake } from "./intake.ts"

/** What a body was decoded into: the commands of one commit, and the answer once they are committed. */
export interface Decoded {
  readonly commands: ReadonlyArray<Command>
  readonly answer: Answering
}

/** How the Track API answers whom it does not serve. */
export interface Turned {
  readonly unauthorized: Answer
  readonly unavailable: Answer
  readonly throttled: Answer
}

/** An operation of the Track API: how its body is read, and how its problems are worded. */
export interface TrackOperation extends Turned {
  readonly source: Extract<ActivitySource, "track-v1" | "track-v2">
  readonly kind: IntendedKind
  /** The most bytes of a body; null where the operation reads none. */
  readonly bodyBytesMax: ((limits: Limits) => number) | null
  readonly decode: (receipt: Receipt, call: Call, body: unknown, bytes: number) => Decoded
  readonly refuse: (status: number, faults: ReadonlyArray<Fault>) => Answer
}

/** Gives a call with valid credentials to whoever answers for its workspace; others get a 401 (contract §3). */
export const authenticated =
  (
    { unauthorized, unavailable }: Pick<Turned, "unauthorized" | "unavailable">,
    answer: (call: Call, workspace: Workspace) => ReturnType<Endpoint>,
  ): Endpoint =>
  (call) =>
    Effect.flatMap(Authenticator, (authenticator) =>
      authenticator.track(call.request.headers.authorization),
    ).pipe(
      Effect.matchEffect({
        onFailure: () => Effect.succeed(turnedAway(unavailable)),
        onSuccess: Option.match({
          onNone: () => Effect.succeed(unauthorized),
          onSome: (workspace) => answer(call, workspace),
        }),
      }),
    )

const noBody: Intake = { json: undefined, bytes: 0 }

/** Answers one operation: body, decoding, commit. What is refused is recorded too. */
export const trackEndpoint = (operation: TrackOperation): Endpoint => {
  const { bodyBytesMax, throttled, unauthorized, unavailable } = operation
  return authenticated(operation, (call, workspace) =>
    admitted(
      workspace,
      {
        unauthorized,
        unavailable,
        throttled,
        send: (peer) =>
          bodyBytesMax === null
            ? forward(peer, call.request, null)
            : forwardWithBody(peer, call.request, bodyBytesMax(workspace.limits), operation.refuse),
      },
      answerHere(operation, call, workspace),
    ),
  )
}

const answerHere = Effect.fnUntraced(function* (operation: TrackOperation, call: Call, workspace: Workspace) {
  const { bodyBytesMax, kind, source, unavailable } = operation
  const taken =
    bodyBytesMax === null
      ? Result.succeed(noBody)
      : yield* Effect.result(takeIn(call.request, bodyBytesMax(workspace.limits)))
  const receivedAt = yield* Clock.currentTimeMillis
  const receipt: Receipt = { workspace, brand: defaultBrand, source, receivedAt, batchIndex: null }
  if (Result.isFailure(taken)) {
    const { close, fault, status } = taken.failure
    if (status === 503) return turnedAway({ ...unavailable, close })
    const answer = { ...operation.refuse(status, [fault]), close }
    return yield* commit([reject(receipt, kind, [fault])], 0, answer, unavailable)
  }
  const { bytes, json } = taken.success
  const { answer, commands } = operation.decode(receipt, call, json, bytes)
  return yield* commit(commands, bytes, answer, unavailable)
})
