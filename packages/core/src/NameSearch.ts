/** Whether a name is among those that a search asks for. */
export type NameSearch = (name: string) => boolean

/** Characters that one search may have. */
export const nameSearchLengthMax = 1000

/** A name pattern: its pieces stand between wildcards. */
type Pattern = ReadonlyArray<string>

/**
 * Reads a search for event names: `*` stands for any text, `+` adds the names of another term and `|` takes away those of
 * one; a backslash makes the next character an ordinary one (contract §8, track-api §6 rule 4). Without a term to add, it
 * begins with all names.
 */
export const nameSearch = (text: string): NameSearch => {
  const added: Array<Pattern> = []
  const subtracted: Array<Pattern> = []
  let target = added
  let pieces: Array<string> = []
  let piece = ""
  const endTerm = () => {
    if (piece !== "" || pieces.length > 0) target.push([...pieces, piece])
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

/** Looks for the pieces in their order, the first at the start and the last at the end. */
const fits = (pattern: Pattern, name: string): boolean => {
  const [first = "", ...rest] = pattern
  const last = rest.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let from = first.length
  for (const piece of rest) {
    const at = name.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return name.length - last.length >= from && name.endsWith(last)
}
