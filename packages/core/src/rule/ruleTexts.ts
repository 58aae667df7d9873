/** What the faults of rules say. Names of keys and operators are code, so they are in backticks. */
export const ruleTexts = {
  notObject: (example: string) => `must be an object, such as ${example}`,
  notArray: (what: string) => `must be an array of ${what}`,
  notContextField: "must name a value in the context, such as `context.page.path`",
  empty: (what: string) => `needs at least one ${what}`,
  missing: (name: string) => `\`${name}\` is missing`,
  oneKey: (keys: ReadonlyArray<string>) =>
    `must have exactly one of ${listed(keys)}; to ask for several things, put them into \`and\``,
  oneCount: "must have exactly one of `gte`, `lte` and `eq`",
  oneWindow: "`within` and `between` exclude each other",
  unknown: (what: string, word: string, words: ReadonlyArray<string>, near: string | undefined) =>
    near === undefined
      ? `unknown ${what} ${quoted(word)}; expected ${listed(words)}`
      : `unknown ${what} ${quoted(word)}; did you mean \`${near}\`?`,
  notText: "must be text that is not empty",
  textTooLong: (max: number) => `must have at most ${max} bytes`,
  notBoolean: "must be true or false",
  notScalar: "must be text, a number, true or false",
  nullValue:
    "must be text, a number, true or false; to ask for a value that is missing, put `exists` into `not`",
  existsValue: "`exists` takes no value; to ask for a value that is missing, put it into `not`",
  noValue: (operator: string) => `\`${operator}\` takes no value`,
  noCase: (operator: string) => `\`${operator}\` does not compare text, so it takes no \`ignore_case\``,
  notNumber: (operator: string) =>
    `\`${operator}\` compares numbers; to compare times, use \`before\`, \`after\`, \`within_past\` or \`within_next\``,
  notInstant: "must be a time, such as 2026-01-31T12:00:00Z or Unix seconds",
  notDuration: "must be a whole number with m, h, d or w, such as 30d",
  durationBounds: "must be from 1m to 730d",
  notInteger: (min: number, max: number) => `must be an integer from ${min} to ${max}`,
  notBetween: "must be an array of two times, the earlier one first",
  notSegment: "must be the id of a segment, an integer from 1",
  notSource: "must be text or an integer",
  tooMany: (what: string, max: number) => `has more than ${max} ${what}`,
  tooDeep: (max: number) => `is inside more than ${max} \`and\`, \`or\` and \`not\``,
  tooLarge: (max: number) => `a rule has at most ${max} bytes as JSON`,
  wrongAged:
    "`aged` belongs beside `not` around a leaf with `within`, or into a leaf with `within` that nothing satisfies (`lte`, or `eq` 0)",
  unknownSegment: (segment: number) => `segment ${segment} does not exist`,
  cycle: (segments: ReadonlyArray<number>) =>
    `would make segments depend on each other: ${segments.join(", ")}`,
  chainTooLong: (max: number) =>
    `would make a chain of more than ${max} rules that name each other's segments`,
} as const

const listed = (words: ReadonlyArray<string>): string => words.map((word) => `\`${word}\``).join(", ")

/** The largest number of characters of a rule that a message repeats. */
const quotedCharactersMax = 40

const quoted = (word: string): string =>
  JSON.stringify(word.length > quotedCharactersMax ? `${word.slice(0, quotedCharactersMax)}…` : word)
