import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"

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
  source,
}: Pick<ActivityDocument, "data" | "kind" | "name" | "outcome" | "source">): OperationTitle => {
  if (kind !== null) return { kind, name }
  if (outcome === "rejected") return { kind: sentAs(data) ?? "request", name }
  return changedThing(data) ?? { kind: source === "system" ? buildTitle : "request", name }
}

/** What a list calls a step of building the rule of a segment. */
export const buildTitle = "segment_build"

/** Whom or what an operation concerns that is about no person, visitor or object. */
export interface Concern {
  readonly kind: "segment" | "sent" | "path"
  readonly text: string
}

interface Concerning extends Pick<
  ActivityDocument,
  "data" | "kind" | "outcome" | "request" | "sender" | "source"
> {
  readonly subject: { readonly segment?: { readonly name: string } }
}

/**
 * Returns the segment that an operation is about, unless its title names it. Of a call that was rejected, returns the identifier that it gave, otherwise
 * its path.
 */
export const concernOf = ({
  data,
  kind,
  outcome,
  request,
  sender,
  source,
  subject,
}: Concerning): Concern | null => {
  const isTitled = kind === null && changedThing(data) !== null
  if (subject.segment !== undefined) return isTitled ? null : { kind: "segment", text: subject.segment.name }
  if (outcome !== "rejected") return null
  // The paths of the Track API v1 have the identifier, and bodies have attributes that may be called like one.
  const sent = source === "track-v1" ? null : sentIdentifier(data)
  if (sent !== null) return { kind: "sent", text: sent.slice(0, sentTextMax) }
  const path = request?.path ?? sender?.route ?? null
  return path === null ? null : { kind: "path", text: path }
}

const sentIdentifier = (data: Json): string | null => {
  for (const named of [valueAt(data, "identifiers"), valueAt(data, "primary")]) {
    const found =
      named === undefined ? null : firstText(named, ["email", "id", "svc_id", "cio_id", "object_id"])
    if (found !== null) return found
  }
  return firstText(data, ["userId", "anonymousId"])
}

const firstText = (data: Json, keys: ReadonlyArray<string>): string | null => {
  for (const key of keys) {
    const text = textAt(data, key)
    if (text !== null) return text
  }
  return null
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
