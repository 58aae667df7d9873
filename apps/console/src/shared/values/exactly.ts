/** Returns a value of the filter language that matches a text exactly. */
export const exactly = (text: string): string => `"${text.replaceAll(/["\\*]/g, String.raw`\$&`)}"`
