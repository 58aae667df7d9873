/** Returns a text as a value in the filter language, where it stands for itself. */
export const filterValue = (text: string): string => `"${text.replaceAll(/["\\*]/g, String.raw`\$&`)}"`
