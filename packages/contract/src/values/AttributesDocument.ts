import { Schema } from "effect"

/** Attributes by name. */
export const AttributesDocument = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "Attributes",
  description: "attributes by name, without removed attributes",
})
