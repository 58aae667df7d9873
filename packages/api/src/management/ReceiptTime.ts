import { fromIso } from "@inlet/core/values/Timestamp"
import { Schema } from "effect"
import { IsoTime } from "./IsoTime.ts"

/** A receipt time in the query of a request, in ISO 8601. */
export const ReceiptTime = IsoTime.check(
  Schema.makeFilter((text) => fromIso(text) !== undefined, { expected: "a time in ISO 8601" }),
)

/** Query parameters that select entries by their receipt time. */
export const periodQuery = {
  since: Schema.optionalKey(ReceiptTime.annotate({ description: "the earliest receipt time, inclusive" })),
  until: Schema.optionalKey(ReceiptTime.annotate({ description: "the latest receipt time, exclusive" })),
}
