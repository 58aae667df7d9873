import type { Command } from "./Command.ts"
import { kindOf } from "./CommandTable.ts"
import type { ActivityEntry } from "./log/ActivityEntry.ts"
import { ignoreTexts } from "./log/operationTexts.ts"
import type { Reason } from "./log/Reason.ts"
import { identifyPayload } from "./person/identifyPayload.ts"
import { operationIdText, type SubjectKey } from "./values/Identifier.ts"
import { isJsonObject, sameJson, type Json, type JsonObject } from "./values/Json.ts"
import type { Claim, WorkingSet } from "./fold/WorkingSet.ts"

/** Says which operation used a deduplication key first, and whether it was the same. */
export const duplicateReason = (state: WorkingSet, command: Command, subject: SubjectKey | null): Reason => {
  const claim = command.deduplicationKey === null ? undefined : state.claimed.get(command.deduplicationKey)
  if (claim === undefined) return ignoreTexts.duplicate()
  const operation = operationIdText(state.workspace, claim.sequence, null)
  switch (isSame(state, command, claim, subject)) {
    case true:
      return ignoreTexts.duplicateSame({ operation })
    case false:
      return ignoreTexts.duplicateOther({ operation })
    case undefined:
      return ignoreTexts.duplicateOf({ operation })
  }
}

/** Returns whether a command repeats the operation that used its key, or undefined if its kind does not tell. */
const isSame = (
  state: WorkingSet,
  command: Command,
  { content, subject: first }: Claim,
  subject: SubjectKey | null,
): boolean | undefined => {
  if (kindOf(command) !== content.kind) return false
  if (command._tag === "RecordEvent") {
    if (command.name !== content.name || !sameJson(command.data, content.data)) return false
    return ownerOf(state, first) === ownerOf(state, subject)
  }
  if (command._tag !== "IdentifyPerson") return undefined
  const sent = withoutIdentifiers(identifyPayload(command, new Set()))
  return sameJson(sent, withoutIdentifiers(content.data)) && ownerOf(state, first) === ownerOf(state, subject)
}

/** Returns whose entry is about a subject: a visitor who was identified, or a person who was merged, is somebody else now. */
const ownerOf = ({ subjects }: WorkingSet, key: ActivityEntry["subject"]): SubjectKey | null => {
  const subject = key === null ? undefined : subjects.get(key)
  return subject?._tag === "Attached" ? subject.owner : key
}

/** Identifiers that were refused are not in the data of an entry. */
const withoutIdentifiers = (data: Json): JsonObject =>
  isJsonObject(data)
    ? Object.fromEntries(
        Object.entries(data).filter(([name]) => name !== "id" && name !== "email" && name !== "anonymous_id"),
      )
    : {}
