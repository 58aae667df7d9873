import { assignmentsToJson, type Assignment } from "@inlethq/core/state/Attributes"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { Receipt } from "./Receipt.ts"
import { isStorable } from "./leftOut.ts"

/**
 * The largest number of attribute names that a fault lists. Names of more than `nameCharactersMax` characters are
 * shortened.
 */
const namesMax = 10
const nameCharactersMax = 50

/**
 * Returns the fault of attributes that are left out. Pipelines applies the rest of the request, so its fault has the
 * attributes and names them, since the log entry must show what is missing (contract §5). Track refuses the whole request
 * with a documented message, which is that of `fault`.
 */
export const withDroppedNames = (
  { source }: Receipt,
  fault: Fault,
  attributes: ReadonlyArray<Assignment>,
  naming: (names: string) => Fault,
): Fault =>
  source === "pipelines"
    ? {
        ...naming(listed(attributes)),
        value: assignmentsToJson(attributes.filter(({ value }) => isStorable(value))),
      }
    : fault

const listed = (attributes: ReadonlyArray<Pick<Assignment, "name">>): string => {
  const names = attributes.slice(0, namesMax).map(({ name }) => shortened(name))
  if (attributes.length > names.length) names.push(`and ${attributes.length - names.length} more`)
  return names.join(", ")
}

/** Shortens a name to `nameCharactersMax` characters. A surrogate pair counts as one character and is never split. */
const shortened = (name: string): string => {
  const characters = Array.from(name.slice(0, 2 * nameCharactersMax + 1))
  return characters.length > nameCharactersMax ? `${characters.slice(0, nameCharactersMax).join("")}…` : name
}
