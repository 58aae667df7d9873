import { Context, type Effect } from "effect"
import type { SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** Two people of a workspace, the one with the smaller key first. */
export interface Pair {
  readonly one: SubjectKey
  readonly other: SubjectKey
}

/** Two people who are not suggested as duplicates any more. */
export interface Dismissal extends Pair {
  readonly at: EpochMillis
}

/** The largest number of pairs with the same person that can be dismissed. */
export const dismissalsMax = 200

/** Which pairs of people operators have judged to be two people. A pair is forgotten when one of its people is erased. */
export class Dismissals extends Context.Service<
  Dismissals,
  {
    /** Returns false and saves nothing if one of the people has `dismissalsMax` dismissals. */
    save(workspace: WorkspaceId, dismissal: Dismissal): Effect.Effect<boolean, StoreUnavailable>
    /** Returns whether the pair was dismissed. */
    remove(workspace: WorkspaceId, pair: Pair): Effect.Effect<boolean, StoreUnavailable>
    /** Returns the keys of those with whom a person must not be paired. */
    of(workspace: WorkspaceId, person: SubjectKey): Effect.Effect<ReadonlySet<SubjectKey>, StoreUnavailable>
    /** Lists the dismissals in the order of their keys. */
    list(
      workspace: WorkspaceId,
      page: Pick<PageRequest<Pair>, "after" | "limit">,
    ): Effect.Effect<Page<Dismissal, Pair>, StoreUnavailable>
  }
>()("@inlethq/core/ports/Dismissals") {}

/** Returns two different keys as a pair. */
export const pairOf = (one: SubjectKey, other: SubjectKey): Pair =>
  one < other ? { one, other } : { one: other, other: one }
