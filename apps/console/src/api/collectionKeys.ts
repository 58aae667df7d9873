/** The keys of the queries of a collection. A list has never the key of an item, whatever it is searched for. */
export const collectionKeys = (name: string) => ({
  /** What the keys of its lists and of its items begin with. */
  all: (w: string) => [w, name] as const,
  list: (w: string, q: string | undefined) => [w, name, "list", q] as const,
  /** An item. `part` is what is read of it beside itself. */
  one: (w: string, id: string, ...part: ReadonlyArray<unknown>) => [w, name, "one", id, ...part] as const,
})
