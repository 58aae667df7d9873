import { Context, Effect, Layer } from "effect"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { ApiKey } from "../workspace/Credentials.ts"
import { Digest } from "../ports/Digest.ts"
import { Sequence, SubjectKey, type WorkspaceId } from "../values/Identifier.ts"
import type { UploadPart } from "../ports/Upload.ts"
import { makeWorkingSet, type WorkingSet } from "../WorkingSet.ts"
import type { Workspace } from "../workspace/Workspace.ts"

/** The contents of the memory store: the state after all committed changes, and the log. */
export class MemoryState extends Context.Service<
  MemoryState,
  {
    readonly everything: WorkingSet
    readonly log: Map<Sequence, ActivityEntry>
    readonly workspaces: Map<WorkspaceId, Workspace>
    readonly keys: Map<string, ApiKey>
    /** Registered parts of uploads, by workspace and name. */
    readonly uploads: Map<string, UploadPart>
  }
>()("@inlet/core/memory/MemoryState") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Digest, (digest) =>
      this.of({
        everything: makeWorkingSet(SubjectKey.make(1), Sequence.make(1), digest.of),
        log: new Map(),
        workspaces: new Map(),
        keys: new Map(),
        uploads: new Map(),
      }),
    ),
  )
}
