/** Returns a value as operators read it: a string without quotes, everything else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value)

/** Returns the JSON type of a value. */
export const typeOf = (value: unknown): string => {
  if (value === null) return "null"
  return Array.isArray(value) ? "array" : typeof value
}

/** Parses a value that an operator typed. A text that is not JSON is returned as a string. */
export const parseValue = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return text
  }
}

/** Returns the text that `parseValue` parses into the value. */
export const editableText = (value: unknown): string => {
  if (value === undefined) return ""
  return typeof value === "string" && parseValue(value) === value ? value : JSON.stringify(value)
}
