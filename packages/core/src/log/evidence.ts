import { Schema } from "effect"
import type { SubjectKey } from "../values/Identifier.ts"
import { isMergeKind, type ActivityEntry } from "./ActivityEntry.ts"
import type { Overwritten } from "./Overwritten.ts"
import type { RefusedValue } from "./RefusedValue.ts"

/**
 * What an operation says about two people who may be one. `identifier`: it named one by `id` and the other by email, or
 * carried an anonymous id of the other. `device`: it moved a device token from one to the other. `alias`: its previous id is
 * an anonymous id of the other.
 */
export const EvidenceReason = Schema.Literals(["identifier", "device", "alias"])
export type EvidenceReason = typeof EvidenceReason.Type

/** Says that the subject of an entry and another person may be one. */
export interface Evidence {
  readonly other: SubjectKey
  readonly reason: EvidenceReason
}

type Evident = Pick<ActivityEntry, "kind" | "overwritten" | "refused" | "subject">

/** Returns what an entry says about its subject and other people who may be the same person. */
export const evidenceIn = (entry: Evident): ReadonlyArray<Evidence> => {
  if (entry.subject === null || (entry.refused.length === 0 && entry.overwritten.length === 0)) return none
  const found: Array<Evidence> = []
  for (const refused of entry.refused) {
    if (!isTakenIdentifier(refused) || refused.other === null) continue
    found.push({ other: refused.other, reason: entry.kind === "merge" ? "alias" : "identifier" })
  }
  for (const one of entry.overwritten) {
    if (hasLostDevice(entry, one)) found.push({ other: one.subject, reason: "device" })
  }
  return found
}

const none: ReadonlyArray<Evidence> = []

/** Returns whether a value was refused because it identifies another person. */
export const isTakenIdentifier = ({ other, rule }: Pick<RefusedValue, "other" | "rule">): boolean =>
  other !== null && rule === "contract §6 taken identifiers"

/** Returns whether somebody lost a device because the subject of the entry received it. A merged person loses nothing. */
export const hasLostDevice = (
  { kind, subject }: Pick<ActivityEntry, "kind" | "subject">,
  { before, subject: other }: Overwritten,
): boolean => {
  if (isMergeKind(kind) || kind === "delete_device" || other === subject) return false
  for (const device of before?.devices?.values() ?? []) if (device?.platform !== undefined) return true
  return false
}
