/** A page of a list. `next` is the cursor of the next page, or null on the last page. */
export interface PageOf<Item> {
  readonly items: ReadonlyArray<Item>
  readonly next: string | null
  /** The number of people that the server checked for this page. It is only present in a search by attribute. */
  readonly searched?: number
  /** How far a filtered page of activity has searched, or null if nothing is left to search. */
  readonly searched_to?: { readonly at: string } | null
  /** What the page may leave out, as a sentence. */
  readonly leftOut?: string
}
