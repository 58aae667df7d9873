import type { Slices } from "@inlethq/core/Slices"

/** The largest number of items that are serialised before other work may use the thread. */
const itemsPerSlice = 100

/**
 * The largest number of characters of JSON that are serialised before other work may use the thread. At least one item
 * is serialised each time.
 */
const charactersPerSlice = 128 * 1024

/** Returns the JSON of each item. Serialising many or large items at once would block the thread for tens of milliseconds. */
export function* jsonTexts<Item>(
  items: ReadonlyArray<Item>,
  documentOf: (item: Item) => unknown,
): Slices<ReadonlyArray<string>> {
  const texts: Array<string> = []
  let characters = 0
  let last = 0
  for (const [index, item] of items.entries()) {
    if (index - last === itemsPerSlice || characters > charactersPerSlice) {
      characters = 0
      last = index
      yield
    }
    const text = JSON.stringify(documentOf(item))
    texts.push(text)
    characters += text.length
  }
  return texts
}
