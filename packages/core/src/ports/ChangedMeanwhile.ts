import { Schema } from "effect"
import { storeTexts } from "../log/operationTexts.ts"

/** Settings were not changed, because they are not what the change was decided from any more. */
export class ChangedMeanwhile extends Schema.TaggedError<ChangedMeanwhile>()("ChangedMeanwhile", {}) {
  override get message() {
    return storeTexts.changedMeanwhile()
  }
}
