import type { ReactNode } from "react"

interface CheckFieldProps {
  readonly label: string
  readonly help?: ReactNode
  readonly checked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** A setting that is on or off, with an explanation. */
export const CheckField = ({ checked, help, label, onChange }: CheckFieldProps) => (
  <label className="flex cursor-pointer items-start gap-2 text-sm pointer-coarse:min-h-11 pointer-coarse:py-3">
    <input
      checked={checked}
      className="mt-0.5 size-4 shrink-0 accent-(--accent)"
      onChange={(event) => onChange(event.target.checked)}
      type="checkbox"
    />
    <span className="min-w-0">
      {label}
      {help === undefined ? null : <span className="block text-xs text-muted">{help}</span>}
    </span>
  </label>
)
