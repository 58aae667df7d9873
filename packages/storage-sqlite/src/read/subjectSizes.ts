import type { Page } from "@inlet/core/catalog/Catalog"
import type { SubjectKey } from "@inlet/core/values/Identifier"
import type { Slices } from "@inlet/core/catalog/ReadTurns"
import type { Subject } from "@inlet/core/state/Subject"
import { integer, integerOrNull, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { pageBytesMax } from "./paging.ts"
import { Slice } from "./Slice.ts"
import { subjectKey } from "@inlet/storage/subjectRows"

/** An item of a page, and whom or what of those it names it is shown with. */
export interface Naming<Item> {
  readonly item: Item
  readonly named: ReadonlyArray<SubjectKey>
}

/** What is said about a subject before its document is read. */
export interface Weighed {
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

/** Keys of subjects that one slice weighs. */
const weighedMax = 1000

/** Says how large the documents of subjects are, a slice at a time. */
export function* weighAll(
  weigh: ReturnType<typeof weigher>,
  keys: ReadonlySet<SubjectKey>,
): Slices<ReadonlyMap<SubjectKey, Weighed>> {
  if (keys.size <= weighedMax) return weigh(keys)
  const wanted = [...keys]
  const found = new Map<SubjectKey, Weighed>()
  for (let from = 0; from < wanted.length; from += weighedMax) {
    for (const [key, weighed] of weigh(new Set(wanted.slice(from, from + weighedMax))))
      found.set(key, weighed)
    yield
  }
  return found
}

/** Reads subjects that were weighed, a slice at a time; `decode` leaves out those that have become something else since. */
export function* readWeighed<Decoded>(
  subjectsOf: (keys: Iterable<SubjectKey>) => ReadonlyArray<Subject>,
  keys: ReadonlySet<SubjectKey>,
  weighed: ReadonlyMap<SubjectKey, { readonly bytes: number }>,
  decode: (subject: Subject) => Decoded | undefined,
): Slices<ReadonlyMap<SubjectKey, Decoded>> {
  const found = new Map<SubjectKey, Decoded>()
  let slice = new Slice()
  let wanted: Array<SubjectKey> = []
  const read = () => {
    for (const subject of subjectsOf(wanted)) {
      const decoded = decode(subject)
      if (decoded !== undefined) found.set(subject.key, decoded)
    }
    wanted = []
  }
  for (const key of keys) {
    const bytes = weighed.get(key)?.bytes ?? 0
    if (wanted.length > 0 && (slice.isOver || bytes > slice.bytes)) {
      read()
      yield
      slice = new Slice()
    }
    slice.decode(bytes)
    wanted.push(key)
  }
  read()
  return found
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
