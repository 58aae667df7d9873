import { useEffect, useRef, useState } from "react"
import { Icon } from "../buttons/Icon.tsx"
import { useShortcut } from "./shortcuts.ts"

/** The pause in typing, in milliseconds, after which the search starts. */
const searchAfterMs = 200

interface SearchLineProps {
  readonly text: string
  readonly label: string
  readonly placeholder: string
  readonly onSearch: (text: string) => void
}

/** A text field that searches while the operator types. The key `/` focuses the field. */
export const SearchLine = ({ label, onSearch, placeholder, text }: SearchLineProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(text)
  const search = useRef(onSearch)
  useEffect(() => {
    search.current = onSearch
  })
  useEffect(() => setTyped(text), [text])
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => search.current(typed.trim()), searchAfterMs)
    return () => clearTimeout(timer)
  }, [typed, text])
  useShortcut("/", "Search", () => input.current?.focus())
  return (
    <div className="relative">
      <Icon
        className="pointer-events-none absolute top-2 left-2 text-faint pointer-coarse:top-3"
        name="search"
      />
      <input
        aria-label={label}
        autoCapitalize="off"
        autoComplete="off"
        className="h-8 w-full rounded-md border border-line-strong bg-raised pr-2 pl-8 text-sm pointer-coarse:h-11 pointer-coarse:text-base"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          // By default, browsers clear a search field when Esc is pressed.
          event.preventDefault()
          input.current?.blur()
        }}
        placeholder={placeholder}
        ref={input}
        spellCheck={false}
        type="search"
        value={typed}
      />
    </div>
  )
}
