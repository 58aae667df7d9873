import { Context, Layer, Redacted } from "effect"
import { digestOf } from "../Secret.ts"

/** The SHA-256 of the management API's bearer token, in lower-case hex. */
export class ManagementToken extends Context.Service<ManagementToken, { readonly digest: string }>()(
  "@inlet/server/management/ManagementToken",
) {
  static readonly layer = (token: Redacted.Redacted) =>
    Layer.succeed(this, this.of({ digest: digestOf(Redacted.value(token)) }))
}
