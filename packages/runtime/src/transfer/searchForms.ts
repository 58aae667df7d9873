/** A place where the bytes of an identifier were found. */
export interface FoundPlace {
  readonly file: string
  readonly offset: number
  /** How the identifier is written there, such as `UTF-16`. */
  readonly form: string
}

/** A text as the bytes that a file may hold. */
export interface Form {
  readonly name: string
  readonly bytes: Buffer
}

/** The largest number of places that are listed. */
export const placesMax = 1000

/** The ways in which files may hold a text. */
export const formsOf = (text: string): ReadonlyArray<Form> => {
  const found = new Map<string, Form>()
  const add = (name: string, bytes: Buffer) => {
    const known = bytes.toString("latin1")
    if (bytes.length > 0 && !found.has(known)) found.set(known, { name, bytes })
  }
  for (const [spelling, suffix] of [
    [text, ""],
    [text.toLowerCase(), " in lower case"],
  ] as const) {
    add(`plain${suffix}`, Buffer.from(spelling))
    add(`escaped in JSON${suffix}`, Buffer.from(JSON.stringify(spelling).slice(1, -1)))
    add(`escaped in JSON${suffix}`, Buffer.from(asciiJson(spelling)))
    add(`escaped in a URL${suffix}`, Buffer.from(encodeURIComponent(spelling)))
    add(`UTF-16${suffix}`, Buffer.from(spelling, "utf16le"))
    add(`UTF-16, big endian${suffix}`, Buffer.from(spelling, "utf16le").swap16())
  }
  return [...found.values()]
}

/** JSON with escapes in place of all characters outside ASCII. */
const asciiJson = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
