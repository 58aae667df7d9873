import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react"

interface PopoverMenuProps {
  /** The name of the button, if it shows no text. */
  readonly label?: string
  /** What the button shows. */
  readonly trigger: ReactNode
  readonly className: string
  readonly isDisabled?: boolean
  readonly children: ReactNode
}

/**
 * A button that opens a list of actions below it. It is made of what browsers have, because a script for menus would make the
 * first page heavier.
 */
export const PopoverMenu = ({
  children,
  className,
  isDisabled = false,
  label,
  trigger,
}: PopoverMenuProps) => {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const items = (): ReadonlyArray<HTMLElement> => [
    ...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? []),
  ]
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const all = items()
    const at = all.findIndex((item) => item === document.activeElement)
    all.at((at + step) % all.length)?.focus()
  }
  return (
    <>
      <button
        aria-expanded={isOpen}
        aria-haspopup="menu"
        aria-label={label}
        className={className}
        disabled={isDisabled}
        popoverTarget={id}
        title={label}
        type="button"
      >
        {trigger}
      </button>
      <div
        className="fixed top-24 right-4 m-0 max-h-[60vh] max-w-80 min-w-52 overflow-y-auto rounded-md border border-line bg-raised p-1 text-ink shadow-lg supports-[position-area:bottom]:top-auto supports-[position-area:bottom]:right-auto supports-[position-area:bottom]:mt-1 supports-[position-area:bottom]:[position-area:bottom_span-left]"
        id={id}
        onClick={() => menu.current?.hidePopover()}
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          setOpen(newState === "open")
          if (newState === "open") queueMicrotask(() => requestAnimationFrame(() => items()[0]?.focus()))
        }}
        popover="auto"
        ref={menu}
        role={isOpen ? "menu" : undefined}
      >
        {isOpen ? children : null}
      </div>
    </>
  )
}

interface MenuButtonProps {
  readonly children: ReactNode
  readonly onClick: () => void
  readonly isDisabled?: boolean
  readonly isDangerous?: boolean
  readonly title?: string | undefined
}

/** An action in a `PopoverMenu`. */
export const MenuButton = ({
  children,
  isDangerous = false,
  isDisabled = false,
  onClick,
  title,
}: MenuButtonProps) => (
  <button
    className={`flex h-8 w-full items-center gap-2 rounded-sm px-2 text-left text-sm hover:bg-hover focus:bg-hover disabled:cursor-not-allowed disabled:opacity-60 pointer-coarse:h-11 ${isDangerous ? "text-red" : ""}`}
    disabled={isDisabled}
    onClick={onClick}
    role="menuitem"
    title={title}
    type="button"
  >
    {children}
  </button>
)
