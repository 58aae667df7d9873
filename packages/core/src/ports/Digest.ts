import { Context, Layer } from "effect"
import type { WorkspaceId } from "../values/Identifier.ts"

/**
 * Computes keyed digests. The store contains the digests of suppressed identifiers instead of the identifiers (contract
 * §6). Without the key, nobody can check whether a digest belongs to a text. The key must stay the same as long as the
 * data exist.
 */
export class Digest extends Context.Service<
  Digest,
  {
    readonly of: (text: string) => string
    /** The key with which `of` computes HMAC-SHA256, so that another thread can do so too. */
    readonly key?: Uint8Array
  }
>()("@inlethq/core/ports/Digest") {
  /** Digests with a function that only this thread has. */
  static layer(of: (text: string) => string): Layer.Layer<Digest> {
    return Layer.succeed(this, { of })
  }
}

/** Returns the function that computes the digests of a workspace. The same text has different digests in two workspaces. */
export const digestsOf =
  (digest: Digest["Service"], workspace: WorkspaceId) =>
  (text: string): string =>
    digest.of(`${workspace}:${text}`)
