import type { Command } from "./Command.ts"
import { targetsOf } from "./CommandTable.ts"
import type { IdentifierKind, Reference } from "./values/Identifier.ts"
import { isPlaceholder } from "./values/placeholder.ts"

/** An identifier of a command that is a placeholder. */
export interface Placeholder {
  readonly kind: Exclude<IdentifierKind, "email">
  readonly value: string
}

/** Returns the first identifier of a person or visitor in a command that is a placeholder, or null if none is. */
export const placeholderNamed = (command: Command): Placeholder | null => {
  for (const reference of targetsOf(command)) {
    const named = placeholderIn(reference)
    if (named !== null) return named
  }
  if (command._tag === "IdentifyPerson" && command.id !== null && isPlaceholder(command.id)) {
    return { kind: "id", value: command.id }
  }
  const anonymousId =
    command._tag === "IdentifyPerson" || command._tag === "RecordEvent" ? command.anonymousId : null
  return anonymousId !== null && isPlaceholder(anonymousId)
    ? { kind: "anonymous_id", value: anonymousId }
    : null
}

const placeholderIn = (reference: Reference): Placeholder | null => {
  switch (reference._tag) {
    case "BySvcId":
      return null
    case "ByIdentifier":
      return reference.kind !== "email" && isPlaceholder(reference.value)
        ? { kind: reference.kind, value: reference.value }
        : null
    case "ByBareText":
      return isPlaceholder(reference.value) ? { kind: "id", value: reference.value } : null
  }
}
