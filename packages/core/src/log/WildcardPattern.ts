/**
 * A substring to search for. `prefixes` is the failure table of Knuth, Morris and Pratt: for each prefix of the
 * substring, the length of its longest proper prefix that is also a suffix.
 */
interface Piece {
  readonly text: string
  readonly prefixes: ReadonlyArray<number>
}

/**
 * A text pattern. A text matches if it starts with `first`, contains the middle pieces in order, and ends with `last`.
 * In a pattern without a wildcard, `last` is null and the text must equal `first`.
 */
export interface WildcardPattern {
  readonly first: string
  readonly middle: ReadonlyArray<Piece>
  readonly last: string | null
}

/** Creates a pattern from the literal texts between its wildcards. A single text is a pattern without a wildcard. */
export const wildcardPattern = ([first = "", ...rest]: ReadonlyArray<string>): WildcardPattern => {
  const last = rest.pop() ?? null
  return { first, middle: rest.filter((text) => text !== "").map(pieceOf), last }
}

/**
 * Returns a text to search for, with its failure table (Knuth, Morris and Pratt), so that `endOf` searches in linear
 * time.
 */
const pieceOf = (text: string): Piece => {
  const prefixes = [0]
  for (let i = 1, length = 0; i < text.length; i++) {
    while (length > 0 && text[i] !== text[length]) length = prefixes[length - 1] ?? 0
    if (text[i] === text[length]) length++
    prefixes.push(length)
  }
  return { text, prefixes }
}

/**
 * Returns whether a pattern matches the whole text. Finds the literal texts of the pattern in order without
 * backtracking, so the time is linear in the lengths of the pattern and the text.
 */
export const fitsPattern = ({ first, last, middle }: WildcardPattern, text: string): boolean => {
  if (last === null) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const piece of middle) {
    from = endOf(piece, text, from)
    if (from < 0) return false
  }
  return text.length - last.length >= from && text.endsWith(last)
}

/**
 * Searches for a piece from the offset `from`. Returns the offset at which the first occurrence ends, or -1 if there is
 * no occurrence.
 */
const endOf = ({ prefixes, text: piece }: Piece, text: string, from: number): number => {
  let length = 0
  for (let i = from; i < text.length; i++) {
    while (length > 0 && text[i] !== piece[length]) length = prefixes[length - 1] ?? 0
    if (text[i] === piece[length]) length++
    if (length === piece.length) return i + 1
  }
  return -1
}
