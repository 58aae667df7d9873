import type { ActivityDocument } from "../../api/documents.ts"

interface ReadOtherwiseProps {
  readonly kept: ActivityDocument["kept_as"]
}

/** The values that an operation read differently than they were sent, as what, and why. */
export const ReadOtherwise = ({ kept: values }: ReadOtherwiseProps) => (
  <ul className="space-y-3 text-sm">
    {values.map(({ cut_from, kept, path, sent, why }, index) => (
      <li key={`${index} ${path}`}>
        <p className="font-mono text-xs break-all">
          <span className="text-faint">{path}</span> {textOf(sent)}
          {cut_from === undefined ? null : (
            <span className="font-sans text-faint"> … cut, {cut_from} bytes</span>
          )}
          <span className="text-faint"> → </span>
          {textOf(kept)}
        </p>
        <p className="break-words">{why}</p>
      </li>
    ))}
  </ul>
)

const textOf = (value: unknown): string =>
  value === null ? "(nothing)" : typeof value === "string" ? value : JSON.stringify(value)
