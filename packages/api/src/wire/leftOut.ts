import type { Assignment } from "@inlet/core/state/Attributes"
import type { Fault } from "@inlet/core/log/Outcome"
import type { Receipt } from "./Receipt.ts"
import { leftOutText } from "./faults.ts"

/** Attributes that a fault names, and the characters that it shows of each name. */
const namesMax = 10
const nameCharactersMax = 50

/**
 * A fault that also names the attributes that are left out for it. Only Pipelines applies the rest, and then the activity
 * entry says which those are (contract §5); Track refuses the whole request in the documented words.
 */
export const leavingOut = (
  { source }: Receipt,
  fault: Fault,
  attributes: ReadonlyArray<Pick<Assignment, "name">>,
): Fault =>
  source === "pipelines"
    ? { ...fault, message: leftOutText({ message: fault.message, names: listed(attributes) }) }
    : fault

const listed = (attributes: ReadonlyArray<Pick<Assignment, "name">>): string => {
  const names = attributes.slice(0, namesMax).map(({ name }) => shortened(name))
  if (attributes.length > names.length) names.push(`and ${attributes.length - names.length} more`)
  return names.join(", ")
}

/** A character is one or two units of text; it is not cut apart. */
const shortened = (name: string): string => {
  const characters = Array.from(name.slice(0, 2 * nameCharactersMax + 1))
  return characters.length > nameCharactersMax ? `${characters.slice(0, nameCharactersMax).join("")}…` : name
}
