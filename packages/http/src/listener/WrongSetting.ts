import { Schema } from "effect"
import { startTexts } from "./startTexts.ts"

/** An environment variable has an invalid value. */
export class WrongSetting extends Schema.TaggedError<WrongSetting>()("WrongSetting", {
  variable: Schema.String,
  expected: Schema.String,
}) {
  override get message() {
    return startTexts.wrongSetting({ variable: this.variable, expected: this.expected })
  }
}
