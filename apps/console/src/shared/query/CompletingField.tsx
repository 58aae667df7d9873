import { Autocomplete } from "@base-ui/react/autocomplete"
import { useEffect, useRef, useState } from "react"
import { queryInput, useFocusKept, type QueryFieldProps } from "./queryField.ts"
import { complete, completionsAt, termAtCaret, type Completion } from "./completion.ts"
import type { QueryLanguage } from "./QueryLanguage.ts"

/** The field of a query line with its completions. */
export const CompletingField = (props: QueryFieldProps) => {
  const line = useCompleting(props)
  useFocusKept(props)
  return (
    <Autocomplete.Root
      itemToStringValue={({ text }: Completion) => text}
      items={line.completions}
      mode="none"
      onItemHighlighted={line.onHighlighted}
      onOpenChange={line.onOpenChange}
      onValueChange={line.onValueChange}
      open={line.completions.length > 0}
      value={props.text}
    >
      <Autocomplete.Input
        {...queryInput}
        aria-label={props.label}
        onFocus={line.suggest}
        onKeyDown={line.onKeyDown}
        placeholder={props.placeholder}
        ref={props.input}
      />
      <Completions onChoose={line.choose} />
    </Autocomplete.Root>
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

const useCompleting = ({ caret, input, language, onSubmit, setText, text }: QueryFieldProps) => {
  const highlighted = useRef<Completion>(undefined)
  const { completions, offer, setCompletions } = useCompletions(language, input)

  const close = (): void => {
    // The combobox says only after a render that nothing is highlighted, and Enter may be pressed before.
    highlighted.current = undefined
    setCompletions([])
  }
  const submit = (typed: string): void => {
    close()
    onSubmit(typed)
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
    completions,
    choose,
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

/** What was asked last: a text with its caret. */
interface Asked {
  readonly text: string
  readonly at: number
}

/** The completions of what is typed: at once what is known, and then what the language reads. */
const useCompletions = (language: QueryLanguage, input: QueryFieldProps["input"]) => {
  const [completions, setCompletions] = useState<ReadonlyArray<Completion>>([])
  const asked = useRef<Asked>(undefined)
  const isOffering = completions.length > 0
  useEffect(() => {
    // The rows whose values complete a query may arrive after it was typed.
    if (isOffering || asked.current === undefined || document.activeElement !== input.current) return
    const found = completionsAt(asked.current.text, asked.current.at, language)
    if (found.length > 0) setCompletions(found)
  }, [input, isOffering, language])
  const offer = (text: string, at: number): void => {
    const wanted = { text, at }
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
