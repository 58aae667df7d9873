import { CopyButton } from "./Button.tsx"

interface CodeProps {
  readonly text: string
  /** The name of the text, such as "curl command". */
  readonly label: string
}

/** A block of code with a button that copies it. */
export const Code = ({ label, text }: CodeProps) => (
  <div className="relative rounded-md border border-line bg-surface">
    <pre aria-label={label} className="overflow-x-auto p-3 pr-24 font-mono text-xs leading-5" tabIndex={0}>
      {text}
    </pre>
    <div className="absolute top-1.5 right-1.5">
      <CopyButton label="Copy" text={text} />
    </div>
  </div>
)
