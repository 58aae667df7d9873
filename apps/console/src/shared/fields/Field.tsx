import { useId, type ComponentProps, type ReactNode } from "react"

interface FieldProps extends Omit<ComponentProps<"input">, "id"> {
  readonly label: string
  /** Explains what the value does, and what it does not do. */
  readonly help?: ReactNode
  /** Explains what is wrong with the value, and what is expected. */
  readonly error?: string | undefined
}

/** The look of a field, without its width. */
export const boxStyle =
  "h-8 rounded-md border border-line-strong bg-raised px-2 text-sm disabled:cursor-not-allowed disabled:border-line disabled:text-muted pointer-coarse:h-11 pointer-coarse:text-base"

export const inputStyle = `${boxStyle} w-full`

/** A text field with its label, help and error. */
export const Field = ({ className = "", error, help, label, ...input }: FieldProps) => {
  const id = useId()
  const describedBy = [help === undefined ? "" : `${id}-help`, error === undefined ? "" : `${id}-error`]
    .filter((part) => part !== "")
    .join(" ")
  return (
    <div className="space-y-1">
      <label className="block text-sm font-medium" htmlFor={id}>
        {label}
      </label>
      <input
        aria-describedby={describedBy === "" ? undefined : describedBy}
        aria-invalid={error !== undefined}
        className={`${inputStyle} ${className}`}
        id={id}
        {...input}
      />
      {help === undefined ? null : (
        <p className="text-xs text-muted" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error === undefined ? null : (
        <p className="text-xs text-red" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
