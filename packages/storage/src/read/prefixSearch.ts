/**
 * If at most this many ids, emails and names each match a prefix, a search reads all of them and sorts
 * them.
 */
export const prefixMatchesMax = 1000

/**
 * If more than `prefixMatchesMax` identifiers of a kind match a prefix, a search first checks at most this many people,
 * in the order of their keys. The search reads all matching identifiers only if too few of these people match.
 */
export const walkedPeopleMax = 2000

/** Returns the smallest text that is greater than every text with a prefix. Stores compare texts by code points. */
export const afterPrefix = (prefix: string): string => {
  const points = Array.from(prefix)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0
    if (point < 0x10ffff) {
      const isBeforeSurrogates = point === 0xd7ff
      return points.join("") + String.fromCodePoint(isBeforeSurrogates ? 0xe000 : point + 1)
    }
  }
  return "\u{10FFFF}"
}
