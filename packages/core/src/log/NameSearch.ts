/** A function that returns whether a name matches a search. */
export type NameSearch = (name: string) => boolean

/** The most characters that one search may have. */
export const nameSearchLengthMax = 1000

/**
 * A substring to search for. `prefixes` is the failure table of Knuth, Morris and Pratt: for each prefix of the
 * substring, the length of its longest proper prefix that is also a suffix.
 */
interface Piece {
  readonly text: string
  readonly prefixes: ReadonlyArray<number>
}

/**
 * A name pattern: the name starts with `first`, contains the middle pieces in order, and ends with `last`. Without a
 * wildcard `last` is null and the name equals `first`.
 */
interface Pattern {
  readonly first: string
  readonly middle: ReadonlyArray<Piece>
  readonly last: string | null
}

/**
 * Parses a search for event names. `*` matches any text, `+` adds the names that match a term, `|` removes those that
 * match a term, and a backslash escapes the next character (contract §8, track-api §6 rule 4). A search without added
 * terms starts from all names. Matching is linear in the lengths of the search and the name.
 */
export const nameSearch = (text: string): NameSearch => {
  const added: Array<Pattern> = []
  const subtracted: Array<Pattern> = []
  let target = added
  let pieces: Array<string> = []
  let piece = ""
  const endTerm = () => {
    if (piece !== "" || pieces.length > 0) target.push(patternOf([...pieces, piece]))
    pieces = []
    piece = ""
  }
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    switch (character) {
      case "*":
        pieces.push(piece)
        piece = ""
        break
      case "+":
      case "|":
        endTerm()
        target = character === "+" ? added : subtracted
        break
      case "\\":
        i++
        piece += i < text.length ? text.charAt(i) : character
        break
      default:
        piece += character
    }
  }
  endTerm()
  return (name) =>
    (added.length === 0 || added.some((pattern) => fits(pattern, name))) &&
    !subtracted.some((pattern) => fits(pattern, name))
}

const patternOf = ([first = "", ...rest]: ReadonlyArray<string>): Pattern => {
  const last = rest.pop() ?? null
  return { first, middle: rest.filter((text) => text !== "").map(pieceOf), last }
}

/** Computes the failure table of Knuth, Morris and Pratt. */
const pieceOf = (text: string): Piece => {
  const prefixes = [0]
  for (let i = 1, length = 0; i < text.length; i++) {
    while (length > 0 && text[i] !== text[length]) length = prefixes[length - 1] ?? 0
    if (text[i] === text[length]) length++
    prefixes.push(length)
  }
  return { text, prefixes }
}

/** Matches the pieces in order, the first at the start and the last at the end, without backtracking. */
const fits = ({ first, last, middle }: Pattern, name: string): boolean => {
  if (last === null) return name === first
  if (!name.startsWith(first)) return false
  let from = first.length
  for (const piece of middle) {
    from = endOf(piece, name, from)
    if (from < 0) return false
  }
  return name.length - last.length >= from && name.endsWith(last)
}

/** Returns the offset after the first occurrence of a piece at or after `from`; -1 if it does not occur. */
const endOf = ({ prefixes, text }: Piece, name: string, from: number): number => {
  let length = 0
  for (let i = from; i < name.length; i++) {
    while (length > 0 && name[i] !== text[length]) length = prefixes[length - 1] ?? 0
    if (name[i] === text[length]) length++
    if (length === text.length) return i + 1
  }
  return -1
}
