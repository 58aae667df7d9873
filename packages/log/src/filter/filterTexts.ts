import { errorText } from "@inlethq/core/log/ErrorText"

/**
 * The errors of the filter language. `{term}` is the invalid term, and `{position}` is the position of its first
 * character, counted from 1.
 */
export const filterTexts = {
  tooLong: errorText(
    "a filter has at most {max} characters",
    "Use wildcards instead of long lists of values, or send several requests.",
  ),
  unknownKey: errorText(
    "`{term}` at character {position} has an unknown key: expected one of {keys}; put quotes around a text that contains a colon",
    'Correct the key. To search for a text with a colon, write `"order:shipped"`.',
  ),
  unknownValue: errorText(
    "`{term}` at character {position} matches no {key}: expected one of {values}",
    "Correct the value.",
  ),
  missingValue: errorText(
    "`{term}` at character {position} has no value",
    "Add the value, or remove the term.",
  ),
  openQuote: errorText(
    "`{term}` at character {position} has no closing quote",
    'Add the quote. To search for the character itself, write `\\"`.',
  ),
  strayQuote: errorText(
    "`{term}` at character {position} has a quote inside a value",
    'Put the whole value in quotes. To search for the character itself, write `\\"`.',
  ),
  openEscape: errorText(
    "`{term}` at character {position} ends with a backslash",
    "Add the character, or write `\\\\` to search for a backslash.",
  ),
}
