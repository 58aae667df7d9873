import type { ActivityDocument } from "../../api/documents.ts"
import type { PageOf } from "../../api/PageOf.ts"

/** The most pages that are read for one answer. A page of a search looks at up to 10,000 operations, and may find none. */
const pagesMax = 5

/** The newest operations that a filter finds. */
export interface NewestEntries {
  readonly items: ReadonlyArray<ActivityDocument>
  /** The receipt time of the oldest operation that was looked at. Null if nothing is left to look at. */
  readonly searchedTo: string | null
}

/** Reads page after page until so many operations are found, nothing is left, or enough was looked at. */
export const newestEntries = async (
  read: (after: string | undefined, limit: number) => Promise<PageOf<ActivityDocument>>,
  itemsMax: number,
): Promise<NewestEntries> => {
  const items: Array<ActivityDocument> = []
  let searchedTo: string | null = null
  let after: string | undefined
  for (let pages = 0; pages < pagesMax && items.length < itemsMax; pages++) {
    const page = await read(after, itemsMax - items.length)
    items.push(...page.items)
    if (page.next === null) return { items, searchedTo: null }
    after = page.next
    searchedTo = page.searched_to?.at ?? items.at(-1)?.received_at ?? null
  }
  return { items, searchedTo }
}
