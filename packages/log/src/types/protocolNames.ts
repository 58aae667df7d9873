import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { pipelinesDocument } from "@inlethq/wire/openapi/pipelinesDocument"
import { trackDocument } from "@inlethq/wire/openapi/trackDocument"

/** The keys of requests that the references name, in all spellings. Any other key is one that a sender has chosen. */
export const protocolNames: ReadonlySet<string> = new Set([
  ...namesIn(trackDocument),
  ...namesIn(pipelinesDocument),
])

function* namesIn(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item)
  if (!isJsonObject(value)) return
  for (const [key, inner] of Object.entries(value)) {
    // Examples have keys of senders.
    if (key === "examples") continue
    if (key !== "properties" || !isJsonObject(inner)) yield* namesIn(inner)
    else {
      yield* Object.keys(inner)
      for (const schema of Object.values(inner)) yield* namesIn(schema)
    }
  }
}
