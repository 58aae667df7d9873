import { CliOutput } from "effect/cli"

/** The control characters, line separators and marks of text direction that can hide or forge output on a terminal. */
// oxlint-disable-next-line no-control-regex -- control characters are what is replaced
export const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * Replaces each control character of a stored text by `�`. Clients choose these texts, and control characters could move the
 * cursor or hide other output.
 */
export const printable = (text: string): string => text.replaceAll(unprintable, "�")

/** Puts a text of several lines, such as what a receiver answered, on one. */
export const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const ellipsis = "…"

/** Cuts a text to a width in terminal cells. A text that was cut ends with an ellipsis. */
export const clip = (text: string, width: number): string => {
  if (CliOutput.displayWidth(text) <= width) return text
  let shown = ""
  let left = width - 1
  for (const { segment } of graphemes.segment(text)) {
    left -= CliOutput.displayWidth(segment)
    if (left < 0) break
    shown += segment
  }
  return width > 0 ? shown + ellipsis : ""
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Cuts a text, or pads it with spaces, to exactly `width` terminal cells. */
export const fit = (text: string, width: number): string => {
  const clipped = clip(text, width)
  return clipped + " ".repeat(Math.max(0, width - CliOutput.displayWidth(clipped)))
}

/** Returns a number with separators between groups of three digits. */
export const count = (n: number): string => n.toLocaleString("en-US")

/** Returns a JSON value as one short line. Strings are shown without quotes, other values as JSON. */
export const valueText = (value: unknown): string =>
  printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

/** Returns a number and a noun, such as `1 person` and `2 people`. */
export const counted = (n: number, one: string, many: string): string => `${count(n)} ${n === 1 ? one : many}`

const sizeUnits = ["bytes", "KB", "MB", "GB", "TB"]

/** Returns a number of bytes with at most one decimal, such as `1.5 MB`. */
export const sizeText = (bytes: number): string => {
  const power = Math.min(sizeUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  return `${Number((bytes / 1000 ** power).toFixed(1))} ${sizeUnits[power]}`
}
