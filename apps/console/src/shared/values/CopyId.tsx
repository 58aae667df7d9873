import { useCopying } from "../buttons/copying.ts"
import { Icon } from "../buttons/Icon.tsx"

interface CopyIdProps {
  readonly id: string
  /** The name of the value, such as "operation id". */
  readonly label: string
}

/** An identifier that is copied by a click. A long identifier ends in an ellipsis and is shown completely on hover. */
export const CopyId = ({ id, label }: CopyIdProps) => {
  const [isCopied, copy] = useCopying(id)
  return (
    <button
      aria-label={`Copy ${label} ${id}`}
      className="group -mx-1 inline-flex max-w-full min-w-0 items-center gap-1 rounded-sm px-1 text-left font-mono text-xs hover:bg-hover pointer-coarse:min-h-11 pointer-coarse:min-w-11"
      onClick={(event) => {
        event.stopPropagation()
        copy()
      }}
      title={id}
      type="button"
    >
      <span className="truncate">{id}</span>
      <Icon
        className={`size-3 ${isCopied ? "text-green" : "text-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-100"}`}
        name={isCopied ? "check" : "copy"}
      />
      <span aria-live="polite" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </button>
  )
}
