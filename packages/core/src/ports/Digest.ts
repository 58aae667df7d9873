import { Context, Layer } from "effect"
import type { WorkspaceId } from "../values/Identifier.ts"

/**
 * Computes keyed digests, which are stored instead of suppressed identifiers (contract §6). Checking whether a digest
 * belongs to a text requires the key. The key must not change as long as the data exist.
 */
export class Digest extends Context.Service<Digest, { readonly of: (text: string) => string }>()(
  "@inlet/core/ports/Digest",
) {
  static layer(of: (text: string) => string): Layer.Layer<Digest> {
    return Layer.succeed(this, { of })
  }
}

/** Returns the function that computes the digests of a workspace. The same text has different digests in two workspaces. */
export const digestsOf =
  (digest: Digest["Service"], workspace: WorkspaceId) =>
  (text: string): string =>
    digest.of(`${workspace}:${text}`)
