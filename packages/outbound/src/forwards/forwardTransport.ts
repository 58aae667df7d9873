import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Forward } from "@inlethq/core/forward/Forward"
import { installationOf, passageName } from "@inlethq/core/forward/passage"
import { openedNames } from "@inlethq/core/forward/sealedNames"
import { Digest, digestsOf } from "@inlethq/core/ports/Digest"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { AttemptResult } from "@inlethq/core/webhook/DeliveryQueue"
import { eventPosition, sequenceAt, type EventPosition } from "@inlethq/core/webhook/EventPosition"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { isErasingKind, type ForwardStyle } from "@inlethq/log/call/forwardedCalls"
import { IdentifierChanges } from "@inlethq/log/history/IdentifierChanges"
import { Effect, Schedule } from "effect"
import type { Batch } from "../follower/Destination.ts"
import type { SentEvent, Transport } from "../sending/QueueSender.ts"
import type { Delivered } from "../sending/Delivered.ts"
import type { Sender } from "../sending/Sender.ts"
import { choiceOf } from "./choiceOf.ts"
import { countItem } from "./forwardMetrics.ts"
import { forwardUnits, type ForwardUnit } from "./forwardUnits.ts"
import { postBatch } from "./postBatch.ts"
import { readAgain, sendUnits, type Compared, type UnitResult } from "./sendUnits.ts"
import { targetOf, type ForwardTarget } from "./targetOf.ts"
import { verdictOf } from "./verdictOf.ts"

/** The most calls in one request of a forward. */
const forwardedCallsMax = 100

/** The most bytes of the calls in one request of a forward, before compression. */
const forwardedBytesMax = 500_000

/** The pause after a failed read of the store. */
const unavailablePause = "1 second"

/** Makes the functions that turn entries into the calls of a forward, and send them. */
export const forwardTransport = Effect.fnUntraced(function* (forward: Forward, workspace: Workspace) {
  const store = yield* ForwardStore
  const trusted = yield* TrustedTime
  const digest = yield* Digest
  const target = yield* targetOf(forward)
  const installation = installationOf(digest.of)
  const style = { to: forward.to, as: forward.as, installation, digest: digest.of }
  const isChosen = yield* choiceOf(forward)

  const reading = yield* makeReading(forward, workspace, style)
  const sendRequest = makeRequests({
    target,
    name: passageName(installation, workspace.id),
    compare: reading.compare,
  })

  const forget = (sequences: ReadonlyArray<Sequence>) =>
    sequences.length === 0
      ? Effect.void
      : store.forget(forward, sequences).pipe(Effect.retry(Schedule.spaced(unavailablePause)), Effect.orDie)

  const forgetTold = (results: ReadonlyMap<ForwardUnit, UnitResult>) => {
    const told = [...results].filter(([{ isErasing }, { result }]) => isErasing && isDone(result))
    return forget(told.map(([{ sequence }]) => sequence))
  }

  const send = Effect.fnUntraced(function* (positions: ReadonlyArray<EventPosition>) {
    const units = yield* reading.unitsAt(positions)
    const all = new Map<ForwardUnit, UnitResult>()
    let failed: UnitResult | undefined
    for (const request of requestsOf(units)) {
      const results = yield* sendRequest(request)
      for (const [unit, result] of results) all.set(unit, result)
      yield* forgetTold(results)
      failed = [...results.values()].find(({ result }) => result._tag === "Failed")
      if (failed !== undefined) break
    }
    // What comes after a failed request was not sent, and waits with it.
    const events = new Map(units.map((unit) => [unit.position, eventOf(unit, all.get(unit) ?? failed)]))
    return positions.map((position) => events.get(position) ?? null)
  })

  const eventsIn = Effect.fnUntraced(function* ({ records }: Batch) {
    const now = yield* trusted
    const chosen = records.filter(
      (record) => now - record.entry.receivedAt < retriedForMs && isChosen(record),
    )
    const leftOut = records.filter((record) => isErasingKind(record.entry.kind) && !chosen.includes(record))
    yield* forget(leftOut.map(({ entry }) => entry.sequence))
    return chosen.map(({ entry: { receivedAt, sequence, subject } }) => ({
      position: eventPosition(sequence, 0),
      subject,
      receivedAt,
    }))
  })

  return { eventsMax: forwardedCallsMax, count: countItem, send, eventsIn } satisfies Transport<Sender> & {
    readonly eventsIn: unknown
  }
})

