import { alikeMax, type LikenessPlace, type LikenessRecord } from "@inlet/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Person } from "@inlet/core/state/Person"
import { toPlainSubject } from "@inlet/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Page } from "@inlet/core/values/Page"
import { likenessKinds, type LikenessKind } from "@inlet/core/workspace/Likeness"
import { Effect } from "effect"
import { likenessCodes } from "../likenessRows.ts"
import type { Read, SharedDigest } from "./ReadQueries.ts"
import { sizesInSlices, subjectsInSlices } from "./subjectsInSlices.ts"

/** Reads what at least two people have alike, beginning at a place. */
export const readLikeness = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  kinds: ReadonlyArray<LikenessKind>,
  { from, limit }: { readonly from: LikenessPlace | null; readonly limit: number },
): Effect.fn.Return<Page<LikenessRecord, LikenessPlace>, StoreUnavailable> {
  const found: Array<SharedDigest & LikenessPlace> = []
  for (const kind of kindsFrom(kinds, from)) {
    const wanted = limit + 1 - found.length
    if (wanted <= 0) break
    const first = from?.kind === kind ? from.digest : ""
    const shared = yield* read((ask) =>
      ask.alike(workspace, likenessCodes[kind], first, wanted, alikeMax + 1),
    )
    for (const one of shared) found.push({ ...one, kind })
  }
  const listed = found.slice(0, limit)
  const keys = new Set(listed.flatMap(({ people }) => (people.length > alikeMax ? [] : people)))
  const sizes = yield* sizesInSlices(read, workspace, keys)
  const people = yield* subjectsInSlices(read, workspace, keys, sizes, (subject) => {
    const plain = toPlainSubject(subject)
    return plain._tag === "Person" ? plain : undefined
  })
  return {
    items: listed.map(({ digest, kind, people: theirs }) => ({
      kind,
      digest,
      people: theirs.length > alikeMax ? [] : peopleAmong(people, theirs),
    })),
    next: found[limit] ?? null,
  }
})

/** Returns the kinds in the order of the list, beginning with that of a place. */
const kindsFrom = (
  kinds: ReadonlyArray<LikenessKind>,
  from: LikenessPlace | null,
): ReadonlyArray<LikenessKind> =>
  likenessKinds.filter(
    (kind, place) => kinds.includes(kind) && (from === null || place >= likenessKinds.indexOf(from.kind)),
  )

const peopleAmong = (
  people: ReadonlyMap<SubjectKey, Person>,
  keys: ReadonlyArray<SubjectKey>,
): ReadonlyArray<Person> => keys.flatMap((key) => people.get(key) ?? [])
