import { Autocomplete } from "@base-ui/react/autocomplete"
import { useEffect, useRef, useState, type RefObject } from "react"
import { IconButton } from "../buttons/Button.tsx"
import { Icon } from "../buttons/Icon.tsx"
import { useShortcut } from "../fields/shortcuts.ts"
import { complete, completionsAt, termAtCaret, type Completion } from "./completion.ts"
import type { QueryLanguage } from "./QueryLanguage.ts"

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
 * often they do. The key `/` focuses the field.
 */
export const QueryLine = (props: QueryLineProps) => {
  const { label = "Filter", placeholder } = props
  const line = useQueryLine(props)
  useShortcut("/", label, () => line.input.current?.focus())
  return (
    <div className="relative">
      <Icon
        className="pointer-events-none absolute top-2 left-2 text-faint pointer-coarse:top-3.5"
        name="search"
      />
      <Autocomplete.Root
        itemToStringValue={({ text }: Completion) => text}
        items={line.completions}
        mode="none"
        onItemHighlighted={line.onHighlighted}
        onOpenChange={line.onOpenChange}
        onValueChange={line.onValueChange}
        open={line.completions.length > 0}
        value={line.text}
      >
        <Autocomplete.Input
          aria-label={label}
          autoCapitalize="off"
          className="h-8 w-full rounded-md border border-line-strong bg-raised pr-8 pl-8 font-mono text-xs placeholder:font-sans placeholder:text-sm pointer-coarse:h-11 pointer-coarse:pr-11 pointer-coarse:text-base"
          maxLength={1000}
          onFocus={line.suggest}
          onKeyDown={line.onKeyDown}
          placeholder={placeholder}
          ref={line.input}
          spellCheck={false}
        />
        <Completions onChoose={line.choose} />
      </Autocomplete.Root>
      {line.text === "" ? null : (
        <IconButton
          className="absolute top-0 right-0"
          icon="close"
          label="Clear the filter"
          onClick={line.clear}
        />
      )}
    </div>
  )
}

interface CompletionsProps {
  readonly onChoose: (completion: Completion) => void
}

const Completions = ({ onChoose }: CompletionsProps) => (
  <Autocomplete.Portal>
    <Autocomplete.Positioner align="start" className="z-30" sideOffset={4}>
      <Autocomplete.Popup className="max-h-72 w-[min(448px,calc(100vw-32px))] overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-lg">
        <Autocomplete.List aria-label="Completions">
          {(completion: Completion) => (
            <Autocomplete.Item
              className="flex h-7 cursor-pointer items-center gap-3 px-3 data-highlighted:bg-selected pointer-coarse:h-11"
              key={completion.text}
              onClick={() => onChoose(completion)}
              value={completion}
            >
              <span className="shrink-0 font-mono text-xs">{completion.text}</span>
              <span className="ml-auto truncate text-xs text-muted">{completion.hint}</span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Popup>
    </Autocomplete.Positioner>
  </Autocomplete.Portal>
)

type RootProps = Autocomplete.Root.Props<Completion>
type InputProps = Autocomplete.Input.Props

const useQueryLine = ({ isImmediate = false, language, onQuery, query }: QueryLineProps) => {
  const input = useRef<HTMLInputElement>(null)
  const { caret, setText, submitted, text } = useQueryText(query, input)
  const highlighted = useRef<Completion>(undefined)
  const { completions, offer, setCompletions } = useCompletions(language)
  useImmediately(isImmediate && text.trim() !== submitted.current, text, (typed) => {
    submitted.current = typed
    onQuery(typed)
  })

  const close = (): void => {
    // The combobox says only after a render that nothing is highlighted, and Enter may be pressed before.
    highlighted.current = undefined
    setCompletions([])
  }
  const submit = (typed: string): void => {
    close()
    submitted.current = typed.trim()
    setText(submitted.current)
    onQuery(submitted.current)
  }
  const take = (completion: Completion): string => {
    const [completed, at] = complete(text, completion)
    caret.current = at
    setText(completed)
    if (completion.text.endsWith(":")) offer(completed, at)
    else close()
    return completed
  }
  /** Takes a completion, and asks for what it completes unless that is only a key. */
  const choose = (completion: Completion): void => {
    const completed = take(completion)
    if (!completion.text.endsWith(":")) submit(completed)
  }
  const clear = (): void => {
    setText("")
    submit("")
    input.current?.focus()
  }
  const onKeyDown: InputProps["onKeyDown"] = (event) => {
    const chosen = highlighted.current
    if (event.key === "Tab" && chosen !== undefined) take(chosen)
    else if (event.key === "Enter" && chosen === undefined) submit(text)
    else if (event.key === "Escape" && completions.length > 0) close()
    else if (event.key === "Escape") input.current?.blur()
    else if (!isPastEnd(event.key, chosen, completions)) return
    event.preventDefault()
    event.preventBaseUIHandler()
  }
  const onValueChange: RootProps["onValueChange"] = (typed, { reason }) => {
    if (reason !== "input-change") return
    setText(typed)
    offer(typed, input.current?.selectionStart ?? typed.length)
  }
  const onHighlighted: RootProps["onItemHighlighted"] = (completion) => {
    highlighted.current = completion
  }
  const onOpenChange: RootProps["onOpenChange"] = (isOpen, { reason }) => {
    // A chosen key such as `kind:` stays open with its values, and an emptied field with examples.
    if (!isOpen && reason !== "item-press" && reason !== "input-clear") close()
  }
  return {
    input,
    text,
    completions,
    choose,
    clear,
    suggest: () => offer(text, input.current?.selectionStart ?? text.length),
    onKeyDown,
    onValueChange,
    onHighlighted,
    onOpenChange,
  }
}

/** The arrow keys stop at the ends of the list, so that Enter never submits what was meant to be completed. */
const isPastEnd = (
  key: string,
  chosen: Completion | undefined,
  completions: ReadonlyArray<Completion>,
): boolean =>
  chosen === undefined ? key === "ArrowUp" : key === "ArrowDown" && chosen === completions.at(-1)

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

/** The completions of what is typed: at once what is known, and then what the language reads. */
const useCompletions = (language: QueryLanguage) => {
  const [completions, setCompletions] = useState<ReadonlyArray<Completion>>([])
  const asked = useRef<string>(undefined)
  const offer = (text: string, at: number): void => {
    const wanted = `${at} ${text}`
    asked.current = wanted
    setCompletions(completionsAt(text, at, language))
    const { key, typed } = termAtCaret(text, at)
    if (key === undefined || language.load === undefined) return
    // Without the values that exist, those that are known anyway are still offered.
    void language.load(key, typed).then(
      () => (asked.current === wanted ? setCompletions(completionsAt(text, at, language)) : undefined),
      () => undefined,
    )
  }
  const replace = (found: ReadonlyArray<Completion>): void => {
    asked.current = undefined
    setCompletions(found)
  }
  return { completions, offer, setCompletions: replace }
}
