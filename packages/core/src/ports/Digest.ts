import { Context, Layer } from "effect"

/**
 * Makes of a text a digest from which nobody without the key can tell the text: what is kept of suppressed identifiers
 * (contract §6). The same text has the same digest for as long as the data live.
 */
export class Digest extends Context.Service<Digest, { readonly of: (text: string) => string }>()(
  "@inlet/core/ports/Digest",
) {
  static layer(of: (text: string) => string): Layer.Layer<Digest> {
    return Layer.succeed(this, { of })
  }
}
