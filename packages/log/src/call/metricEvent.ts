import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ForwardShape } from "@inlethq/core/forward/Forward"
import type { Person } from "@inlethq/core/state/Person"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import { secondMs, toIso } from "@inlethq/core/values/Timestamp"
import { dataOf } from "./identifyEntities.ts"

/**
 * Writes a report about a message as the event of its recipient, in the envelope of the Pipelines API (pipelines-api §6.2) or as an
 * event of the Track API v2. Returns null if nobody is known who received the message.
 */
export const metricEvent = ({ entry, owner }: ActivityRecord, to: ForwardShape): JsonObject | null => {
  const { name } = entry
  const named = owner === null ? null : nameOf(owner)
  if (owner === null || named === null || name === null) return null
  const at = Math.min(entry.at, entry.receivedAt)
  const { properties } = dataOf(entry)
  const said = properties !== undefined && isJsonObject(properties) ? properties : {}
  if (to === "track-v2") {
    const identifiers = { [named.kind]: named.value }
    const event = { type: "person", action: "event", identifiers, name, attributes: said }
    return { ...event, timestamp: Math.floor(at / secondMs) }
  }
  return {
    type: "track",
    event: name,
    userId: named.value,
    // In a workspace with several identifiers, it is the email.
    ...(owner.email !== null && named.kind !== "email" && { anonymousId: owner.email }),
    properties: { customer_id: named.value, userId: named.value, ...said },
    timestamp: toIso(at),
    originalTimestamp: toIso(at),
    context: { traits: { ...(owner.email !== null && { email: owner.email }) } },
  }
}

const nameOf = ({ email, id }: Person): { readonly kind: "id" | "email"; readonly value: string } | null => {
  if (id !== null) return { kind: "id", value: id }
  return email === null ? null : { kind: "email", value: email }
}
