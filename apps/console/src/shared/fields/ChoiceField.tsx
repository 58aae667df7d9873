import { useId, type ReactNode } from "react"

export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly help?: ReactNode
}

interface ChoiceFieldProps<Value extends string> {
  readonly label: string
  readonly choices: ReadonlyArray<Choice<Value>>
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A group of radio buttons with an explanation for each choice. */
export const ChoiceField = <Value extends string>({
  choices,
  label,
  onChange,
  value,
}: ChoiceFieldProps<Value>) => {
  const name = useId()
  return (
    <fieldset className="space-y-2">
      <legend className="pb-1 text-sm font-medium">{label}</legend>
      {choices.map((choice) => (
        <label
          className="flex cursor-pointer items-start gap-2 text-sm pointer-coarse:min-h-11 pointer-coarse:py-3"
          key={choice.value}
        >
          <input
            checked={choice.value === value}
            className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            name={name}
            onChange={() => onChange(choice.value)}
            type="radio"
            value={choice.value}
          />
          <span className="min-w-0">
            {choice.label}
            {choice.help === undefined ? null : (
              <span className="block text-xs text-muted">{choice.help}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
