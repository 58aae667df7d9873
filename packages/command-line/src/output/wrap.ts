import { CliOutput } from "effect/cli"

/** Breaks a text into lines of at most `width` terminal cells. A word wider than `width` gets a line of its own. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line !== "" && CliOutput.displayWidth(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}
