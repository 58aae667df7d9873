import type { ComponentProps } from "react"
import { boxStyle } from "../../shared/fields/Field.tsx"
import { durationParts, durationUnits, keysOf } from "./rowValues.ts"

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  /** What can be chosen, in words. */
  readonly options: Readonly<Record<Value, string | { readonly says: string }>>
  /** The keys of the options that are offered, if not all are. */
  readonly only?: ReadonlyArray<Value>
  readonly onChange: (value: Value) => void
  readonly className?: string
}

const inWords = (option: string | { readonly says: string }): string =>
  typeof option === "string" ? option : option.says

/** One of a few values, inside a sentence. */
export const Choice = <Value extends string>({
  className = "w-auto",
  label,
  onChange,
  only,
  options,
  value,
}: ChoiceProps<Value>) => {
  const values = only ?? keysOf(options)
  return (
    <select
      aria-label={label}
      className={`${boxStyle} max-w-full ${className}`}
      onChange={(event) => {
        const chosen = values.find((option) => option === event.target.value)
        if (chosen !== undefined) onChange(chosen)
      }}
      value={value}
    >
      {values.map((option) => (
        <option key={option} value={option}>
          {inWords(options[option])}
        </option>
      ))}
    </select>
  )
}

interface TextProps extends Omit<ComponentProps<"input">, "onChange"> {
  readonly label: string
  readonly onChange: (text: string) => void
}

/** A line of text, inside a sentence. */
export const Text = ({ className = "w-40", label, onChange, ...input }: TextProps) => (
  <input
    aria-label={label}
    autoComplete="off"
    className={`${boxStyle} max-w-full ${className}`}
    onChange={(event) => onChange(event.target.value)}
    onKeyDown={keepInRow}
    spellCheck={false}
    {...input}
  />
)

/** Enter in a row does not save the rule that the row is a part of. */
export const keepInRow: NonNullable<ComponentProps<"input">["onKeyDown"]> = (event) => {
  if (event.key === "Enter") event.preventDefault()
}

interface DurationProps {
  readonly label: string
  /** A number and the letter of a unit, such as `30d`. */
  readonly value: string
  readonly onChange: (duration: string) => void
}

/** A number and a unit. */
export const Duration = ({ label, onChange, value }: DurationProps) => {
  const [number, unit] = durationParts(value)
  return (
    <span className="flex gap-1">
      <Text
        className="w-16"
        inputMode="numeric"
        label={label}
        onChange={(text) => onChange(`${text.trim()}${unit}`)}
        placeholder="30"
        value={number}
      />
      <Choice
        label={`${label}: unit`}
        onChange={(chosen) => onChange(`${number}${chosen}`)}
        options={durationUnits}
        value={unit}
      />
    </span>
  )
}

interface CheckProps {
  readonly says: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly className?: string
}

/** What a row asks besides its sentence. */
export const Check = ({ className = "", isChecked, onChange, says }: CheckProps) => (
  <label className={`flex items-center gap-1.5 text-xs text-muted pointer-coarse:min-h-11 ${className}`}>
    <input
      checked={isChecked}
      className="size-4 shrink-0 accent-(--accent)"
      onChange={(event) => onChange(event.target.checked)}
      type="checkbox"
    />
    {says}
  </label>
)
