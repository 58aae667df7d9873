import type { Envelope } from "../fold/Envelope.ts"
import type { Fault } from "../log/Outcome.ts"
import { findSuppressionOfText } from "./findSuppression.ts"
import { identifierText } from "../values/Identifier.ts"
import { subjectByIdentifier, type WorkingSet } from "../fold/WorkingSet.ts"

/**
 * Returns the command with the owner of each identifier that decoding left out, so that erasing the owner erases the
 * refused value. A suppressed identifier is replaced with its digest.
 */
export const withOwners = <C extends Envelope & { readonly _tag: string }>(
  state: WorkingSet,
  command: C,
): C =>
  command.faults.length === 0
    ? command
    : { ...command, faults: command.faults.map((fault) => withOwner(state, command._tag, fault)) }

const withOwner = (state: WorkingSet, tag: string, fault: Fault): Fault => {
  const { identifier } = fault
  const isOfPerson = identifier !== undefined || fault.field.includes("relationship")
  if (identifier !== undefined) {
    const text = identifierText(identifier.kind, identifier.value)
    if (findSuppressionOfText(state, text) !== undefined) {
      return { ...fault, value: { identifier_digest: state.digest(text) } }
    }
    const holder = subjectByIdentifier(state, identifier)
    if (holder !== undefined) return { ...fault, other: holder.key }
  }
  return isAboutObject(tag) && isOfPerson ? { ...fault, value: null } : fault
}

/**
 * Returns whether the entry of a command is about an object. Deleting a person does not erase such an entry, so it keeps
 * no value about a person whom the request does not clearly name.
 */
const isAboutObject = (tag: string): boolean =>
  tag === "IdentifyObject" || tag === "ChangeObjectRelationships"
