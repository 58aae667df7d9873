import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react"
import { IconButton } from "../buttons/Button.tsx"
import { Icon } from "../buttons/Icon.tsx"
import { later } from "../dialogs/lazily.tsx"
import { useShortcut } from "../fields/shortcuts.ts"
import { queryInput, useFocusKept, type Caret, type QueryFieldProps } from "./queryField.ts"
import type { QueryLanguage } from "./QueryLanguage.ts"

const completing = later(async () => (await import("./CompletingField.tsx")).CompletingField)

interface QueryLineProps {
  readonly query: string
  readonly language: QueryLanguage
  /** Called with the query when the operator presses Enter, completes a value or clears the field. */
  readonly onQuery: (query: string) => void
  /** The name of the field. */
  readonly label?: string
  /** True if the query is also asked while it is typed, after a short pause. */
  readonly isImmediate?: boolean
  readonly placeholder: string
}

/** The pause in typing, in milliseconds, after which a query is asked. */
const askAfterMs = 200

/**
 * A text field for a query in the filter language (docs/filters.md), which completes keys, and values that exist with how
 * often they do. The key `/` focuses the field. It takes queries before the script for completions has arrived.
 */
export const QueryLine = (props: QueryLineProps) => {
  const { isImmediate = false, label = "Filter", language, onQuery, placeholder, query } = props
  const input = useRef<HTMLInputElement>(null)
  const kept = useRef<Caret>(null)
  const { caret, setText, submitted, text } = useQueryText(query, input)
  const Field = completing.usePart() ?? PlainField
  const onSubmit = (typed: string): void => {
    submitted.current = typed.trim()
    setText(submitted.current)
    onQuery(submitted.current)
  }
  const clear = (): void => {
    onSubmit("")
    input.current?.focus()
  }
  useImmediately(isImmediate && text.trim() !== submitted.current, text, (typed) => {
    submitted.current = typed
    onQuery(typed)
  })
  useShortcut("/", label, () => input.current?.focus())
  return (
    <div className="relative">
      <Icon
        className="pointer-events-none absolute top-2 left-2 text-faint pointer-coarse:top-3.5"
        name="search"
      />
      <Field {...{ caret, input, kept, label, language, onSubmit, placeholder, setText, text }} />
      {text === "" ? null : (
        <IconButton
          className="absolute top-0 right-0"
          icon="close"
          label="Clear the filter"
          onClick={clear}
        />
      )}
    </div>
  )
}

/** The field until the one with completions has arrived, which comes sooner if the operator wants to type. */
const PlainField = (props: QueryFieldProps) => {
  const { input, label, onSubmit, placeholder, setText, text } = props
  useFocusKept(props)
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === "Enter") onSubmit(text)
    else if (key === "Escape") input.current?.blur()
  }
  return (
    <input
      {...queryInput}
      aria-label={label}
      onChange={({ target }) => setText(target.value)}
      onFocus={completing.load}
      onKeyDown={onKeyDown}
      placeholder={placeholder}
      ref={input}
      value={text}
    />
  )
}

/** What is typed, the query that was asked last, and where the caret goes once the text is shown. */
const useQueryText = (query: string, input: RefObject<HTMLInputElement | null>) => {
  const [text, setText] = useState(query)
  const submitted = useRef(query)
  const caret = useRef<number>(undefined)
  useEffect(() => {
    // What was typed since the query was submitted stays.
    if (query !== submitted.current) setText(query)
    submitted.current = query
  }, [query])
  useEffect(() => {
    if (caret.current === undefined) return
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [input, text])
  return { text, setText, submitted, caret }
}

/** Asks what is typed after a pause in typing. */
const useImmediately = (isWanted: boolean, text: string, onQuery: (query: string) => void): void => {
  const latest = useRef(onQuery)
  useEffect(() => {
    latest.current = onQuery
  })
  useEffect(() => {
    // A key without a value asks for nothing yet.
    if (!isWanted || text.endsWith(":")) return
    const timer = setTimeout(() => latest.current(text.trim()), askAfterMs)
    return () => clearTimeout(timer)
  }, [isWanted, text])
}
