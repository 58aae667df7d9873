import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { addressOfEntry, isErased, withoutErasedParts } from "@inlethq/core/decision/erasure"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Slices } from "@inlethq/core/Slices"
import type { Subject } from "@inlethq/core/state/Subject"
import { currentPersonOf } from "@inlethq/core/fold/WorkingSet"
import type { Island } from "./MemoryImage.ts"

/** Returns a log entry with its subject, the subject's owner and its sender. */
export const recordOf = ({ everything, senders }: Island, entry: ActivityEntry): ActivityRecord => {
  const subject = (entry.subject === null ? undefined : everything.subjects.get(entry.subject)) ?? null
  const address = addressOfEntry(everything.digest, entry, subject)
  return {
    entry: withoutErasedParts(everything, entry),
    subject,
    owner: subject === null ? null : currentPersonOf(everything.subjects, subject),
    sender: entry.sender === null ? null : (senders.get(entry.sender) ?? null),
    isErased: isErased(everything, { sequence: entry.sequence, subject: entry.subject, address }),
  }
}

/** The type of subject with the given tag, such as `Person`. */
export type OfKind<Tag extends Subject["_tag"]> = Extract<Subject, { readonly _tag: Tag }>

export const isA =
  <Tag extends Subject["_tag"]>(tag: Tag) =>
  (subject: Subject): subject is OfKind<Tag> =>
    subject._tag === tag

/** Returns all subjects of one kind, by key. */
export const subjectsOf = <Tag extends Subject["_tag"]>(
  { everything }: Island,
  tag: Tag,
): ReadonlyArray<OfKind<Tag>> =>
  [...everything.subjects.values()].filter(isA(tag)).toSorted((a, b) => a.key - b.key)

/** The largest number of keys that one slice checks. */
const sliceKeysMax = 2000

/** Reads a page of the people, objects or other subjects that a condition selects, ordered by key. */
export function* subjectPage<Tag extends Subject["_tag"], Item>(
  island: Island,
  isListed: (subject: Subject) => subject is OfKind<Tag>,
  { after, limit, order }: PageRequest<SubjectKey>,
  toItem: (subject: OfKind<Tag>) => Item,
): Slices<Page<Item, SubjectKey>> {
  const { everything } = island
  const items: Array<Item> = []
  let last: SubjectKey | null = null
  let key: number =
    order === "asc" ? (after ?? 0) + 1 : Math.min(after ?? everything.nextKey, everything.nextKey) - 1
  for (let looked = 1; key >= 1 && key < everything.nextKey; looked++) {
    const subject = everything.subjects.get(SubjectKey.make(key))
    if (subject !== undefined && isListed(subject)) {
      if (items.length === limit) return { items, next: last }
      items.push(toItem(subject))
      last = subject.key
    }
    key += order === "asc" ? 1 : -1
    if (looked % sliceKeysMax === 0) yield
  }
  return { items, next: null }
}
