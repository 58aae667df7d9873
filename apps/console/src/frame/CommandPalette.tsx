import { Dialog } from "@base-ui/react/dialog"
import { useEffect, useId, useState, type KeyboardEvent } from "react"
import { useFocusReturn } from "../shared/focusReturn.ts"
import { Icon } from "../shared/Icon.tsx"
import { usePaletteEntries, type PaletteEntry } from "./paletteEntries.ts"

interface CommandPaletteProps {
  readonly onClose: () => void
}

/** Finds pages, actions, people and operations by name or identifier. */
export const CommandPalette = ({ onClose }: CommandPaletteProps) => {
  useFocusReturn()
  const id = useId()
  const { choose, chosen, entries, onKeyDown, onType, setChosen, text } = usePalette(onClose)
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[min(560px,calc(100vw-32px))] -translate-x-1/2 flex-col rounded-lg border border-line bg-raised shadow-lg outline-none"
          finalFocus={false}
        >
          <Dialog.Title className="sr-only">Search or go to</Dialog.Title>
          <input
            aria-activedescendant={entries.length > 0 ? `${id}-${chosen}` : undefined}
            aria-controls={`${id}-list`}
            aria-expanded
            aria-label="Search or go to"
            autoComplete="off"
            className="h-12 shrink-0 border-b border-line bg-transparent px-4 text-base outline-none"
            onChange={(event) => onType(event.target.value)}
            onKeyDown={onKeyDown}
            placeholder="A page, a person's id or email, an operation id"
            role="combobox"
            spellCheck={false}
            value={text}
          />
          <ul aria-label="Results" className="overflow-y-auto p-1" id={`${id}-list`} role="listbox">
            {entries.map((entry, index) => (
              <li
                aria-selected={index === chosen}
                className={`flex h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm pointer-coarse:h-10 ${index === chosen ? "bg-selected" : ""}`}
                id={`${id}-${index}`}
                key={entry.key}
                onClick={() => choose(entry)}
                onMouseMove={() => setChosen(index)}
                ref={(element) => {
                  if (index === chosen) element?.scrollIntoView({ block: "nearest" })
                }}
                role="option"
              >
                <Icon className="text-faint" name={entry.icon} />
                <span className="truncate">{entry.label}</span>
                <span className="ml-auto shrink-0 text-xs text-muted">{entry.hint}</span>
              </li>
            ))}
          </ul>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The typed text, its entries, and the entry that Enter runs. */
const usePalette = (onClose: () => void) => {
  const [text, setText] = useState("")
  const [chosen, setChosen] = useState(0)
  const [isEntered, setIsEntered] = useState(false)
  const { entries, isStale } = usePaletteEntries(text)
  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  // Enter means the first answer to the text, even if the answer arrives later.
  const isAnswered = isEntered && !isStale
  useEffect(() => {
    if (!isAnswered) return
    setIsEntered(false)
    choose(entries[0])
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setChosen(Math.min(entries.length - 1, chosen + 1))
    else if (event.key === "ArrowUp") setChosen(Math.max(0, chosen - 1))
    else if (event.key === "Enter" && isStale && chosen === 0) setIsEntered(true)
    else if (event.key === "Enter") choose(entries[chosen])
    else return
    event.preventDefault()
  }
  const onType = (typed: string): void => {
    setText(typed)
    setChosen(0)
    setIsEntered(false)
  }
  return { choose, chosen, entries, onKeyDown, onType, setChosen, text }
}
