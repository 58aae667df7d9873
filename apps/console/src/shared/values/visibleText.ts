/**
 * Characters that reverse the text after them, until another character ends their effect: embeddings, overrides and
 * isolates (UAX #9). The CSS property `unicode-bidi: isolate` does not confine the effect if two
 * of these characters follow each other.
 */
const directionControls = /[\u202A-\u202E\u2066-\u2069]/g

/** Replaces each character that reverses the text after it by an escape, such as `\u202e`. */
export const visibleText = (text: string): string =>
  text.replaceAll(directionControls, (control) => `\\u${control.charCodeAt(0).toString(16)}`)
