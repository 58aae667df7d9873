/** Texts of which a key or a name that is data consists: addresses, numbers, times and telephone numbers. */
const wholeTexts: ReadonlyArray<RegExp> = [
  /@/,
  /^[+-]?\d+(?:[.,]\d+)*$/,
  /^\d{4}-\d{2}-\d{2}/,
  /^\+?[\d\s().-]{7,}$/,
  /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i,
]

/** Parts of which an id consists: many digits in a row, or digits among letters in a long part. */
const idParts: ReadonlyArray<RegExp> = [
  /\d{6,}/,
  /^(?=(?:.*\d){3})[0-9a-f]{10,}$/i,
  /^(?=(?:.*\d){2})(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]{14,}$/,
]

/** The most characters of a key or a name that is not taken for data. */
const nameCharactersMax = 128

/**
 * Returns whether a key of an object, or a name, is more likely an email, a number, a UUID or another id than something that a
 * developer has chosen.
 */
export const looksLikeData = (text: string): boolean =>
  text.length > nameCharactersMax ||
  wholeTexts.some((pattern) => pattern.test(text)) ||
  text.split(/[^A-Za-z0-9]+/).some((part) => idParts.some((pattern) => pattern.test(part)))
