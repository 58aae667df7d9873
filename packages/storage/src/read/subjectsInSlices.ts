import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { ReadBudget } from "../budgets/ReadBudget.ts"
import type { Read, SubjectSize } from "./ReadQueries.ts"

/** The largest number of documents whose sizes one slice looks up. */
export const sizesPerSlice = 1000

/** Reads the sizes of the documents of people, objects and other subjects in slices. */
export const sizesInSlices = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
): Effect.fn.Return<ReadonlyMap<SubjectKey, SubjectSize>, StoreUnavailable> {
  const wanted = [...keys]
  const found = new Map<SubjectKey, SubjectSize>()
  for (let from = 0; from < wanted.length; from += sizesPerSlice) {
    const part = new Set(wanted.slice(from, from + sizesPerSlice))
    const sizes = yield* read((ask) => ask.sizes(workspace, part))
    for (const [key, size] of sizes) found.set(key, size)
  }
  return found
})

/**
 * Reads people, objects or other subjects by their keys in slices. `sizes` contains the sizes of their
 * documents, which limit the number of documents in a slice. `decode` returns undefined for a subject to leave out,
 * such as a person who was deleted after the size was read.
 */
export const subjectsInSlices = Effect.fnUntraced(function* <Decoded>(
  read: Read,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
  sizes: ReadonlyMap<SubjectKey, { readonly bytes: number }>,
  decode: (subject: Subject) => Decoded | undefined,
): Effect.fn.Return<ReadonlyMap<SubjectKey, Decoded>, StoreUnavailable> {
  const found = new Map<SubjectKey, Decoded>()
  for (const part of partsOf(keys, sizes)) {
    const decoded = yield* read((ask) =>
      Effect.map(ask.subjects(workspace, part), (subjects) =>
        subjects.map((subject) => [subject.key, decode(subject)] as const),
      ),
    )
    for (const [key, one] of decoded) if (one !== undefined) found.set(key, one)
  }
  return found
})

/** Divides keys into parts, each of which one slice can read. */
export const partsOf = (
  keys: ReadonlySet<SubjectKey>,
  sizes: ReadonlyMap<SubjectKey, { readonly bytes: number }>,
): ReadonlyArray<ReadonlySet<SubjectKey>> => {
  const parts: Array<ReadonlySet<SubjectKey>> = []
  let budget = new ReadBudget()
  let part = new Set<SubjectKey>()
  for (const key of keys) {
    const bytes = sizes.get(key)?.bytes ?? 0
    if (part.size > 0 && (budget.isOver || bytes > budget.bytes)) {
      parts.push(part)
      part = new Set()
      budget = new ReadBudget()
    }
    budget.decode(bytes)
    part.add(key)
  }
  if (part.size > 0) parts.push(part)
  return parts
}
