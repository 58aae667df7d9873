const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** Returns a number, or the number that a text spells. Returns undefined for anything else. */
export const numberIn = (value: unknown): number | undefined => {
  if (typeof value === "number") return value
  if (typeof value !== "string" || !numeral.test(value.trim())) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
