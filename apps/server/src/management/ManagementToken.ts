import { Context, Layer, Redacted } from "effect"
import { digestOf } from "../Secret.ts"

/** The bearer token of the management API, of which only the SHA-256 is known: lower-case hex. */
export class ManagementToken extends Context.Service<ManagementToken, { readonly digest: string }>()(
  "@inlet/server/management/ManagementToken",
) {
  static readonly layer = (token: Redacted.Redacted) =>
    Layer.succeed(this, this.of({ digest: digestOf(Redacted.value(token)) }))
}
