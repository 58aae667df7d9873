import type { Json } from "./Json.ts"

/** Returns true for `true`, 1, "1" and "true" in any case, and false for anything else (contract §6). */
export const isTrue = (value: Json | undefined): boolean => {
  if (typeof value === "string") return value === "1" || value.toLowerCase() === "true"
  return value === true || value === 1
}

const flagText = /^(?:true|false|1|0)$/i

/** Returns whether a text says true or false in a way that everybody would read alike. */
export const isFlagText = (text: string): boolean => flagText.test(text)
