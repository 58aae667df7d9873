import { alikeMax, type LikenessPlace, type LikenessRecord } from "@inlet/core/catalog/Catalog"
import { SliceCounter, type Slices } from "@inlet/core/Slices"
import { likenessText, likenessTexts } from "@inlet/core/state/likeness"
import type { Person } from "@inlet/core/state/Person"
import type { Page } from "@inlet/core/values/Page"
import { likenessKinds, type LikenessKind } from "@inlet/core/workspace/Likeness"
import type { Island } from "./MemoryImage.ts"

/** The most people that one slice compares. */
const peoplePerSlice = 500

/** Compares all people, and lists what at least two of them have alike. */
export function* likenessPage(
  { everything: { digest, subjects } }: Island,
  kinds: ReadonlyArray<LikenessKind>,
  { from, limit }: { readonly from: LikenessPlace | null; readonly limit: number },
): Slices<Page<LikenessRecord, LikenessPlace>> {
  const slice = new SliceCounter(peoplePerSlice)
  const known = new Map<LikenessKind, Map<string, Array<Person>>>(kinds.map((kind) => [kind, new Map()]))
  for (const subject of subjects.values()) {
    if (slice.isFull()) yield
    if (subject._tag !== "Person") continue
    for (const [kind, text] of likenessTexts(subject, kinds)) {
      const people = known.get(kind)?.get(text)
      if (people === undefined) known.get(kind)?.set(text, [subject])
      else people.push(subject)
    }
  }
  const found: Array<LikenessRecord> = []
  for (const [kind, byText] of known) {
    for (const [text, people] of byText) {
      if (slice.isFull()) yield
      if (people.length < 2) continue
      const record = { kind, digest: digest(likenessText(kind, text)), people: shown(people) }
      if (from === null || byPlace(record, from) >= 0) found.push(record)
    }
  }
  const ordered = found.toSorted(byPlace)
  return { items: ordered.slice(0, limit), next: ordered[limit] ?? null }
}

const shown = (people: ReadonlyArray<Person>): ReadonlyArray<Person> =>
  people.length > alikeMax ? [] : people.toSorted((a, b) => a.key - b.key)

const byPlace = (a: LikenessPlace, b: LikenessPlace): number =>
  likenessKinds.indexOf(a.kind) - likenessKinds.indexOf(b.kind) ||
  (a.digest < b.digest ? -1 : Number(a.digest > b.digest))
