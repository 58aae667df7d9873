/** What is wrong with a rule. */
export interface RuleFault {
  /** Where in the rule, as a JSON pointer such as `/and/1/event/within`. Empty for the rule as a whole. */
  readonly path: string
  readonly message: string
}

/**
 * Returns the word that somebody who wrote `word` probably meant, or undefined if none is close. `otherNames` are words
 * of other languages for the same things, such as `>` for `gt`.
 */
export const nearest = (
  word: string,
  words: ReadonlyArray<string>,
  otherNames: Readonly<Record<string, string>> = {},
): string | undefined => {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")
  const named = Object.hasOwn(otherNames, plain) ? otherNames[plain] : undefined
  if (named !== undefined && words.includes(named)) return named
  if (plain.length > wordCharactersMax) return undefined
  const begun = plain.length < 3 ? [] : words.filter((candidate) => candidate.startsWith(plain))
  if (begun.length === 1) return begun[0]
  let best: string | undefined
  let least = Math.max(1, Math.floor(plain.length / 3)) + 1
  for (const candidate of words) {
    const edits = editsBetween(plain, candidate)
    if (edits >= least) continue
    best = candidate
    least = edits
  }
  return best
}

/** Longer words are not compared. */
const wordCharactersMax = 40

/**
 * Returns the number of characters to insert, remove, replace or swap with the next to turn one word into the other
 * (optimal string alignment).
 */
const editsBetween = (one: string, other: string): number => {
  let twoAbove: ReadonlyArray<number> = []
  let above = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwapped ? (twoAbove[j - 2] ?? 0) + 1 : replaced
      row.push(Math.min(replaced, swapped, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    twoAbove = above
    above = row
  }
  return above[other.length] ?? 0
}
