const escaped = (text: string): string => text.replaceAll(/["\\*]/g, String.raw`\$&`)

/** Returns a text as a value in the filter language, where it stands for itself. */
export const filterValue = (text: string): string => `"${escaped(text)}"`

/** Returns a value in the filter language that finds what begins with a text. */
export const filterStart = (text: string): string => `"${escaped(text)}*"`
