import { Schema } from "effect"

/** An export was ended before it was complete. */
export class Ended extends Schema.TaggedError<Ended>()("Ended", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}