/** Makes the functions that read what a forward sends. They wait until the store can be read. */
const makeReading = Effect.fnUntraced(function* (
  forward: Forward,
  workspace: Workspace,
  style: ForwardStyle,
) {
  const catalog = yield* Catalog
  const snapshots = yield* Snapshots
  const store = yield* ForwardStore
  const digests = digestsOf(yield* Digest, workspace.id)
  const changes = new IdentifierChanges()

  /** Returns the identifiers that erasing operations at these positions had, as far as they are still to be told. */
  const namesAt = Effect.fnUntraced(function* (positions: ReadonlyArray<EventPosition>) {
    const sequences = positions.flatMap((position) => sequenceAt(position) ?? [])
    const sealed = yield* store.names(forward, sequences)
    return new Map(sealed.map((one) => [one.sequence, openedNames(digests, one)]))
  })

  const unitsAt = (positions: ReadonlyArray<EventPosition>) =>
    Effect.flatMap(namesAt(positions), (names) =>
      forwardUnits(workspace, style, positions, names, changes),
    ).pipe(
      Effect.provideService(Snapshots, snapshots),
      Effect.tapError((error) => Effect.logWarning("what a forward sends could not be read", error)),
      Effect.retry(Schedule.spaced(unavailablePause)),
      Effect.orDie,
    )

  /** Returns the units of entries that are not, or no longer, shown in full. */
  const cutAmong = Effect.fnUntraced(
    function* (units: ReadonlyArray<ForwardUnit>) {
      const erased = yield* catalog.erasedAmong(
        workspace.id,
        units.map(({ sequence }) => sequence),
      )
      return units.filter(({ isErasing, sequence }) => !isErasing && erased.has(sequence))
    },
    Effect.retry(Schedule.spaced(unavailablePause)),
    Effect.orDie,
  )

  return {
    unitsAt,
    /** Reads those units again whose entries are cut, to find out whether they were so before. */
    compare: Effect.fnUntraced(function* (
      units: ReadonlyArray<ForwardUnit>,
    ): Effect.fn.Return<Compared<ForwardUnit>> {
      const cut = yield* cutAmong(units)
      const now = cut.length === 0 ? [] : yield* unitsAt(cut.map(({ position }) => position))
      const left = new Map(now.map((unit) => [unit.position, unit]))
      const there = new Set(units)
      const changed = new Set<ForwardUnit>()
      for (const unit of cut) {
        const found = left.get(unit.position)
        if (found !== undefined && JSON.stringify(found.calls) === JSON.stringify(unit.calls)) continue
        there.delete(unit)
        if (found !== undefined) changed.add(unit)
      }
      return { there, changed }
    }),
  }
})

const isDone = ({ _tag }: AttemptResult): boolean => _tag === "Delivered" || _tag === "Looped"

const eventOf = ({ operationId }: ForwardUnit, result: UnitResult | undefined): SentEvent | null =>
  result === undefined ? null : { eventId: operationId, operationId, ...result }

/** Divides units into requests that are small enough, and in which all calls have come the same way. */
const requestsOf = (units: ReadonlyArray<ForwardUnit>): ReadonlyArray<ReadonlyArray<ForwardUnit>> => {
  const requests: Array<Array<ForwardUnit>> = []
  let items = 0
  let bytes = 0
  for (const unit of units) {
    const last = requests.at(-1)
    const isSameWay = last?.[0]?.passage.join(",") === unit.passage.join(",")
    const fits = items + unit.items <= forwardedCallsMax && bytes + unit.bytes <= forwardedBytesMax
    if (last !== undefined && isSameWay && fits) last.push(unit)
    else {
      requests.push([unit])
      items = 0
      bytes = 0
    }
    items += unit.items
    bytes += unit.bytes
  }
  return requests
}

interface Requests {
  readonly target: ForwardTarget
  /** How the workspace is named in the passage. */
  readonly name: string
  readonly compare: (units: ReadonlyArray<ForwardUnit>) => Effect.Effect<Compared<ForwardUnit>>
}

/** Returns the function that sends units which fit into one request. */
const makeRequests =
  ({ compare, name, target }: Requests) =>
  (units: ReadonlyArray<ForwardUnit>) =>
    sendUnits(units, {
      compare,
      post: (asked) =>
        postCalls(
          target,
          asked.flatMap(({ calls }) => calls),
          [...(units[0]?.passage ?? []), name],
          Effect.map(compare(asked), ({ there }) => there.size === asked.length),
        ),
    })

/**
 * Sends calls, in several requests if one unit has more of them than fit into one. Returns the first answer by which not all were
 * taken. The requests after a failed one are not sent. After somebody was erased, what is left is read again.
 */
const postCalls = Effect.fnUntraced(function* (
  target: ForwardTarget,
  calls: ReadonlyArray<JsonObject>,
  passage: ReadonlyArray<string>,
  mayGoOn: Effect.Effect<boolean>,
) {
  let answer = yield* postBatch(target, calls.slice(0, forwardedCallsMax), passage)
  for (let from = forwardedCallsMax; from < calls.length; from += forwardedCallsMax) {
    if (answer.failure !== null) break
    if (!(yield* mayGoOn)) return readAgain
    const next = yield* postBatch(target, calls.slice(from, from + forwardedCallsMax), passage)
    if (isWhole(answer) || next.failure !== null) answer = next
  }
  return answer
})

const isWhole = (answer: Delivered): boolean => {
  const verdict = verdictOf(answer, forwardedCallsMax)
  return verdict._tag === "Taken" && verdict.refused.size === 0
}
