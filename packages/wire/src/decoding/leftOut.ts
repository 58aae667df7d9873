import type { Command } from "@inlethq/core/Command"
import type { Fault } from "@inlethq/core/log/Outcome"
import { looksLikeEmail, type Identifier, type IdentifierKind } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { readText } from "./identifiers.ts"
import { measure } from "./measure.ts"

/**
 * Adds to each fault of a command the value that decoding left out, as the item has it, so that the log entry can keep
 * it (contract §16 *refused values*).
 */
export const withLeftOut = <C extends Command>(command: C, item: Json): C =>
  command.faults.length === 0 || command._tag === "RejectOperation"
    ? command
    : { ...command, faults: command.faults.map((fault) => withValue(fault, item)) }

const withValue = (fault: Fault, item: Json): Fault => {
  if (fault.value !== undefined || fault.field === "") return fault
  const value = valueAt(item, fault.field)
  if (value === undefined || !isStorable(value)) return fault
  const identifier = identifierOf(fault.field, value)
  return identifier === undefined ? { ...fault, value } : { ...fault, value, identifier }
}

/** Returns whether a value can be written as JSON. Values that are nested too deep cannot. */
export const isStorable = (value: Json): boolean => measure(value, Number.MAX_SAFE_INTEGER) !== "unfit"

/**
 * Returns the value at a path whose keys are joined by dots. A key can contain dots itself, so the longest key that
 * matches is followed.
 */
const valueAt = (item: Json, path: string): Json | undefined => {
  if (Array.isArray(item)) {
    const [index = "", ...rest] = path.split(".")
    const element: Json | undefined = item[Number(index)]
    return rest.length === 0 || element === undefined ? element : valueAt(element, rest.join("."))
  }
  if (!isJsonObject(item)) return undefined
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const key = path.slice(0, end)
    const value = Object.hasOwn(item, key) ? item[key] : undefined
    if (value === undefined) continue
    const found = end === path.length ? value : valueAt(value, path.slice(end + 1))
    if (found !== undefined) return found
  }
  return undefined
}

const kinds: ReadonlyMap<string, IdentifierKind> = new Map([
  ["id", "id"],
  ["email", "email"],
  ["anonymous_id", "anonymous_id"],
  ["userId", "id"],
  ["anonymousId", "anonymous_id"],
])

/** Returns the identifier of a person or visitor that a value is, or undefined if it is none. */
export const identifierOf = (field: string, value: Json): Identifier | undefined => {
  const name = field.slice(field.lastIndexOf(".") + 1)
  const kind = kinds.get(name)
  const text = readText(value)
  if (kind === undefined || text === undefined || text === null) return undefined
  return { kind: name === "userId" && looksLikeEmail(text) ? "email" : kind, value: text }
}
