import { Clock, Effect, Option } from "effect"
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
import { takeIn, type Intake, type Refused } from "./intake.ts"

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

const answerHere = (operation: TrackOperation, call: Call, workspace: Workspace): ReturnType<Endpoint> => {
  const { bodyBytesMax } = operation
  return bodyBytesMax === null
    ? take(operation, call, workspace, noBody)
    : Effect.matchEffect(takeIn(call.request, bodyBytesMax(workspace.limits)), {
        onFailure: (refused) => refuse(operation, workspace, refused),
        // A function and no generator: that would hold the whole body while its commands wait for their commit.
        onSuccess: (intake) => take(operation, call, workspace, intake),
      })
}

const take = (operation: TrackOperation, call: Call, workspace: Workspace, { bytes, json }: Intake) =>
  Effect.flatMap(receiptOf(operation, workspace), (receipt) => {
    const { answer, commands } = operation.decode(receipt, call, json, bytes)
    return commit(commands, bytes, answer, operation.unavailable)
  })

const refuse = (operation: TrackOperation, workspace: Workspace, { close, fault, status }: Refused) => {
  const { kind, unavailable } = operation
  if (status === 503) return Effect.succeed(turnedAway({ ...unavailable, close }))
  const answer = { ...operation.refuse(status, [fault]), close }
  return Effect.flatMap(receiptOf(operation, workspace), (receipt) =>
    commit([reject(receipt, kind, [fault])], 0, answer, unavailable),
  )
}

const receiptOf = ({ source }: TrackOperation, workspace: Workspace) =>
  Effect.map(Clock.currentTimeMillis, (receivedAt): Receipt => ({
    workspace,
    brand: defaultBrand,
    source,
    receivedAt,
    batchIndex: null,
  }))
