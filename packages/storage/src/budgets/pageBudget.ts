import type { Page } from "@inlethq/core/values/Page"
import type { SubjectKey } from "@inlethq/core/values/Identifier"

/**
 * The largest total length of the documents of all items on one page. The people, objects and segments to which these
 * items refer have a second budget of the same size. A page ends before the first item that would exceed one of the two
 * budgets, but always contains at least one item.
 */
export const pageBytesMax = 1024 * 1024

/** An item of a page, with the people, objects or segments to which it refers. */
export interface ItemWithNamed<Item> {
  readonly item: Item
  readonly named: ReadonlyArray<SubjectKey>
}

type Sizes = ReadonlyMap<SubjectKey, { readonly bytes: number }>

/**
 * Shortens a page until the documents of all people, objects and segments to which its items refer fit into
 * `pageBytesMax`.
 *
 * - References that are missing from `sizes` are dropped.
 * - If the documents of a single item exceed `pageBytesMax`, the last references of this item are dropped. At least one
 *   reference remains.
 * - The page ends before the first item that no longer fits. At least one item remains.
 */
export const fitPage = <Item extends { readonly key: SubjectKey }>(
  { items, next }: Page<Item, SubjectKey>,
  namedBy: (item: Item) => ReadonlyArray<SubjectKey>,
  sizes: Sizes,
): Page<ItemWithNamed<Item>, SubjectKey> => {
  const shown: Array<ItemWithNamed<Item>> = []
  const read = new Set<SubjectKey>()
  let bytes = 0
  let last: SubjectKey | null = null
  for (const item of items) {
    const fitting = fitNamed(namedBy(item), sizes, read)
    if (shown.length > 0 && bytes + fitting.bytes > pageBytesMax) return { items: shown, next: last }
    shown.push({ item, named: fitting.named })
    for (const key of fitting.named) read.add(key)
    bytes += fitting.bytes
    last = item.key
  }
  return { items: shown, next }
}

/**
 * Returns the leading keys (at least one) that have documents with a total length of at most `pageBytesMax`, and that
 * length as `bytes`. Documents that are already in `read` count as 0 bytes. Skips keys that are missing from `sizes`.
 */
const fitNamed = (keys: ReadonlyArray<SubjectKey>, sizes: Sizes, read: ReadonlySet<SubjectKey>) => {
  const named: Array<SubjectKey> = []
  let bytes = 0
  for (const key of keys) {
    const size = sizes.get(key)
    if (size === undefined) continue
    const added = read.has(key) ? 0 : size.bytes
    if (named.length > 0 && bytes + added > pageBytesMax) break
    named.push(key)
    bytes += added
  }
  return { named, bytes }
}
