import { Schema } from "effect"

/** Attributes by name. */
export const AttributesDocument = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "Attributes",
  description: "values by name; what was removed is left out",
})
