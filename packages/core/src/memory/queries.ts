import { isHidden, present, type ActivityEntry, type ActivityRecord } from "../Activity.ts"
import { activityScanMax, type ActivityFilter, type Page, type PageRequest } from "../Directory.ts"
import { addressOfEntry, isErased } from "../erasure.ts"
import type { Sequence, WorkspaceId } from "../Identifier.ts"
import type { Person } from "../person/Person.ts"
import type { Subject } from "../Subject.ts"
import { personBehind } from "../WorkingSet.ts"
import type { MemoryState } from "./MemoryState.ts"

/** An entry with whoever it is about. */
export const recordOf = ({ everything }: MemoryState["Service"], entry: ActivityEntry): ActivityRecord => {
  const subject = (entry.subject === null ? undefined : everything.subjects.get(entry.subject)) ?? null
  const address = addressOfEntry(everything.digest, entry, subject)
  return {
    entry,
    subject,
    owner: subject === null ? null : personBehind(everything.subjects, subject),
    isErased: isErased(everything, { sequence: entry.sequence, subject: entry.subject, address }),
  }
}

/** A part of a list that is in ascending order of its cursor. */
export const listPage = <Item, Cursor extends number>(
  ascending: ReadonlyArray<Item>,
  cursorOf: (item: Item) => Cursor,
  { after, limit, order }: PageRequest<Cursor>,
): Page<Item, Cursor> => {
  const ordered = order === "asc" ? ascending : ascending.toReversed()
  const rest =
    after === null
      ? ordered
      : ordered.filter((item) => (order === "asc" ? cursorOf(item) > after : cursorOf(item) < after))
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rest.length > limit && last !== undefined ? cursorOf(last) : null }
}

/** The subject of a kind. */
export type OfKind<Tag extends Subject["_tag"]> = Extract<Subject, { readonly _tag: Tag }>

export const isA =
  <Tag extends Subject["_tag"]>(tag: Tag, workspace: WorkspaceId) =>
  (subject: Subject): subject is OfKind<Tag> =>
    subject._tag === tag && subject.workspace === workspace

/** The subjects of one kind in a workspace, by key. */
export const subjectsOf = <Tag extends Subject["_tag"]>(
  { everything }: MemoryState["Service"],
  workspace: WorkspaceId,
  tag: Tag,
): ReadonlyArray<OfKind<Tag>> =>
  [...everything.subjects.values()].filter(isA(tag, workspace)).toSorted((a, b) => a.key - b.key)

/** Reads the log by a filter; the entries it may look at are bounded. */
export const activityPage = (
  state: MemoryState["Service"],
  workspace: WorkspaceId,
  filter: ActivityFilter,
  page: PageRequest<Sequence>,
): Page<ActivityRecord, Sequence> => {
  const entries = [...state.log.values()].filter((entry) => entry.workspace === workspace)
  const scanned = listPage(entries, (entry) => entry.sequence, { ...page, limit: activityScanMax })
  const matching = scanned.items
    .map((entry) => recordOf(state, entry))
    .filter((record) => !isHidden(record) && matches(record, filter))
  const found = listPage(
    page.order === "asc" ? matching : matching.toReversed(),
    (record) => record.entry.sequence,
    page,
  )
  return found.next === null ? { items: found.items, next: scanned.next } : found
}

/** Whether a person's id or email begins with a text; everybody's does with null. */
export const matchesPrefix = (person: Person, prefix: string | null): boolean =>
  prefix === null ||
  (person.id?.startsWith(prefix) ?? false) ||
  (person.email?.toLowerCase().startsWith(prefix.toLowerCase()) ?? false)

const matches = (record: ActivityRecord, filter: ActivityFilter): boolean => {
  const view = present(record)
  return (
    (filter.kind === null || view.kind === filter.kind) &&
    (filter.outcome === null || view.outcome === filter.outcome) &&
    (filter.name === null || view.name === filter.name) &&
    (filter.search === null || (view.name !== null && filter.search(view.name))) &&
    (filter.person === null || view.person?.key === filter.person.key || view.subject === filter.person.key)
  )
}
