const plain = /^[!-~]*$/

/** Matches white space, and zero-width characters that JavaScript does not count as such. */
const invisible = /[\s\u180E\u200B-\u200F\u2060-\u2064]/
const unreadable = /[\s\u180E\u200B-\u200F\u2060-\u2064\uFFFD]/

/**
 * Returns a text without white space, no-break spaces and zero-width characters at its ends. A pattern for the end of a text
 * would take quadratic time on one that is full of spaces.
 */
export const trimInvisible = (text: string): string => {
  if (plain.test(text)) return text
  let start = 0
  let end = text.length
  while (start < end && invisible.test(text.charAt(start))) start++
  while (end > start && invisible.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Returns whether a text has white space, a zero-width character, or U+FFFD in the place of what could not be read. */
export const hasInvisible = (text: string): boolean => !plain.test(text) && unreadable.test(text)
