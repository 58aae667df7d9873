import type { ActivityEntry, ActivityKind } from "../log/ActivityEntry.ts"
import type { Envelope } from "../fold/Envelope.ts"
import type { Sequence } from "../values/Identifier.ts"
import { tookEffect } from "../log/Outcome.ts"
import type { Verdict } from "./Verdict.ts"

/** The fields of a log entry that depend on the command's type. */
export interface EntryLabels {
  readonly kind: ActivityKind | null
  /** The anonymous id in the request. */
  readonly anonymousId: string | null
}

/** An entry that its decision still completes. Copying its twenty fields to add one would take as long as creating it. */
export type NewEntry = { -readonly [Key in keyof ActivityEntry]: ActivityEntry[Key] }

/** A command, of any type. */
type Decided = Envelope & { readonly _tag: string }

/** Returns the log entry of a decided command. */
export const recordEntry = (
  sequence: Sequence,
  command: Decided,
  { anonymousId, kind }: EntryLabels,
  verdict: Verdict,
): NewEntry => ({
  sequence,
  workspace: command.workspace.id,
  subject: verdict.via ?? verdict.subject,
  kind,
  name: verdict.name,
  source: command.source,
  sender: command.sender,
  at: command.at,
  receivedAt: command.receivedAt,
  processedAt: verdict.outcome === "pending" ? null : command.receivedAt,
  outcome: verdict.outcome,
  id: command.deduplicationKey,
  claimsId: command.deduplicationKey !== null && claims(verdict.outcome),
  batchIndex: command.batchIndex,
  originalTimestamp: command.originalTimestamp,
  // Deleting a person erases the entries about the person. An entry without a subject is not erased, so it must not
  // contain an anonymous id.
  anonymousId: isErasable(verdict) && verdict.anonymousIdIsOthers !== true ? anonymousId : null,
  reasons: verdict.reasons,
  rule: verdict.rule,
  data: verdict.data,
  changes: verdict.fields,
  parts: verdict.parts ?? noParts,
  refused: verdict.refused ?? noneRefused,
  keptAs: keptAs(command.keptAs ?? verdict.keptAs, kind, verdict),
  effects: noEffects,
  overwritten: noneOverwritten,
  call: verdict.call ?? null,
  ...(command.plan !== undefined && keepsPlan(command, verdict) && { plan: command.plan }),
})

const noParts: ActivityEntry["parts"] = []
const noneRefused: ActivityEntry["refused"] = []
const noneKept: ActivityEntry["keptAs"] = []

/** Effects of rules, and what the command overwrites, are known only when its changes are made. */
const noEffects: ActivityEntry["effects"] = []
const noneOverwritten: ActivityEntry["overwritten"] = []

/**
 * Returns whether later operations with the same deduplication key become duplicates of an entry with this outcome. The
 * entry of a rejected command does not block its key, so that the client can correct the command and send it again.
 */
const claims = (outcome: Verdict["outcome"]): boolean => {
  switch (outcome) {
    case "applied":
    case "created":
    case "partial":
    case "pending":
    case "dropped":
    case "ignored":
      return true
    case "duplicate":
    case "rejected":
      return false
  }
}

/**
 * Returns which values the entry says were read otherwise: those of an operation that took effect, if deleting its subject
 * erases the entry. Deleting a person does not erase an entry about an object, so this has no value of their relationship.
 */
const keptAs = (
  read: ActivityEntry["keptAs"] | undefined,
  kind: ActivityKind | null,
  verdict: Verdict,
): ActivityEntry["keptAs"] => {
  if (read === undefined || read.length === 0) return noneKept
  if (!tookEffect(verdict.outcome) || !isErasable(verdict) || kind === "delete" || kind === "suppress")
    return noneKept
  const isAboutObject = verdict.parts !== undefined || kind === "object_identify"
  return isAboutObject
    ? read.map((one) => (one.path.includes("relationship") ? { ...one, sent: null, kept: null } : one))
    : read
}

/** The refusal by a plan names nothing that is personal. Any other entry has to be erasable with whoever sent the data. */
const keepsPlan = (command: Decided, verdict: Verdict): boolean =>
  command._tag === "RejectOperation" || (tookEffect(verdict.outcome) && isErasable(verdict))

const isErasable = ({ outcome, subject }: Verdict) => subject !== null || outcome === "pending"
