import { Schema } from "effect"
import { splitContext } from "./describingContext.ts"

const anyObject = Schema.Record(Schema.String, Schema.Json)

/** The place of an IP address: an ISO 3166 country code, and the names of its region and city where they are known. */
const Geo = Schema.Struct({
  country: Schema.String,
  region: Schema.optionalKey(Schema.String),
  city: Schema.optionalKey(Schema.String),
})

/**
 * Where a call came from, beside what it asks for, and what was left out of it. Deleting the person of the call erases all of
 * it with the entry.
 */
export const Provenance = Schema.Struct({
  /** The `context` of a Pipelines call as sent, less what the workspace leaves out. Missing if nothing is left of it. */
  context: Schema.optionalKey(anyObject),
  /** The `integrations` of a Pipelines call. Missing if there are none. */
  integrations: Schema.optionalKey(anyObject),
  geo: Schema.optionalKey(Geo),
  /** True if the user agent is that of a bot. */
  bot: Schema.optionalKey(Schema.Literal(true)),
  /** The paths in the context that were left out because they exceed a limit; those of others begin with their root. */
  contextOmitted: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The paths of the setting `omit` at which something was left out. */
  omitted: Schema.optionalKey(Schema.Array(Schema.String)),
})
export type Provenance = typeof Provenance.Type

/**
 * Returns what an entry about nobody may keep of the provenance of its call. Nothing would erase the rest, and these say nothing of whoever
 * sent the call.
 */
export const impersonal = ({ bot, omitted }: Provenance): Provenance | undefined =>
  bot === undefined && omitted === undefined
    ? undefined
    : { ...(bot !== undefined && { bot }), ...(omitted !== undefined && { omitted }) }

/** Returns a provenance with only that part of the context which describes the client. */
export const describing = ({ context, ...rest }: Provenance): Provenance | undefined => {
  const described = context === undefined ? {} : splitContext(context).described
  const hasDescription = Object.keys(described).length > 0
  const others = impersonal(rest)
  return hasDescription ? { ...others, context: described } : others
}
