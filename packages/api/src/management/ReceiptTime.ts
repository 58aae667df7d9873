import { fromIso } from "@inlet/core/values/Timestamp"
import { Schema } from "effect"
import { IsoTime } from "./IsoTime.ts"

/** A time in a query, in ISO 8601. */
export const ReceiptTime = IsoTime.check(
  Schema.makeFilter((text) => fromIso(text) !== undefined, { expected: "a time in ISO 8601" }),
)
