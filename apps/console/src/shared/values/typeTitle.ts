import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"

/** What the kinds of objects begin with, before the id of their type. */
export const objectPrefix = "object:"

/** Returns how a name is called where its kind is not said. */
export const titleOf = ({ kind, name }: Pick<EventTypeDocument, "kind" | "name">): string => {
  if (kind === "person") return "Attributes of people"
  if (kind.startsWith(objectPrefix)) return `Attributes of objects of type ${kind.slice(objectPrefix.length)}`
  return name === "*" ? "* (names that are data)" : name
}
