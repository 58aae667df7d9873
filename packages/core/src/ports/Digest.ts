import { Context, Layer } from "effect"

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
