import { Context, type Effect, type Stream } from "effect"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"

/** Names a file of an export: letters, digits and dots. */
export interface ExportFileKey {
  readonly workspace: WorkspaceId
  readonly name: string
}

/** The names of files of exports. */
export const exportFileName = /^[a-z0-9.]{1,64}$/

/** The files of exports. Every node can read them. None is changed once it is saved, and no backup or copy has them. */
export class ExportFiles extends Context.Service<
  ExportFiles,
  {
    /** Saves a file in parts, and succeeds once it is durable. Whatever was saved of one that fails is there until it is removed. */
    save<E>(
      key: ExportFileKey,
      parts: Stream.Stream<Uint8Array, E>,
    ): Effect.Effect<void, E | StoreUnavailable>
    /** Reads a file from its beginning. One that is not there is empty. */
    read(key: ExportFileKey): Stream.Stream<Uint8Array, StoreUnavailable>
    remove(key: ExportFileKey): Effect.Effect<void, StoreUnavailable>
    readonly list: Effect.Effect<ReadonlyArray<ExportFileKey>, StoreUnavailable>
  }
>()("@inlethq/core/ports/ExportFiles") {}
