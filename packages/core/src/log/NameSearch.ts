import { fitsPattern, wildcardPattern, type WildcardPattern } from "./WildcardPattern.ts"

/** A function that returns whether a name matches a search. */
export type NameSearch = (name: string) => boolean

/** The largest number of characters that one search may have. */
export const nameSearchLengthMax = 1000

/**
 * Parses a search for event names. `*` matches any text, `+` adds the names that match a term, `|` removes those that
 * match a term, and a backslash escapes the next character (contract §8, track-api §6 rule 4). A search without added
 * terms starts from all names. Matching is linear in the lengths of the search and the name.
 */
export const nameSearch = (text: string): NameSearch => {
  const added: Array<WildcardPattern> = []
  const subtracted: Array<WildcardPattern> = []
  let target = added
  let pieces: Array<string> = []
  let piece = ""
  const endTerm = () => {
    if (piece !== "" || pieces.length > 0) target.push(wildcardPattern([...pieces, piece]))
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
    (added.length === 0 || added.some((pattern) => fitsPattern(pattern, name))) &&
    !subtracted.some((pattern) => fitsPattern(pattern, name))
}
