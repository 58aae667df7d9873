import type { ReactNode } from "react"

/** Shows the Markdown of rules: paragraphs, lists, tables, code, bold, emphasis. Links are shown as text. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <div className="space-y-2 text-sm text-muted">
    {text.split(/\n{2,}/).map((block, index) => (
      <Block key={index} text={block} />
    ))}
  </div>
)

/** Shows a text in which only code is marked. It may contain values of people, whose stars and brackets stay as they are. */
export const CodeText = ({ text }: { readonly text: string }) =>
  text.split(/(`[^`]+`)/).map((part, index) => (index % 2 === 1 ? code(part, index) : part))

const code = (marked: string, index: number): ReactNode => (
  <code className="rounded-sm bg-hover px-1 font-mono text-xs break-words text-ink" key={index}>
    {marked.slice(1, -1)}
  </code>
)

const Block = ({ text }: { readonly text: string }) => {
  const lines = text.split("\n").map((line) => line.trim())
  if (lines[0]?.startsWith("|") === true) return <Table lines={lines} />
  if (lines[0]?.startsWith("- ") === true) {
    return (
      <ul className="list-disc space-y-1 pl-4">
        {lines.map((line, index) => (
          <li key={index}>{inline(line.replace(/^- /, ""))}</li>
        ))}
      </ul>
    )
  }
  return <p>{inline(lines.join(" "))}</p>
}

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim())

const Table = ({ lines }: { readonly lines: ReadonlyArray<string> }) => {
  const [head = "", , ...rows] = lines
  return (
    <div className="overflow-x-auto" role="region" aria-label="Table of the rule" tabIndex={0}>
      <table className="w-full text-left text-xs">
        <thead>
          <tr>
            {cellsOf(head).map((cell, index) => (
              <th className="border-b border-line py-1 pr-3 font-medium" key={index}>
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {cellsOf(row).map((cell, column) => (
                <td className="border-b border-line py-1 pr-3 align-top" key={column}>
                  {inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const inline = (text: string): ReadonlyArray<ReactNode> =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]*\))/).map((part, index) => {
    if (part.startsWith("`")) return code(part, index)
    if (part.startsWith("**")) return <strong key={index}>{part.slice(2, -2)}</strong>
    if (part.startsWith("*") && part.length > 2) return <em key={index}>{part.slice(1, -1)}</em>
    if (part.startsWith("[")) return part.replace(/^\[([^\]]+)\].*$/, "$1")
    return part
  })
