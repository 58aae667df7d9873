import type { ActivityEntry } from "./Activity.ts"
import { kindOf, type Command } from "./Command.ts"
import type { Sequence } from "./Identifier.ts"
import type { Verdict } from "./Verdict.ts"

/** The entry of the activity log that a command leaves. */
export const entryOf = (sequence: Sequence, command: Command, verdict: Verdict): ActivityEntry => ({
  sequence,
  workspace: command.workspace.id,
  subject: verdict.subject,
  kind: kindOf(command),
  name: verdict.name,
  source: command.source,
  at: command.at,
  receivedAt: command.receivedAt,
  processedAt: verdict.outcome === "pending" ? null : command.receivedAt,
  outcome: verdict.outcome,
  id: command.deduplicationKey,
  claimsId: command.deduplicationKey !== null && claims(verdict.outcome),
  batchIndex: command.batchIndex,
  originalTimestamp: command.originalTimestamp,
  // What is about nobody would outlive whoever it names.
  anonymousId: isKeptFor(verdict) && verdict.anonymousIdIsOthers !== true ? anonymousIdOf(command) : null,
  reason: verdict.reason,
  rule: verdict.rule,
  data: verdict.data,
  changes: verdict.fields,
  parts: verdict.parts ?? noParts,
})

const noParts: ActivityEntry["parts"] = []

/** What was refused leaves its deduplication key free: the same call may be put right. */
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

const isKeptFor = ({ outcome, subject }: Verdict) => subject !== null || outcome === "pending"

const anonymousIdOf = (command: Command): string | null =>
  command._tag === "RecordEvent" || command._tag === "IdentifyPerson" ? command.anonymousId : null
