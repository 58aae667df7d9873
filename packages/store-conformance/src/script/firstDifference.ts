/** The largest number of characters that `firstDifference` shows of each value. */
const shownMax = 300

/**
 * Returns the first difference between two values as one line, such as `workspaces[0].deliveries[1].recipient: got
 * null, expected "ada@example.com"`. Returns null if they are equal.
 */
export const firstDifference = (actual: unknown, expected: unknown, path = ""): string | null => {
  if (Object.is(actual, expected)) return null
  const [one, other] = [partsOf(actual), partsOf(expected)]
  if (one === null || other === null || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${path || "value"}: got ${shown(actual)}, expected ${shown(expected)}`
  }
  const keys = new Set([...one.keys(), ...other.keys()])
  for (const key of keys) {
    const place = typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`
    if (!one.has(key)) return `${place}: missing, expected ${shown(other.get(key))}`
    if (!other.has(key)) return `${place}: got ${shown(one.get(key))}, expected nothing`
    const found = firstDifference(one.get(key), other.get(key), place)
    if (found !== null) return found
  }
  return null
}

/** Returns the elements of a value by name or index. The order of the elements of maps and sets is ignored. */
const partsOf = (value: unknown): ReadonlyMap<string | number, unknown> | null => {
  if (value instanceof Map) return new Map([...value].map(([key, part]) => [String(key), part]))
  if (value instanceof Set) return new Map([...value].map((part) => [String(part), part]))
  if (Array.isArray(value)) return new Map(value.entries())
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : null
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value, (_, part: unknown) =>
    part instanceof Map || part instanceof Set ? [...part] : part,
  )
  if (text === undefined) return String(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}
