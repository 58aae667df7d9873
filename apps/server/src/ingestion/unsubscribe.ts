import { Clock, Effect, Metric, Option, Result } from "effect"
import { errorBody } from "@inlet/api/track-v1/answers"
import { decodeUnsubscribe } from "@inlet/api/track-v1/deliveries"
import { defaultBrand } from "@inlet/api/wire/Brand"
import { readUnsubscribe, type UnsubscribeParts } from "@inlet/api/wire/delivery"
import { envelope } from "@inlet/api/wire/envelope"
import type { Receipt } from "@inlet/api/wire/Receipt"
import type { UnsubscribeByDelivery } from "@inlet/core/delivery/commands"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { Ingest } from "@inlet/core/engine/Ingest"
import { defaultLimits } from "@inlet/core/workspace/Limits"
import type { Fault } from "@inlet/core/log/Outcome"
import { Registry } from "@inlet/core/ports/Registry"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Authenticator } from "../Authenticator.ts"
import { Admission, type Admitted } from "./Admission.ts"
import { accepted, json } from "./Answer.ts"
import type { Call, Endpoint } from "./Call.ts"
import { turnedAway } from "./commit.ts"
import { takeInOptional } from "./intake.ts"
import { answerFor } from "./track.ts"
import { trackV1Turned } from "./turned.ts"

const { unavailable } = trackV1Turned

/**
 * POST `/unsubscribe/{delivery_id}` and `/unsubscribe` at the root of the host (track-api §4.3, contract §11): whoever has a
 * delivery id may unsubscribe whom it went to. Credentials are not needed; where they name a workspace, what happened is
 * recorded there.
 */
export const unsubscribe: Endpoint = (call) =>
  Effect.flatMap(Authenticator, (authenticator) =>
    authenticator.track(call.request.headers.authorization),
  ).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => byDeliveryAlone(call),
        onSome: (workspace) => ofWorkspace(call, workspace),
      }),
    ),
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(turnedAway(unavailable))),
  )

const refuse = (status: number, faults: ReadonlyArray<Fault>) => json(status, errorBody(faults))

const deliveryIdOf = ({ parameters }: Call): string | null => parameters[0] ?? null

const ofWorkspace = answerFor({
  ...trackV1Turned,
  source: "track-v1",
  kind: "unsubscribe",
  bodyBytesMax: (limits) => limits.requestBytesMax,
  bodyIsOptional: true,
  refuse,
  decode: (receipt, call, body) =>
    Result.match(decodeUnsubscribe(receipt, deliveryIdOf(call), body), {
      onSuccess: (command) => ({ commands: [command], answer: accepted }),
      onFailure: (refusal) => ({ commands: [refusal], answer: refuse(400, refusal.faults) }),
    }),
})

/**
 * How soon an unsubscribe without credentials is answered at the earliest. Only a known delivery takes a commit, which takes
 * less than this as a rule: how long an answer takes does not tell which deliveries are known.
 */
const answerAfterMs = 50

/** Without credentials the delivery tells the workspace; the answer is the same whether one knows it or not. */
const byDeliveryAlone = Effect.fnUntraced(function* (call: Call) {
  const taken = yield* Effect.result(takeInOptional(call.request, defaultLimits.requestBytesMax))
  if (Result.isFailure(taken)) {
    const { close, fault, status } = taken.failure
    return status === 503 ? turnedAway({ ...unavailable, close }) : { ...refuse(status, [fault]), close }
  }
  const asked = readUnsubscribe(deliveryIdOf(call), taken.success.json)
  if (Result.isFailure(asked)) return refuse(400, asked.failure)
  const applied = applyWhereKnown(asked.success, taken.success.body.length)
  const [answer] = yield* Effect.all([applied, Effect.sleep(answerAfterMs)], { concurrency: "unbounded" })
  return answer
})

const applyWhereKnown = Effect.fnUntraced(function* (asked: UnsubscribeParts, bytes: number) {
  const ingest = yield* Ingest
  const { committing } = yield* ingest.status
  if (!committing) return turnedAway(unavailable)
  const now = yield* Clock.currentTimeMillis
  const workspaces = yield* livingHereWith(asked.deliveryId, now)
  const commands = workspaces.map((workspace): UnsubscribeByDelivery => ({
    ...envelope("UnsubscribeByDelivery", receiptOf(workspace, now)),
    ...asked,
  }))
  if (commands.length === 0) yield* Metric.update(unapplied, 1)
  // An unknown delivery queues like a known one, so that a full queue does not tell them apart.
  const request = { bytes, receivedAt: now, decode: () => ({ commands, value: undefined }) }
  return yield* ingest.submitEncoded(request).pipe(
    Effect.as(accepted),
    Effect.catch(() => Effect.succeed(turnedAway(unavailable))),
  )
})

/**
 * The workspaces that know a delivery and live here; others are left out in silence. It counts in their rates, and is applied
 * whatever they are: an answer that says 429 would tell that the delivery is known, and one that does not would be untrue.
 */
const livingHereWith = Effect.fnUntraced(function* (deliveryId: string, now: number) {
  const directory = yield* Catalog
  const registry = yield* Registry
  const admission = yield* Admission
  const known = yield* directory.workspacesOfDelivery(deliveryId)
  const workspaces = yield* Effect.forEach(known, (id) => registry.workspace(id))
  return workspaces.flatMap(Option.toArray).filter((workspace) => livesHere(admission.admit(workspace, now)))
})

const livesHere = ({ _tag }: Admitted): boolean => _tag === "Here" || _tag === "Throttled"

const receiptOf = (workspace: Workspace, receivedAt: number): Receipt => ({
  workspace,
  brand: defaultBrand,
  source: "track-v1",
  receivedAt,
  batchIndex: null,
})

const unapplied = Metric.counter("inlet_unapplied_unsubscribes_total", {
  description:
    "Unsubscribes without credentials by a delivery that no workspace knows, or that lives elsewhere",
  incremental: true,
})
