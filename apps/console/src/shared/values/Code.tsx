import { CopyIconButton } from "../buttons/Button.tsx"

interface CodeProps {
  readonly text: string
  /** The name of the code, such as "curl command". */
  readonly label: string
}

/** A block of code with a button that copies it. A single long line is shown in full, on several lines. */
export const Code = ({ label, text }: CodeProps) => (
  <div className="flex items-start rounded-md border border-line bg-surface">
    <pre
      aria-label={label}
      className={`min-w-0 flex-1 overflow-x-auto p-3 font-mono text-xs leading-5 ${text.includes("\n") ? "" : "break-words whitespace-pre-wrap"}`}
      tabIndex={0}
    >
      {text}
    </pre>
    <div className="p-1">
      <CopyIconButton label={`Copy: ${label}`} text={text} />
    </div>
  </div>
)
