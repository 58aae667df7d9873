/** A fenced block of a guide. */
export interface GuideBlock {
  /** The line number of the fence in the guide. */
  readonly line: number
  /** The words after the fence, such as `sh` or `ts test`. Empty if nothing follows the fence. */
  readonly info: string
  readonly text: string
}

/** Returns the fenced blocks of a Markdown text. Throws if a block has no end. */
export const guideBlocks = (markdown: string): ReadonlyArray<GuideBlock> => {
  const blocks: Array<GuideBlock> = []
  let open: { readonly line: number; readonly info: string; readonly lines: Array<string> } | undefined
  for (const [at, line] of markdown.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(line)?.[1]
    if (fence === undefined) open?.lines.push(line)
    else if (open === undefined) open = { line: at + 1, info: fence.trim(), lines: [] }
    else {
      blocks.push({ line: open.line, info: open.info, text: `${open.lines.join("\n")}\n` })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`the block in line ${open.line} has no end`)
  return blocks
}
