import { unsubscribedDelivery } from "@inlet/api/webhooks/reportingEvents"
import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import type { Catalog } from "@inlet/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import {
  endOfEntry,
  lastCompleteEntry,
  sequenceAt,
  type EventPosition,
} from "@inlet/core/webhook/EventPosition"
import { retriedForMs } from "@inlet/core/webhook/retryWait"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import type { Webhook } from "@inlet/core/webhook/Webhook"
import { Effect, Option } from "effect"
import { requestedActivity, type RequestedActivity } from "@inlet/api/log/filteredActivity"
import { outgoingEvents, type EventChoice, type OutgoingEvent } from "./outgoingEvents.ts"

/**
 * The age, in milliseconds, at which a cached event is read again before it is sent. Otherwise an event could be sent
 * long after its person was deleted.
 */
const readAgainAfterMs = 1000

/** The result of one read of the log: the events to send, and the position up to which the log was read. */
export interface ReadEvents {
  readonly events: ReadonlyArray<OutgoingEvent>
  readonly readTo: EventPosition
  /** True if the read has reached the end of the log. */
  readonly caughtUp: boolean
}

/**
 * Reads the events of one webhook from the activity log of its workspace. Caches the events of the last read in memory.
 */
export class EventSource {
  private readonly catalog: Catalog["Service"]
  private readonly workspace: WorkspaceId
  private readonly choice: EventChoice
  private readonly requested: RequestedActivity
  private recent: ReadonlyMap<EventPosition, OutgoingEvent> = new Map()
  private readAt: EpochMillis = 0

  private constructor(catalog: Catalog["Service"], choice: EventChoice, requested: RequestedActivity) {
    this.catalog = catalog
    this.workspace = choice.webhook.workspace
    this.choice = choice
    this.requested = requested
  }

  /**
   * Makes the event source of a webhook. Dies if the webhook's filter is invalid, because filters are checked before
   * they are saved.
   */
  static make(
    catalog: Catalog["Service"],
    webhook: Webhook,
    { identifiers }: Workspace,
  ): Effect.Effect<EventSource> {
    const query = webhook.filter === null ? {} : { filter: webhook.filter }
    return Effect.map(
      Effect.orDie(Effect.fromResult(requestedActivity(query, null))),
      (requested) =>
        new EventSource(catalog, { webhook, identifiers, matches: requested.matches }, requested),
    )
  }

  /** Reads the entries after a position. Leaves out events that are too old to be sent. */
  readonly after = Effect.fnUntraced(function* (
    this: EventSource,
    position: EventPosition,
    now: EpochMillis,
  ): Effect.fn.Return<ReadEvents, StoreUnavailable> {
    const after = lastCompleteEntry(position)
    const found = yield* this.catalog.follow(this.workspace, this.requested.stored, after)
    const events: Array<OutgoingEvent> = []
    for (const record of found.items) {
      if (now - record.entry.receivedAt < retriedForMs) events.push(...(yield* this.eventsOf(record)))
    }
    this.recent = new Map(events.map((event) => [event.position, event]))
    this.readAt = now
    const readTo = found.readTo === null ? position : endOfEntry(found.readTo)
    return { events, readTo, caughtUp: found.caughtUp }
  })

  /**
   * Returns the current version of the event at a position. Returns undefined if its entry was erased or has expired,
   * or no longer contains the event.
   */
  readonly at = Effect.fnUntraced(function* (
    this: EventSource,
    position: EventPosition,
    now: EpochMillis,
  ): Effect.fn.Return<OutgoingEvent | undefined, StoreUnavailable> {
    const recent = this.recent.get(position)
    if (recent !== undefined && now - this.readAt <= readAgainAfterMs) return recent
    const sequence = sequenceAt(position)
    return sequence === null ? undefined : yield* this.readAgain(sequence, position)
  })

  private readonly readAgain = Effect.fnUntraced(function* (
    this: EventSource,
    sequence: Sequence,
    position: EventPosition,
  ): Effect.fn.Return<OutgoingEvent | undefined, StoreUnavailable> {
    const record = yield* this.catalog.operation(this.workspace, sequence)
    const events = Option.isSome(record) ? yield* this.eventsOf(record.value) : []
    return events.find((event) => event.position === position)
  })

  private readonly eventsOf = Effect.fnUntraced(function* (
    this: EventSource,
    record: ActivityRecord,
  ): Effect.fn.Return<ReadonlyArray<OutgoingEvent>, StoreUnavailable> {
    const deliveryId = this.choice.webhook.kind === "reporting" ? unsubscribedDelivery(record) : null
    const delivery =
      deliveryId === null ? Option.none() : yield* this.catalog.delivery(this.workspace, deliveryId)
    return outgoingEvents(
      this.choice,
      record,
      Option.isSome(delivery) ? delivery.value.delivery.channel : null,
    )
  })
}
