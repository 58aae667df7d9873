import { Autocomplete } from "@base-ui/react/autocomplete"
import { useEffect, useId, useRef, useState } from "react"
import { IconButton } from "../buttons/Button.tsx"
import { complete, completionsAt, type Completion } from "./filterCompletion.ts"
import { Icon } from "../buttons/Icon.tsx"
import { useShortcut } from "./shortcuts.ts"

interface FilterLineProps {
  readonly filter: string
  /** Called with the filter when the operator presses Enter or clears the field. */
  readonly onFilter: (filter: string) => void
  /** The error of the filter, as the server reported it. */
  readonly problem?: string | undefined
}

/**
 * A text field for the filter language of the activity log (docs/filters.md), with completion. The key `/` focuses the
 * field.
 */
export const FilterLine = ({ filter, onFilter, problem }: FilterLineProps) => {
  const id = useId()
  const line = useFilterLine(filter, onFilter)
  useShortcut("/", "Filter", () => line.input.current?.focus())
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
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          aria-invalid={problem !== undefined}
          aria-label="Filter"
          autoCapitalize="off"
          className="h-8 w-full rounded-md border border-line-strong bg-raised pr-8 pl-8 font-mono text-xs placeholder:font-sans placeholder:text-sm pointer-coarse:h-11 pointer-coarse:pr-11 pointer-coarse:text-base"
          maxLength={1000}
          onFocus={line.suggest}
          onKeyDown={line.onKeyDown}
          placeholder="Filter, such as kind:event -outcome:applied"
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
      {problem === undefined ? null : (
        <p className="pt-1 text-xs text-red" id={`${id}-problem`} role="alert">
          {problem}
        </p>
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

const useFilterLine = (filter: string, onFilter: (filter: string) => void) => {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(filter)
  const [completions, setCompletions] = useState<ReadonlyArray<Completion>>([])
  const highlighted = useRef<Completion>(undefined)
  const caret = useRef<number>(undefined)
  useEffect(() => setText(filter), [filter])
  useEffect(() => {
    if (caret.current === undefined) return
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [text])

  const close = (): void => {
    // The combobox says only after a render that nothing is highlighted, and Enter may be pressed before.
    highlighted.current = undefined
    setCompletions([])
  }
  const choose = (completion: Completion): void => {
    const [completed, at] = complete(text, completion)
    caret.current = at
    setText(completed)
    if (completed.endsWith(":")) setCompletions(completionsAt(completed, at))
    else close()
  }
  const submit = (submitted: string): void => {
    close()
    onFilter(submitted.trim())
  }
  const clear = (): void => {
    setText("")
    submit("")
    input.current?.focus()
  }
  /** The arrow keys stop at the ends of the list, so that Enter never submits what was meant to be completed. */
  const isPastEnd = (key: string, chosen: Completion | undefined): boolean =>
    chosen === undefined ? key === "ArrowUp" : key === "ArrowDown" && chosen === completions.at(-1)
  const onKeyDown: InputProps["onKeyDown"] = (event) => {
    const chosen = highlighted.current
    if (event.key === "Tab" && chosen !== undefined) choose(chosen)
    else if (event.key === "Enter" && chosen === undefined) submit(text)
    else if (event.key === "Escape" && completions.length > 0) close()
    else if (event.key === "Escape") input.current?.blur()
    else if (!isPastEnd(event.key, chosen)) return
    event.preventDefault()
    event.preventBaseUIHandler()
  }
  const onValueChange: RootProps["onValueChange"] = (typed, { reason }) => {
    if (reason !== "input-change") return
    setText(typed)
    setCompletions(completionsAt(typed, input.current?.selectionStart ?? typed.length))
  }
  const onHighlighted: RootProps["onItemHighlighted"] = (completion) => {
    highlighted.current = completion
  }
  const onOpenChange: RootProps["onOpenChange"] = (isOpen, { reason }) => {
    // A chosen key such as `kind:` stays open with its values, and an emptied field with examples.
    if (!isOpen && reason !== "item-press" && reason !== "input-clear") close()
  }
  const suggest = () => setCompletions(completionsAt(text, input.current?.selectionStart ?? text.length))
  return {
    input,
    text,
    completions,
    choose,
    clear,
    suggest,
    onKeyDown,
    onValueChange,
    onHighlighted,
    onOpenChange,
  }
}
