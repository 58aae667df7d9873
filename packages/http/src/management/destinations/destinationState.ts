import {
  destinationHoursShown,
  hourDocument,
  type DestinationDocument,
} from "@inlethq/contract/webhooks/Destinations"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { DestinationHours, hourNumber } from "@inlethq/core/ports/DestinationHours"
import { LogCursors, type CursorKey } from "@inlethq/core/ports/LogCursors"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { WebhookStore, type WebhookKey } from "@inlethq/core/ports/WebhookStore"
import { Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { secondMs } from "@inlethq/core/values/Timestamp"
import { heldEventsMax } from "@inlethq/core/webhook/DeliveryQueue"
import { lastCompleteEntry } from "@inlethq/core/webhook/EventPosition"
import { destinationName } from "@inlethq/outbound/follower/HourSums"
import { Clock, Effect, Option } from "effect"
import { shownAttempts } from "../webhooks/shownAttempts.ts"

const newestAttempt = { limit: 1, after: null, order: "desc" } as const

/** Makes the functions that read how far a destination of a workspace is. */
export const makeDestinationState = Effect.gen(function* () {
  const catalog = yield* Catalog
  const cursors = yield* LogCursors
  const hours = yield* DestinationHours
  const store = yield* WebhookStore

  /** Returns the receipt time of the first entry after a position, or null if it is no longer in the log. */
  const receivedAfter = Effect.fnUntraced(function* (workspace: WorkspaceId, readTo: number) {
    const record = yield* catalog.operation(workspace, Sequence.make(readTo + 1))
    return Option.match(record, { onNone: () => null, onSome: ({ entry }) => entry.receivedAt })
  })

  /** Returns the document of what waits. `oldest` is the receipt time of the oldest operation that is sent again. */
  const waitingOf = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    newest: Sequence | null,
    readTo: Sequence | null,
    held: { readonly operations: number; readonly oldest: number | null },
  ) {
    const entries = Math.max(0, (newest ?? 0) - (readTo ?? 0))
    const now = yield* Clock.currentTimeMillis
    const unread = entries === 0 ? now : yield* receivedAfter(workspace, readTo ?? 0)
    const oldest = held.oldest ?? unread
    return {
      waiting: { operations: held.operations, entries },
      lag_seconds: oldest === null ? null : Math.max(0, Math.floor((now - oldest) / secondMs)),
    }
  })

  const hoursOf = Effect.fnUntraced(function* (workspace: WorkspaceId, destination: string) {
    const from = hourNumber(yield* Clock.currentTimeMillis) - destinationHoursShown + 1
    return (yield* hours.since(workspace, destination, from)).map(hourDocument)
  })

  /** Returns what came of the newest attempt, if it failed, as attempts are shown. */
  const lastErrorOf = Effect.fnUntraced(function* (key: WebhookKey) {
    const { items } = yield* store.attempts(key, null, newestAttempt)
    const [last] = yield* shownAttempts({ catalog, store }, key, items)
    if (last?.status !== "retrying" && last?.status !== "failed") return null
    return [last.responseStatus, last.responseExcerpt].filter((part) => part !== null).join(" ")
  })

  return {
    /** Reads the state of a webhook or a forward. */
    ofDeliveries: Effect.fnUntraced(function* (
      name: "webhook" | "forward",
      key: WebhookKey,
      newest: Sequence | null,
    ): Effect.fn.Return<ReadState, StoreUnavailable> {
      const held = yield* store.held(key, heldEventsMax)
      const { position } = yield* store.progress(key)
      const oldest = held.reduce<number | null>(
        (least, { receivedAt }) => (least === null ? receivedAt : Math.min(least, receivedAt)),
        null,
      )
      return {
        ...(yield* waitingOf(key.workspace, newest, lastCompleteEntry(position), {
          operations: held.length,
          oldest,
        })),
        last_error: yield* lastErrorOf(key),
        hours: yield* hoursOf(key.workspace, destinationName(name, key.webhookId)),
      }
    }),

    /** Reads the state of a copy of the whole log. */
    ofCopy: Effect.fnUntraced(function* (
      name: "kafka" | "lake",
      cursor: CursorKey,
      failure: Effect.Effect<string | null>,
      newest: Sequence | null,
    ): Effect.fn.Return<ReadState, StoreUnavailable> {
      const readTo = yield* cursors.position(cursor)
      return {
        ...(yield* waitingOf(cursor.workspace, newest, readTo, { operations: 0, oldest: null })),
        last_error: yield* failure,
        hours: yield* hoursOf(cursor.workspace, name),
      }
    }),
  }
})

/** The part of a destination's document that has to be read. */
export type ReadState = Pick<DestinationDocument, "waiting" | "lag_seconds" | "last_error" | "hours">
