import type { Assignment } from "@inlet/core/state/Attributes"
import type { Fault } from "@inlet/core/log/Outcome"
import type { Receipt } from "./Receipt.ts"
import { droppedNamesText } from "./faults.ts"

/** The most attributes that a fault lists, and the most characters it shows of each name. */
const namesMax = 10
const nameCharactersMax = 50

/**
 * Returns a fault that lists the attributes it leaves out. Only Pipelines applies the rest of such a request, and its
 * activity entry has to show what is missing (contract §5). Track refuses the whole request with the documented
 * message, so its faults stay unchanged.
 */
export const withDroppedNames = (
  { source }: Receipt,
  fault: Fault,
  attributes: ReadonlyArray<Pick<Assignment, "name">>,
): Fault =>
  source === "pipelines"
    ? { ...fault, message: droppedNamesText({ message: fault.message, names: listed(attributes) }) }
    : fault

const listed = (attributes: ReadonlyArray<Pick<Assignment, "name">>): string => {
  const names = attributes.slice(0, namesMax).map(({ name }) => shortened(name))
  if (attributes.length > names.length) names.push(`and ${attributes.length - names.length} more`)
  return names.join(", ")
}

/** Cuts a name between code points, since half of a surrogate pair is not a character. */
const shortened = (name: string): string => {
  const characters = Array.from(name.slice(0, 2 * nameCharactersMax + 1))
  return characters.length > nameCharactersMax ? `${characters.slice(0, nameCharactersMax).join("")}…` : name
}
