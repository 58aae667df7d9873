import { webhookChangesMax, type DriftDocument, type DriftEvent } from "@inlethq/contract/types/EventTypes"
import { LogSummaries, type TypeName } from "@inlethq/core/ports/LogSummaries"
import { Registry } from "@inlethq/core/ports/Registry"
import { Sequence } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { eventPosition, indexAt, sequenceAt, type EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import type { Drift } from "@inlethq/log/types/driftOf"
import {
  driftInRange,
  silentBetween,
  type DriftSource,
  type PositionRange,
} from "@inlethq/log/types/readDrift"
import { Effect } from "effect"
import type { OutgoingEvent } from "./outgoingEvents.ts"

/** The places of the events of one operation: what it showed first, and that its name became silent after it. */
const shownIndex = 0
const silentIndex = 1

const driftSource = Effect.gen(function* (): Effect.fn.Return<DriftSource, never, LogSummaries | Registry> {
  return { summaries: yield* LogSummaries, registry: yield* Registry, turns: yield* Turns }
})

/** An event with the names that have to be read to send it again. */
export interface DriftOutgoing extends OutgoingEvent {
  readonly names: ReadonlyArray<TypeName>
}

/** Returns the events of a part of the log, in its order. If `known` is given, they are about these names only. */
export const driftEventsIn = Effect.fnUntraced(function* (
  webhook: Webhook,
  range: PositionRange,
  known?: ReadonlyArray<TypeName>,
) {
  const drift = yield* driftInRange(yield* driftSource, webhook.workspace, range, known)
  return eventsOf(webhook, drift, shownIndex)
})

/** Returns an event for each name that became silent after one time, up to another, the earliest first. */
export const silentEventsBetween = Effect.fnUntraced(function* (
  webhook: Webhook,
  period: { readonly after: EpochMillis; readonly to: EpochMillis },
  known?: ReadonlyArray<TypeName>,
) {
  if (!isWanted(webhook, "silent")) return []
  const drift = yield* silentBetween(yield* driftSource, webhook.workspace, period, known)
  return drift.flatMap((one) => eventsOf(webhook, [one], silentIndex))
})

/**
 * Returns an event as its webhook would send it now. Returns undefined if it is none any more, as when a silent name has come
 * again. Reads the names that it is about if they are known, and all names otherwise.
 */
export const driftEventAt = Effect.fnUntraced(function* (
  webhook: Webhook,
  position: EventPosition,
  now: EpochMillis,
  known?: ReadonlyArray<TypeName>,
) {
  const sequence = sequenceAt(position)
  if (sequence === null) return undefined
  const found =
    indexAt(position) === silentIndex
      ? yield* silentEventsBetween(webhook, { after: 0, to: now }, known)
      : yield* driftEventsIn(webhook, { after: sequence - 1, to: sequence }, known)
  return found.find((event) => event.position === position)
})

const isWanted = ({ events }: Webhook, change: DriftDocument["change"]): boolean =>
  events.includes("*") || events.includes(change)

const eventsOf = (
  webhook: Webhook,
  drift: ReadonlyArray<Drift>,
  index: number,
): ReadonlyArray<DriftOutgoing> => {
  const byPosition = Map.groupBy(
    drift.filter(({ document }) => isWanted(webhook, document.change)),
    ({ seen }) => seen.position,
  )
  return Array.from(byPosition, ([position, changes]) => eventOf(position, changes, index)).flat()
}

const distinctNames = (names: ReadonlyArray<TypeName>): ReadonlyArray<TypeName> => [
  ...new Map(names.map((one) => [`${one.kind}\n${one.name}`, one])).values(),
]

const eventOf = (
  position: number,
  changes: ReadonlyArray<Drift>,
  index: number,
): ReadonlyArray<DriftOutgoing> => {
  const [first] = changes
  if (first === undefined) return []
  const { at, operation_id } = first.document
  const eventId = index === silentIndex ? `${operation_id}.silent` : operation_id
  const body: DriftEvent = {
    event_id: eventId,
    operation_id,
    at,
    changes: changes.slice(0, webhookChangesMax).map(({ document }) => document),
    complete: changes.length <= webhookChangesMax,
  }
  return [
    {
      position: eventPosition(Sequence.make(position), index),
      subject: null,
      receivedAt: first.seen.receivedAt,
      eventId,
      operationId: operation_id,
      body: JSON.stringify(body),
      names: distinctNames(changes.flatMap(({ names }) => names)),
    },
  ]
}
