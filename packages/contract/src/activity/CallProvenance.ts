import type { Provenance } from "@inlethq/core/log/Provenance"
import { Schema } from "effect"

const anyObject = Schema.Record(Schema.String, Schema.Json)

/** The fields of an entry that say where its call came from. Each is missing if there is nothing to say. */
export const callProvenanceFields = {
  /** The `context` of a Pipelines call as sent, less what the workspace leaves out. */
  context: Schema.optionalKey(anyObject),
  integrations: Schema.optionalKey(anyObject),
  geo: Schema.optionalKey(
    Schema.Struct({
      country: Schema.String,
      region: Schema.optionalKey(Schema.String),
      city: Schema.optionalKey(Schema.String),
    }),
  ),
  bot: Schema.optionalKey(Schema.Literal(true)),
  /** The paths in the context that exceeded a limit. */
  context_omitted: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The paths that were left out because of the setting `omit`. */
  omitted: Schema.optionalKey(Schema.Array(Schema.String)),
}

const Fields = Schema.Struct(callProvenanceFields)
export type CallProvenanceDocument = typeof Fields.Type

export const callProvenanceDocument = ({ contextOmitted, ...rest }: Provenance): CallProvenanceDocument =>
  contextOmitted === undefined ? rest : { ...rest, context_omitted: contextOmitted }

/** Returns where a call came from, as an exported entry says it. */
export const callProvenanceIn = ({
  bot,
  context,
  context_omitted: contextOmitted,
  geo,
  integrations,
  omitted,
}: CallProvenanceDocument): Provenance => ({
  ...(context !== undefined && { context }),
  ...(integrations !== undefined && { integrations }),
  ...(geo !== undefined && { geo }),
  ...(bot !== undefined && { bot }),
  ...(contextOmitted !== undefined && { contextOmitted }),
  ...(omitted !== undefined && { omitted }),
})
