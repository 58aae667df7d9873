import { useId, type ComponentProps } from "react"
import { inputStyle } from "../../shared/fields/Field.tsx"

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  /** What can be chosen, in words. */
  readonly options: Readonly<Record<Value, string | { readonly says: string }>>
  readonly onChange: (value: Value) => void
}

const inWords = (option: string | { readonly says: string }): string =>
  typeof option === "string" ? option : option.says

/** One of a few values. */
export const Choice = <Value extends string>({ label, onChange, options, value }: ChoiceProps<Value>) => {
  const id = useId()
  const values = Object.keys(options).filter((option): option is Value => Object.hasOwn(options, option))
  return (
    <div className="min-w-0 flex-1">
      <label className="block text-xs text-muted" htmlFor={id}>
        {label}
      </label>
      <select
        className={inputStyle}
        id={id}
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
    </div>
  )
}

interface TextProps extends Omit<ComponentProps<"input">, "id" | "list"> {
  readonly label: string
  /** Texts that the browser offers while one is typed. Any other text can be typed as well. */
  readonly suggestions?: ReadonlyArray<string> | undefined
}

/** A line of text. */
export const Text = ({ className = "", label, suggestions, ...input }: TextProps) => {
  const id = useId()
  const list = suggestions === undefined ? undefined : `${id}-suggestions`
  return (
    <div className={`min-w-0 ${className}`}>
      <label className="block text-xs text-muted" htmlFor={id}>
        {label}
      </label>
      <input autoComplete="off" className={inputStyle} id={id} list={list} spellCheck={false} {...input} />
      {suggestions === undefined ? null : (
        <datalist id={list}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </div>
  )
}
