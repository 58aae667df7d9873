import { nameSearch, type NameSearch } from "../log/NameSearch.ts"

/** Finds leaves by the names of events. Names are matched with each wildcard once, while there are not too many. */
export class NameIndex<Leaf> {
  private readonly exact = new Map<string, Array<Leaf>>()
  private readonly searches: Array<{
    readonly kind: string
    readonly fits: NameSearch
    readonly leaf: Leaf
  }> = []
  private readonly found = new Map<string, ReadonlyArray<Leaf>>()

  add(kind: string, name: string, leaf: Leaf): void {
    if (/[*+|\\]/.test(name)) this.searches.push({ kind, fits: nameSearch(name), leaf })
    else addTo(this.exact, `${kind} ${name}`, leaf)
  }

  find(kind: string, name: string): ReadonlyArray<Leaf> {
    return this.findText(`${kind} ${name}`)
  }

  /** Finds leaves by the kind and the name of an event, with a space in between. */
  findText(text: string): ReadonlyArray<Leaf> {
    const exact = this.exact.get(text) ?? none
    if (this.searches.length === 0) return exact
    const known = this.found.get(text)
    if (known !== undefined) return known
    const end = text.indexOf(" ")
    const [kind, name] = [text.slice(0, end), text.slice(end + 1)]
    const fitting = this.searches.flatMap((search) =>
      search.kind === kind && search.fits(name) ? [search.leaf] : [],
    )
    if (this.found.size >= foundNamesMax) this.found.clear()
    const all = fitting.length === 0 ? exact : [...exact, ...fitting]
    this.found.set(text, all)
    return all
  }
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
