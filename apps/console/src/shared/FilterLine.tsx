import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react"
import { IconButton } from "./Button.tsx"
import { complete, completionsAt, type Completion } from "./filterCompletion.ts"
import { Icon } from "./Icon.tsx"
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
        className="pointer-events-none absolute top-2 left-2 text-faint pointer-coarse:top-3"
        name="search"
      />
      <input
        aria-activedescendant={line.chosen >= 0 ? `${id}-${line.chosen}` : undefined}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        aria-expanded={line.completions.length > 0}
        aria-invalid={problem !== undefined}
        aria-label="Filter"
        autoCapitalize="off"
        autoComplete="off"
        className="h-8 w-full rounded-md border border-line-strong bg-raised pr-8 pl-8 font-mono text-xs placeholder:font-sans placeholder:text-sm pointer-coarse:h-10 pointer-coarse:text-base"
        maxLength={1000}
        onBlur={line.close}
        onChange={(event) => line.type(event.target.value, event.target.selectionStart ?? 0)}
        onFocus={line.suggest}
        onKeyDown={line.onKeyDown}
        placeholder="Filter, such as kind:event -outcome:applied"
        ref={line.input}
        role="combobox"
        spellCheck={false}
        value={line.text}
      />
      {line.text === "" ? null : (
        <IconButton
          className="absolute top-0 right-0"
          icon="close"
          label="Clear the filter"
          onClick={line.clear}
        />
      )}
      <Completions
        chosen={line.chosen}
        completions={line.completions}
        id={id}
        onChoose={(completion) => line.choose(completion)}
      />
      {problem === undefined ? null : (
        <p className="pt-1 text-xs text-red" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

interface CompletionsProps {
  readonly id: string
  readonly completions: ReadonlyArray<Completion>
  readonly chosen: number
  readonly onChoose: (completion: Completion) => void
}

const Completions = ({ chosen, completions, id, onChoose }: CompletionsProps) => (
  <ul
    aria-label="Completions"
    className={`absolute top-full left-0 z-30 mt-1 max-h-72 w-[min(448px,calc(100vw-32px))] overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-lg ${completions.length === 0 ? "hidden" : ""}`}
    id={`${id}-list`}
    role="listbox"
    // A list that scrolls would otherwise be the next stop of Tab, and disappear when it gets the focus.
    tabIndex={-1}
  >
    {completions.map((completion, index) => (
      <li
        aria-selected={index === chosen}
        className={`flex h-7 cursor-pointer items-center gap-3 px-3 pointer-coarse:h-10 ${index === chosen ? "bg-selected" : "hover:bg-hover"}`}
        id={`${id}-${index}`}
        key={completion.text}
        onMouseDown={(event) => {
          // Without this call, the field would lose the focus and close the list before the click.
          event.preventDefault()
          onChoose(completion)
        }}
        ref={(element) => {
          if (index === chosen) element?.scrollIntoView({ block: "nearest" })
        }}
        role="option"
      >
        <span className="shrink-0 font-mono text-xs">{completion.text}</span>
        <span className="ml-auto truncate text-xs text-muted">{completion.hint}</span>
      </li>
    ))}
  </ul>
)

const useFilterLine = (filter: string, onFilter: (filter: string) => void) => {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(filter)
  const [completions, setCompletions] = useState<ReadonlyArray<Completion>>([])
  const [chosen, setChosen] = useState(-1)
  const caret = useRef<number>(undefined)
  useEffect(() => setText(filter), [filter])
  useEffect(() => {
    if (caret.current === undefined) return
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [text])

  const show = (found: ReadonlyArray<Completion>): void => {
    setCompletions(found)
    setChosen(-1)
  }
  const close = (): void => show([])
  const type = (typed: string, at: number): void => {
    setText(typed)
    show(completionsAt(typed, at))
  }
  const choose = (completion: Completion): void => {
    const [completed, at] = complete(text, completion)
    caret.current = at
    setText(completed)
    show(completed.endsWith(":") ? completionsAt(completed, at) : [])
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
  const onKeyDown = (event: KeyboardEvent): void => {
    const completion = completions[chosen]
    const move = (to: number) => setChosen(Math.max(-1, Math.min(completions.length - 1, to)))
    if (event.key === "ArrowDown") move(chosen + 1)
    else if (event.key === "ArrowUp") move(chosen - 1)
    else if (event.key === "Tab" && completion !== undefined) choose(completion)
    else if (event.key === "Enter" && completion !== undefined) choose(completion)
    else if (event.key === "Enter") submit(text)
    else if (event.key === "Escape" && completions.length > 0) close()
    else if (event.key === "Escape") input.current?.blur()
    else return
    event.preventDefault()
  }
  const suggest = () => show(completionsAt(text, input.current?.selectionStart ?? text.length))
  return { input, text, completions, chosen, type, choose, clear, close, suggest, onKeyDown }
}
