import { errorText } from "@inlet/core/log/ErrorText"

const seen = "management API, activity: 400, with the prefix `filter: `"

/**
 * The errors of the filter language. `{term}` is the invalid term, and `{position}` is the position of its first
 * character, counted from 1.
 */
export const filterTexts = {
  tooLong: errorText("a filter has at most {max} characters", {
    seen,
    expected: "a filter within the limit",
    remedy: "Use wildcards instead of long lists of values, or send several requests.",
  }),
  unknownKey: errorText(
    "`{term}` at character {position} has an unknown key: expected one of {keys}; put quotes around a text that contains a colon",
    {
      seen,
      expected: "a term such as `outcome:dropped`, or a word without a colon",
      remedy: 'Correct the key. To search for a text with a colon, write `"order:shipped"`.',
    },
  ),
  unknownValue: errorText("`{term}` at character {position} matches no {key}: expected one of {values}", {
    seen,
    expected: "one of the values that the message lists, or a pattern that matches one of them",
    remedy: "Correct the value.",
  }),
  missingValue: errorText("`{term}` at character {position} has no value", {
    seen,
    expected: "a value after the colon, the comma or the minus sign",
    remedy: "Add the value, or remove the term.",
  }),
  openQuote: errorText("`{term}` at character {position} has no closing quote", {
    seen,
    expected: "a quote at the end of the value",
    remedy: 'Add the quote. To search for the character itself, write `\\"`.',
  }),
  strayQuote: errorText("`{term}` at character {position} has a quote inside a value", {
    seen,
    expected: "quotes around the whole value",
    remedy: 'Put the whole value in quotes. To search for the character itself, write `\\"`.',
  }),
  openEscape: errorText("`{term}` at character {position} ends with a backslash", {
    seen,
    expected: "the character that the backslash escapes",
    remedy: "Add the character, or write `\\\\` to search for a backslash.",
  }),
}
