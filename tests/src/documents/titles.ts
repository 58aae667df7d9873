const title = /(["'`])((?:track-api|pipelines-api|contract|wire-facts) §[^:"'`\n]*?: [^\n]*?)(?<!\\)\1/g

/**
 * Returns the tagged titles in the source of a test file, such as `"track-api §2.1 rule 1: …"`. The tag is the name of
 * a rule.
 */
export const titlesIn = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(title)].map(([, , text = ""]) => text)

/** Returns the tag of a title. The tag is the name of a rule, such as `track-api §2.1 rule 1`. */
export const tagOf = (text: string): string => text.slice(0, text.indexOf(": "))
