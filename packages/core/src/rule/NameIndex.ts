import { nameSearch, type NameSearch } from "../log/NameSearch.ts"

/** Finds leaves by the names of events. Names are matched with each wildcard once, while there are not too many. */
export class NameIndex<Leaf> {
  /** The leaves that ask for one name, by kind and name. */
  private readonly exact = new Map<string, Map<string, Array<Leaf>>>()
  private readonly searches: Array<{
    readonly kind: string
    readonly fits: NameSearch
    readonly leaf: Leaf
  }> = []
  private readonly found = new Map<string, Map<string, ReadonlyArray<Leaf>>>()
  private foundNames = 0

  add(kind: string, name: string, leaf: Leaf): void {
    if (/[*+|\\]/.test(name)) this.searches.push({ kind, fits: nameSearch(name), leaf })
    else addTo(ofKind(this.exact, kind), name, leaf)
  }

  find(kind: string, name: string): ReadonlyArray<Leaf> {
    if (this.searches.length === 0) return this.exact.get(kind)?.get(name) ?? none
    return this.found.get(kind)?.get(name) ?? this.search(kind, name)
  }

  /** Finds leaves by the kind and the name of an event, with a space in between. */
  findText(text: string): ReadonlyArray<Leaf> {
    const end = text.indexOf(" ")
    return this.find(text.slice(0, end), text.slice(end + 1))
  }

  private search(kind: string, name: string): ReadonlyArray<Leaf> {
    const exact = this.exact.get(kind)?.get(name) ?? none
    const fitting = this.searches.flatMap((search) =>
      search.kind === kind && search.fits(name) ? [search.leaf] : [],
    )
    const all = fitting.length === 0 ? exact : [...exact, ...fitting]
    if (this.foundNames++ >= foundNamesMax) {
      this.found.clear()
      this.foundNames = 1
    }
    ofKind(this.found, kind).set(name, all)
    return all
  }
}

const ofKind = <V>(byKind: Map<string, Map<string, V>>, kind: string): Map<string, V> => {
  const known = byKind.get(kind)
  if (known !== undefined) return known
  const added = new Map<string, V>()
  byKind.set(kind, added)
  return added
}

/** The largest number of names for which the matching leaves are kept. */
const foundNamesMax = 10_000

const none: ReadonlyArray<never> = []

/** Adds a value to the list under a key. */
export const addTo = <K, V>(map: Map<K, Array<V>>, key: K, value: V): void => {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}
