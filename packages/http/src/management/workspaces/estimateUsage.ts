import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect } from "effect"

/** The number of samples from which the size of a large list is estimated. */
const windowsMax = 16

/** The number of items in one sample of a list. */
const windowItems = 16

/** A list with at most this many items is read completely. A longer list is sampled. */
const countedItemsMax = 200

/**
 * The number of items of a list and the total length of their documents in bytes. Both are estimates unless `isExact`
 * is true.
 */
export interface Usage {
  readonly items: number
  readonly bytes: number
  readonly isExact: boolean
}

/**
 * A list with numbers as keys. The numbers were assigned without gaps, so a missing number belongs to a deleted item.
 */
export interface NumberedList<Item, Key extends number, R = never> {
  readonly read: (page: PageRequest<Key>) => Effect.Effect<Page<Item, Key>, StoreUnavailable, R>
  readonly keyOf: (item: Item) => Key
  readonly makeKey: (number: number) => Key
  readonly bytesOf: (item: Item) => number
}

/**
 * Estimates the size of a list from samples, at a cost that does not grow with the list: at most 457 items are read.
 * The number of items is estimated from the share of the sampled keys that still have an item.
 */
export const estimateUsage = Effect.fnUntraced(function* <Item, Key extends number>({
  bytesOf,
  keyOf,
  makeKey,
  read,
}: NumberedList<Item, Key>) {
  const start = yield* read({ limit: countedItemsMax, after: null, order: "asc" })
  const measured = sum(start.items.map(bytesOf))
  const [first] = start.items
  if (start.next === null || first === undefined) {
    return { items: start.items.length, bytes: measured, isExact: start.next === null }
  }
  const newest = yield* read({ limit: 1, after: null, order: "desc" })
  const lowest = keyOf(first)
  const highest = newest.items[0] === undefined ? start.next : keyOf(newest.items[0])
  let items = 0
  let bytes = 0
  let covered = 0
  for (let window = 0; window < windowsMax; window++) {
    const after = lowest - 1 + Math.floor((window * (highest - lowest + 1)) / windowsMax)
    // The first sample begins at the start of the list, so its cursor is null.
    const from = window === 0 ? null : makeKey(after)
    const page = yield* read({ limit: windowItems, after: from, order: "asc" })
    const end = page.next === null ? highest : Math.max(after + 1, ...page.items.map(keyOf))
    items += page.items.length
    bytes += sum(page.items.map(bytesOf))
    covered += end - after
  }
  const scale = (highest - lowest + 1) / Math.max(covered, 1)
  return { items: Math.round(items * scale), bytes: Math.round(bytes * scale), isExact: false }
})

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)
