import { Schema } from "effect"

/** Attributes as the management API shows them. */
export const AttributesDocument = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "Attributes",
  description: "values by name; what was removed is left out",
})
