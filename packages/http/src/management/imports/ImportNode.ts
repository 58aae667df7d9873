import { Context, Effect } from "effect"
import { randomUUID } from "node:crypto"

/** What a process is for imports that go on without their clients. */
export interface ImportNodeShape {
  readonly id: string
  /** Whether no other process uses the store, so that uploads of other processes have ended. */
  readonly isAlone: boolean
  /** Returns true if this node works at imports. Of the nodes on one database, only the holder of a lease does. */
  readonly may: Effect.Effect<boolean>
}

export const ImportNode = Context.Reference<ImportNodeShape>("@inlethq/http/management/imports/ImportNode", {
  defaultValue: () => ({ id: randomUUID(), isAlone: true, may: Effect.succeed(true) }),
})
