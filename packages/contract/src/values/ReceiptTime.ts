import { Schema } from "effect"
import { TimeText } from "./IsoTime.ts"

/** Query parameters that select entries by their receipt time. */
export const periodQuery = {
  since: Schema.optionalKey(TimeText.annotate({ description: "the earliest receipt time, inclusive" })),
  until: Schema.optionalKey(TimeText.annotate({ description: "the latest receipt time, exclusive" })),
}
