import { isJsonObject, type Json } from "@inlet/core/values/Json"
import type { ActivityDocument } from "../management/ActivityLog.ts"

/** What a list calls an operation: its kind, or what it was about if its entry has no kind, and its name. */
export interface OperationTitle {
  readonly kind: string
  readonly name: string | null
}

/** The largest number of characters of a text that a rejected call sent as its type or its action. */
const sentTextMax = 60

/**
 * Returns what a list calls an operation. Changes of deliveries, segments and forms have no kind, and neither have calls
 * that were rejected before it was known.
 */
export const operationTitle = ({
  data,
  kind,
  name,
  outcome,
}: Pick<ActivityDocument, "data" | "kind" | "name" | "outcome">): OperationTitle => {
  if (kind !== null) return { kind, name }
  if (outcome === "rejected") return { kind: sentAs(data) ?? "request", name }
  return changedThing(data) ?? { kind: "request", name }
}

const sentAs = (data: Json): string | null => {
  const sent = [textAt(data, "type"), textAt(data, "action")].filter((text) => text !== null)
  return sent.length === 0 ? null : sent.map((text) => text.slice(0, sentTextMax)).join(" ")
}

const changedThing = (data: Json): OperationTitle | null => {
  const delivery = textAt(data, "delivery_id")
  if (delivery !== null) return { kind: "delivery", name: delivery }
  const form = textAt(data, "form_id")
  if (form !== null) return { kind: "form", name: form }
  const segment = valueAt(data, "segment_id")
  return typeof segment === "number"
    ? { kind: "segment", name: textAt(data, "name") ?? String(segment) }
    : null
}

const textAt = (data: Json, key: string): string | null => {
  const value = valueAt(data, key)
  return typeof value === "string" && value !== "" ? value : null
}

const valueAt = (data: Json, key: string): Json | undefined =>
  isJsonObject(data) && Object.hasOwn(data, key) ? data[key] : undefined
