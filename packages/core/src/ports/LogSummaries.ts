import { Context, type Effect } from "effect"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { Page } from "../values/Page.ts"
import type { CursorKey } from "./LogCursors.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The cursor that says how far the log of a workspace was summarized. */
export const summariesCursor = (workspace: WorkspaceId): CursorKey => ({ workspace, destination: "types" })

/** The largest number of rows that one read returns. */
export const summaryRowsMax = 100

/** Identifies the entries that are summarized together: events of one name, or the attributes of people or of objects of a type. */
export interface TypeName {
  /** Neither is empty. */
  readonly kind: string
  readonly name: string
}

/** The summary of a name, without the shape of its data. The store does not know what is in the document. */
export interface TypeRow extends TypeName {
  readonly doc: string
}

/** The summary of a name, with the shape of its data. */
export interface ShapedTypeRow extends TypeRow {
  readonly shape: string
}

/** The summary of a cause for which operations were not applied completely, by the text that tells causes apart. */
export interface CauseRow {
  readonly cause: string
  readonly doc: string
}

/** What one transaction changes. */
export interface SummaryCommit {
  readonly workspace: WorkspaceId
  /** The token with which the cursor was claimed. */
  readonly token: number
  /**
   * The position to which the cursor moves, or null if it stays. Then the rows are ahead of the cursor. Each says itself which
   * entries it counts, so these are not counted again.
   */
  readonly to: Sequence | null
  readonly types: ReadonlyArray<ShapedTypeRow>
  readonly causes: ReadonlyArray<CauseRow>
  readonly forgottenCauses: ReadonlyArray<string>
  /** Whether keys of people who are gone left the summaries. A store that overwrites erased rows then overwrites these, too. */
  readonly hasForgotten: boolean
}

/** What the entries of each log have in common. It follows the log, so that no commit waits for it. */
export class LogSummaries extends Context.Service<
  LogSummaries,
  {
    /** Returns up to `summaryRowsMax` summaries of names after a name, of one kind or of all, in the order of kinds and names. */
    types(
      workspace: WorkspaceId,
      kind: string | null,
      after: TypeName | null,
    ): Effect.Effect<Page<TypeRow, TypeName>, StoreUnavailable>
    /** Returns up to `summaryRowsMax` of them with their shapes. */
    shapedTypes(
      workspace: WorkspaceId,
      after: TypeName | null,
    ): Effect.Effect<Page<ShapedTypeRow, TypeName>, StoreUnavailable>
    /** Returns the summary of one name, or null. */
    type(workspace: WorkspaceId, name: TypeName): Effect.Effect<ShapedTypeRow | null, StoreUnavailable>
    /** Returns up to `summaryRowsMax` summaries of causes after one. */
    causes(
      workspace: WorkspaceId,
      after: string | null,
    ): Effect.Effect<Page<CauseRow, string>, StoreUnavailable>
    /**
     * Saves summaries and may move the cursor, in one transaction. A power failure may undo it, and the entries are then
     * summarized again. Returns false and changes nothing if the token is not the newest.
     */
    commit(commit: SummaryCommit): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/LogSummaries") {}
