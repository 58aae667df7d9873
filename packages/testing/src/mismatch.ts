/**
 * A pattern for a JSON document. An object lists the fields that must be equal, arrays must have the same length, and a
 * regular expression must match a text.
 */
export type Pattern = unknown

/** Returns one line for each difference between a document and a pattern. Returns no line if the document fits. */
export const mismatches = (expected: Pattern, actual: unknown, path = ""): ReadonlyArray<string> => {
  if (expected instanceof RegExp && typeof actual === "string") {
    return expected.test(actual)
      ? []
      : [`${named(path)}: expected a match of ${expected}, got ${shown(actual)}`]
  }
  if (Array.isArray(expected)) return mismatchesOfList(expected, actual, path)
  if (isObject(expected)) {
    if (!isObject(actual)) return [`${named(path)}: expected an object, got ${shown(actual)}`]
    return Object.entries(expected).flatMap(([key, value]) =>
      mismatches(value, actual[key], path === "" ? key : `${path}.${key}`),
    )
  }
  return Object.is(expected, actual)
    ? []
    : [`${named(path)}: expected ${shown(expected)}, got ${shown(actual)}`]
}

const mismatchesOfList = (
  expected: ReadonlyArray<unknown>,
  actual: unknown,
  path: string,
): ReadonlyArray<string> => {
  if (!Array.isArray(actual)) return [`${named(path)}: expected a list, got ${shown(actual)}`]
  if (actual.length !== expected.length) {
    return [
      `${named(path)}: expected a list of length ${expected.length}, got length ${actual.length}: ${shown(actual)}`,
    ]
  }
  return expected.flatMap((value, at) => mismatches(value, actual[at], `${path}[${at}]`))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof RegExp)

const named = (path: string): string => (path === "" ? "the value" : path)

const shownCharactersMax = 200

/** Returns a value as JSON, shortened to one readable line. */
const shown = (value: unknown): string => {
  if (value === undefined) return "nothing"
  const text = value instanceof RegExp ? String(value) : JSON.stringify(value)
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}
