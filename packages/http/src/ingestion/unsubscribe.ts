import { Clock, Effect, Metric, Option, Result } from "effect"
import { errorBody } from "@inlethq/wire/track-v1/answers"
import { decodeUnsubscribe } from "@inlethq/wire/track-v1/deliveries"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { readUnsubscribe, type UnsubscribeParts } from "@inlethq/wire/decoding/delivery"
import { envelope } from "@inlethq/wire/decoding/envelope"
import type { Receipt } from "@inlethq/wire/decoding/Receipt"
import type { UnsubscribeByDelivery } from "@inlethq/core/delivery/commands"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Registry } from "@inlethq/core/ports/Registry"
import { unsubscribedName, valueOf } from "@inlethq/core/state/Attributes"
import { isTrue } from "@inlethq/core/values/flags"
import type { Person } from "@inlethq/core/state/Person"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Authenticator } from "../credentials/Authenticator.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { accepted, jsonInBrand, withHeaders } from "./Answer.ts"
import type { Call, Endpoint } from "./Call.ts"
import { withRetryAfter } from "./commit.ts"
import { readOptionalJsonBody } from "./requestBody.ts"
import { answerFor } from "./track.ts"
import { trackV1Errors } from "./trackAnswers.ts"
import { UnsubscribeMeter } from "./UnsubscribeMeter.ts"

const { throttled, unavailable } = trackV1Errors

/**
 * Handles POST `/unsubscribe/{delivery_id}` and `/unsubscribe` at the root of the host (track-api §4.3, contract §11).
 * Unsubscribes the recipient of the delivery in the workspace of the credentials. Without credentials, unsubscribes them
 * in every workspace that has a delivery with this id, and logs the call only where it changes somebody.
 */
export const unsubscribe: Endpoint = (call) =>
  Authenticator.use((authenticator) => authenticator.track(call.request.headers.authorization)).pipe(
    Effect.flatMap(
      Option.match({
        onNone: () => withoutCredentials(call),
        onSome: (workspace) => withCredentials(call, workspace),
      }),
    ),
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(withRetryAfter(unavailable))),
  )

const refuse = (status: number, faults: ReadonlyArray<Fault>) =>
  jsonInBrand(status, (brand) => errorBody(brand, faults))

const deliveryIdOf = ({ parameters }: Call): string | null => parameters[0] ?? null

const withCredentials = answerFor({
  ...trackV1Errors,
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
 * The minimum response time of an unsubscribe without credentials. Without a minimum, the response time would reveal
 * which delivery ids exist, because only a known delivery needs a commit. Commits usually take less time than this.
 */
const answerAfterMs = 50

/** Unsubscribes without credentials. The response is the same for known and unknown deliveries. */
const withoutCredentials = Effect.fnUntraced(function* (call: Call) {
  const excess = yield* (yield* UnsubscribeMeter).count(call.client.address)
  if (Option.isSome(excess)) {
    return withHeaders({ ...throttled, close: true }, { "retry-after": String(excess.value) })
  }
  const taken = yield* Effect.result(readOptionalJsonBody(call.request, defaultLimits.requestBytesMax))
  if (Result.isFailure(taken)) {
    const { close, fault, status } = taken.failure
    return status === 503 ? withRetryAfter({ ...unavailable, close }) : { ...refuse(status, [fault]), close }
  }
  const asked = readUnsubscribe(deliveryIdOf(call), taken.success.json)
  if (Result.isFailure(asked)) return refuse(400, asked.failure)
  const applied = applyToKnown(asked.success, taken.success.body.length)
  const [answer] = yield* Effect.all([applied, Effect.sleep(answerAfterMs)], { concurrency: "unbounded" })
  return answer
})

const applyToKnown = Effect.fnUntraced(function* (asked: UnsubscribeParts, bytes: number) {
  const ingest = yield* Ingest
  const { committing } = yield* ingest.status
  if (!committing) return withRetryAfter(unavailable)
  const now = yield* Clock.currentTimeMillis
  const workspaces = yield* workspacesToChange(asked)
  const commands = workspaces.map((workspace): UnsubscribeByDelivery => ({
    ...envelope("UnsubscribeByDelivery", receiptOf(workspace, now)),
    ...asked,
  }))
  if (commands.length === 0) yield* Metric.update(unapplied, 1)
  // `submit` is called even without commands, so that a full queue does not reveal which deliveries exist.
  return yield* ingest.submit(commands, bytes).pipe(
    Effect.as(accepted),
    Effect.catch(() => Effect.succeed(withRetryAfter(unavailable))),
  )
})

/**
 * Returns the workspaces of this region in which the unsubscribe changes a person. Without this check, anyone who has
 * received a message could fill the activity log.
 */
const workspacesToChange = Effect.fnUntraced(function* ({
  deliveryId,
  unsubscribe: asked,
}: UnsubscribeParts) {
  const catalog = yield* Catalog
  const registry = yield* Registry
  const { region } = yield* HttpSettings
  const known = yield* catalog.workspacesOfDelivery(deliveryId)
  const workspaces = yield* Effect.forEach(known, (id) => registry.workspace(id))
  return yield* Effect.filter(
    workspaces.flatMap(Option.toArray).filter((workspace) => workspace.region === region),
    ({ id }) =>
      Effect.map(
        catalog.delivery(id, deliveryId),
        Option.exists(({ person }) => person !== null && isUnsubscribed(person) !== asked),
      ),
  )
})

const isUnsubscribed = ({ attributes }: Person): boolean => isTrue(valueOf(attributes, unsubscribedName))

const receiptOf = (workspace: Workspace, receivedAt: number): Receipt => ({
  workspace,
  brand: defaultBrand,
  source: "track-v1",
  receivedAt,
  batchIndex: null,
})

export const unapplied = Metric.counter("inlet_unapplied_unsubscribes_total", {
  description: "Unsubscribes without credentials that changed nobody in this region",
  incremental: true,
})
