import type { SliceCounter, Slices } from "@inlet/core/Slices"
import { likenessText, likenessTexts } from "@inlet/core/state/likeness"
import type { Person } from "@inlet/core/state/Person"
import type { SubjectKey } from "@inlet/core/values/Identifier"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { likenessKinds, type LikenessKind } from "@inlet/core/workspace/Likeness"

/*
 * The table `likeness` has, for each kind that the workspace compares, the digest of what a person has of it. The table
 * `likeness_shared` has the digests that at least two people have. `heads.likeness` says which kinds commits keep.
 */

/** The numbers of kinds in the database. Never change them. */
export const likenessCodes = { email: 1, phone: 2, name_postcode: 3 } as const satisfies Record<
  LikenessKind,
  number
>

/** Returns the kind with a number, or undefined if there is none. */
export const likenessKindOf = (code: number): LikenessKind | undefined =>
  likenessKinds.find((kind) => likenessCodes[kind] === code)

/** Returns the number in which each kind has a bit. */
export const likenessBits = (kinds: ReadonlyArray<LikenessKind>): number =>
  kinds.reduce((bits, kind) => bits | bitOf(kind), 0)

const bitOf = (kind: LikenessKind): number => 2 ** (likenessCodes[kind] - 1)

/** Returns the kinds whose bits a number has. */
export const kindsWith = (bits: number): ReadonlyArray<LikenessKind> =>
  bits === 0 ? none : likenessKinds.filter((kind) => (bits & bitOf(kind)) !== 0)

const none: ReadonlyArray<LikenessKind> = []

export interface LikenessRow {
  readonly kind: number
  readonly digest: string
  readonly subject: SubjectKey
}

/** The changes to the table `likeness`. An added row may be there already, and a removed one may be missing. */
export interface LikenessRows {
  readonly removed: ReadonlyArray<LikenessRow>
  readonly added: ReadonlyArray<LikenessRow>
}

const unchanged: LikenessRows = { removed: [], added: [] }

/** Returns what a batch changed of what people have alike. */
export function* likenessRows(
  { digest, likeness, subjects, written: { compared } }: WorkingSet,
  slice: SliceCounter,
): Slices<LikenessRows> {
  if (compared.size === 0) return unchanged
  const removed: Array<LikenessRow> = []
  const added: Array<LikenessRow> = []
  for (const [key, before] of compared) {
    const subject = subjects.get(key)
    const after = subject?._tag === "Person" ? subject : null
    if (slice.isFull()) yield
    if (before !== null && after !== null && isSame(before, after)) continue
    const had = textsOf(before, likeness)
    const has = textsOf(after, likeness)
    for (const kind of likeness) {
      const old = had.get(kind)
      const text = has.get(kind)
      if (old === text) continue
      if (old !== undefined) removed.push(rowOf(digest, kind, old, key))
      if (text !== undefined) added.push(rowOf(digest, kind, text, key))
    }
  }
  return { removed, added }
}

const isSame = (before: Person, after: Person): boolean =>
  before.email === after.email && before.attributes === after.attributes

const textsOf = (
  person: Person | null,
  kinds: ReadonlyArray<LikenessKind>,
): ReadonlyMap<LikenessKind, string> => (person === null ? new Map() : likenessTexts(person, kinds))

/** Returns the rows that the table has of a person. */
export const likenessOf = (
  digest: (text: string) => string,
  person: Person,
  kinds: ReadonlyArray<LikenessKind>,
): ReadonlyArray<LikenessRow> =>
  Array.from(likenessTexts(person, kinds), ([kind, text]) => rowOf(digest, kind, text, person.key))

const rowOf = (
  digest: (text: string) => string,
  kind: LikenessKind,
  text: string,
  subject: SubjectKey,
): LikenessRow => ({ kind: likenessCodes[kind], digest: digest(likenessText(kind, text)), subject })
