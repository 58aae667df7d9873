import { Context, Effect, Layer } from "effect"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { ApiKey } from "../workspace/Credentials.ts"
import { Digest, digestsOf } from "../ports/Digest.ts"
import { Sequence, SubjectKey, type WorkspaceId } from "../values/Identifier.ts"
import type { UploadPart } from "../ports/Upload.ts"
import { makeWorkingSet, type WorkingSet } from "../WorkingSet.ts"
import type { Workspace } from "../workspace/Workspace.ts"

/** The data of one workspace: the state after all committed changes, and the log. */
export interface Island {
  readonly everything: WorkingSet
  readonly log: Map<Sequence, ActivityEntry>
}

/** The contents of the memory store. */
export class MemoryState extends Context.Service<
  MemoryState,
  {
    readonly islands: ReadonlyMap<WorkspaceId, Island>
    /** Returns the data of a workspace, which are empty on the first use. */
    readonly islandOf: (workspace: WorkspaceId) => Island
    readonly workspaces: Map<WorkspaceId, Workspace>
    readonly keys: Map<string, ApiKey>
    /** Registered parts of uploads, by workspace and name. */
    readonly uploads: Map<string, UploadPart>
  }
>()("@inlet/core/memory/MemoryState") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Digest, (digest) => {
      const islands = new Map<WorkspaceId, Island>()
      return this.of({
        islands,
        islandOf: (workspace) => {
          const known = islands.get(workspace)
          if (known !== undefined) return known
          const island = emptyIsland(digest, workspace)
          islands.set(workspace, island)
          return island
        },
        workspaces: new Map(),
        keys: new Map(),
        uploads: new Map(),
      })
    }),
  )
}

const emptyIsland = (digest: Digest["Service"], workspace: WorkspaceId): Island => ({
  everything: makeWorkingSet(workspace, SubjectKey.make(1), Sequence.make(1), digestsOf(digest, workspace)),
  log: new Map(),
})
