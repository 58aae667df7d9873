import { Context, type Effect, type Option } from "effect"
import type { ActivityKind, ActivityRecord } from "./Activity.ts"
import type { Identifier, Sequence, SubjectKey, WorkspaceId } from "./Identifier.ts"
import type { NameSearch } from "./NameSearch.ts"
import type { Outcome } from "./Outcome.ts"
import type { Person } from "./person/Person.ts"
import type { StoreUnavailable } from "./Store.ts"

/** Which part of a list to read: at most `limit` items behind the cursor `after`. */
export interface PageRequest<Cursor> {
  readonly limit: number
  readonly after: Cursor | null
  readonly order: "asc" | "desc"
}

/** A part of a list; `next` continues it, and is null at its end. A page may be short and still have a next one. */
export interface Page<Item, Cursor> {
  readonly items: ReadonlyArray<Item>
  readonly next: Cursor | null
}

/** Which entries of the activity log to read; null leaves a field open. */
export interface ActivityFilter {
  readonly kind: ActivityKind | null
  readonly outcome: Outcome | null
  readonly name: string | null
  readonly search: NameSearch | null
  /** Only what belongs to this person now. */
  readonly person: Person | null
}

/** Leaves nothing out. */
export const everything: ActivityFilter = {
  kind: null,
  outcome: null,
  name: null,
  search: null,
  person: null,
}

/** Entries that one page of a filtered list looks at before it gives up and answers short. */
export const activityScanMax = 20_000

/** What operators read: everything committed, and nothing that was deleted. */
export class Directory extends Context.Service<
  Directory,
  {
    person(workspace: WorkspaceId, key: SubjectKey): Effect.Effect<Option.Option<Person>, StoreUnavailable>
    carrier(
      workspace: WorkspaceId,
      identifier: Identifier,
    ): Effect.Effect<Option.Option<Person>, StoreUnavailable>
    /** People by the time they were first seen; with a prefix those whose id or email begins with it. */
    people(
      workspace: WorkspaceId,
      prefix: string | null,
      page: PageRequest<SubjectKey>,
    ): Effect.Effect<Page<Person, SubjectKey>, StoreUnavailable>
    activity(
      workspace: WorkspaceId,
      filter: ActivityFilter,
      page: PageRequest<Sequence>,
    ): Effect.Effect<Page<ActivityRecord, Sequence>, StoreUnavailable>
    operation(
      workspace: WorkspaceId,
      sequence: Sequence,
    ): Effect.Effect<Option.Option<ActivityRecord>, StoreUnavailable>
  }
>()("@inlet/core/Directory") {}
