const title = /(["'`])((?:track-api|pipelines-api|contract|wire-facts) §[^:"'`\n]*?: [^\n]*?)(?<!\\)\1/g

/** Returns the titles in a test's source that begin with a rule: texts such as `"track-api §2.1 rule 1: …"`. */
export const titlesIn = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(title)].map(([, , text = ""]) => text)

/** Returns the rule that a title begins with. */
export const tagOf = (text: string): string => text.slice(0, text.indexOf(": "))
