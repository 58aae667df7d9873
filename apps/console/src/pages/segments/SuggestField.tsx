import { Autocomplete } from "@base-ui/react/autocomplete"
import { useState } from "react"
import { boxStyle } from "../../shared/fields/Field.tsx"
import { fitting, type KnownValue } from "../../shared/query/QueryLanguage.ts"
import { count } from "../../shared/values/figures.ts"
import { keepInRow } from "./rowInputs.tsx"

interface SuggestFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** The values that exist. Any other can be typed as well. */
  readonly known: ReadonlyArray<KnownValue>
  /** Returns what is offered of them for a text. */
  readonly offer?: typeof fitting | undefined
  readonly placeholder?: string
  readonly className?: string
}

/** A line of text that offers the values that exist, with how often they do. */
export const SuggestField = ({
  className = "w-48",
  known,
  label,
  offer = fitting,
  onChange,
  placeholder,
  value,
}: SuggestFieldProps) => {
  const [isOpen, setOpen] = useState(false)
  const items = offer(known, value)
  return (
    <Autocomplete.Root
      itemToStringValue={(item: KnownValue) => item.value}
      items={items}
      mode="none"
      onOpenChange={setOpen}
      onValueChange={onChange}
      open={isOpen && items.length > 0}
      openOnInputClick
      value={value}
    >
      <Autocomplete.Input
        aria-label={label}
        autoCapitalize="off"
        autoComplete="off"
        className={`${boxStyle} max-w-full ${className}`}
        onBlur={() => setOpen(false)}
        onFocus={() => setOpen(true)}
        onKeyDown={keepInRow}
        placeholder={placeholder}
        spellCheck={false}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner align="start" className="z-30" sideOffset={4}>
          <Autocomplete.Popup
            className="max-h-72 max-w-[calc(100vw-32px)] min-w-48 overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-lg"
            // The field keeps the focus while a value is taken with the mouse.
            onMouseDown={(event) => event.preventDefault()}
          >
            <Autocomplete.List aria-label={`${label}: suggestions`}>
              {(item: KnownValue) => (
                <Autocomplete.Item
                  className="flex min-h-7 cursor-pointer items-center gap-4 px-3 text-sm data-highlighted:bg-selected pointer-coarse:min-h-11"
                  key={item.value}
                  value={item}
                >
                  <span className="min-w-0 truncate">{item.value}</span>
                  <span className="ml-auto text-xs whitespace-nowrap text-muted">
                    {[item.hint ?? "", item.count === undefined ? "" : count(item.count)]
                      .filter((text) => text !== "")
                      .join(" · ")}
                  </span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}
