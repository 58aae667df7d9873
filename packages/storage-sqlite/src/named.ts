import type { Page } from "@inlet/core/Directory"
import type { SubjectKey } from "@inlet/core/Identifier"
import { integer, integerOrNull, type Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { pageBytesMax } from "./lists.ts"
import { subjectKey } from "./subjects.ts"

/** An item of a page, and whom or what of those it names it is shown with. */
export interface Naming<Item> {
  readonly item: Item
  readonly named: ReadonlyArray<SubjectKey>
}

/** What is said about a subject before its document is read. */
interface Weighed {
  readonly state: number
  readonly owner: SubjectKey | null
  readonly bytes: number
}

/** Says how large the documents of subjects are, in one statement that reads none of them. */
export const weigher = (database: Database) => {
  const statement = database.prepareByPlace(
    "SELECT found.key, found.state, found.owner, octet_length(found.doc) FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.key = wanted.value",
  )
  return (keys: ReadonlySet<SubjectKey>): ReadonlyMap<SubjectKey, Weighed> =>
    new Map(
      (keys.size === 0 ? [] : statement.all(JSON.stringify([...keys]))).map((row) => [
        subjectKey(integer(row[0])),
        { state: integer(row[1]), owner: ownerOf(row[2]), bytes: integer(row[3]) },
      ]),
    )
}

const ownerOf = (value: Row[string] | undefined): SubjectKey | null => {
  const owner = integerOrNull(value ?? null)
  return owner === null ? null : subjectKey(owner)
}

/**
 * The part of a page whose items can be shown with those they name: as many items, and with each as many of those who are
 * `there`, in their order, as a page may read of documents; one of either in any case.
 */
export const fitting = <Item extends { readonly key: SubjectKey }>(
  { items, next }: Page<Item, SubjectKey>,
  namedBy: (item: Item) => ReadonlyArray<SubjectKey>,
  there: ReadonlyMap<SubjectKey, { readonly bytes: number }>,
): Page<Naming<Item>, SubjectKey> => {
  const shown: Array<Naming<Item>> = []
  const read = new Set<SubjectKey>()
  let bytes = 0
  let last: SubjectKey | null = null
  for (const item of items) {
    const more = firstThatFit(namedBy(item), there, read)
    if (shown.length > 0 && bytes + more.bytes > pageBytesMax) return { items: shown, next: last }
    shown.push({ item, named: more.named })
    for (const key of more.named) read.add(key)
    bytes += more.bytes
    last = item.key
  }
  return { items: shown, next }
}

/** The first of those whom one item names, and what has to be read for them beyond what is `read` in any case. */
const firstThatFit = (
  keys: ReadonlyArray<SubjectKey>,
  there: ReadonlyMap<SubjectKey, { readonly bytes: number }>,
  read: ReadonlySet<SubjectKey>,
) => {
  const named: Array<SubjectKey> = []
  let bytes = 0
  for (const key of keys) {
    const found = there.get(key)
    if (found === undefined) continue
    const added = read.has(key) ? 0 : found.bytes
    if (named.length > 0 && bytes + added > pageBytesMax) break
    named.push(key)
    bytes += added
  }
  return { named, bytes }
}
