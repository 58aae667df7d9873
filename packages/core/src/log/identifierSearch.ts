import type { Sequence } from "../values/Identifier.ts"

/**
 * The shortest identifier that is also looked for inside longer texts. A shorter one, such as `1`, would be found almost
 * everywhere.
 */
const insideCharactersMin = 6

/** The characters that follow in the identifiers that begin alike. */
interface Node {
  readonly next: Map<number, Node>
  /** The log position before which the identifier that ends here is erased, or 0 if none ends here. */
  before: number
}

/**
 * Makes the function that finds erased identifiers in a text that was recorded at a log position, whatever their case.
 * Its cost does not grow with their number: a batch can delete a thousand people, and nothing else is committed while
 * it runs.
 */
export const identifierSearch = (
  erased: ReadonlyMap<string, Sequence>,
): ((text: string, sequence: Sequence) => boolean) => {
  const short = new Map<string, number>()
  const root: Node = { next: new Map(), before: 0 }
  for (const [identifier, before] of erased) {
    const folded = identifier.toLowerCase()
    if (folded.length < insideCharactersMin) {
      short.set(folded, Math.max(before, short.get(folded) ?? 0))
    } else {
      const end = nodeOf(root, folded)
      end.before = Math.max(before, end.before)
    }
  }
  return (text, sequence) => {
    const folded = text.toLowerCase()
    return (
      sequence < (short.get(folded.trim()) ?? 0) || (root.next.size > 0 && isInside(root, folded, sequence))
    )
  }
}

const nodeOf = (root: Node, text: string): Node => {
  let node = root
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    const next: Node = node.next.get(character) ?? { next: new Map(), before: 0 }
    node.next.set(character, next)
    node = next
  }
  return node
}

const isInside = (root: Node, text: string, sequence: Sequence): boolean => {
  for (let start = 0; start <= text.length - insideCharactersMin; start++) {
    let node = root.next.get(text.charCodeAt(start))
    for (let index = start + 1; node !== undefined; index++) {
      if (sequence < node.before) return true
      node = node.next.get(text.charCodeAt(index))
    }
  }
  return false
}
