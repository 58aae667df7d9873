import { useLayoutEffect, useRef, type ReactNode } from "react"
import { IconButton } from "../buttons/Button.tsx"
import { focusList } from "./focusReturn.ts"
import { useShortcut } from "../fields/shortcuts.ts"

interface DetailProps {
  readonly title: string
  /** Buttons in the title line, before the close button. */
  readonly actions?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The panel that shows one item beside a list. Esc closes it, and the row of the item then has the focus again. */
export const Detail = ({ actions, children, onClose, title }: DetailProps) => {
  const isClosing = useRef(false)
  const close = (): void => {
    isClosing.current = true
    onClose()
  }
  useLayoutEffect(
    () => () => {
      // On a narrow screen the list is hidden while the panel is open. The list can be focused only after the update
      // that removes the panel.
      if (isClosing.current) queueMicrotask(focusList)
    },
    [],
  )
  useShortcut("esc", "Close the detail", close)
  return (
    <aside
      aria-label="Detail"
      className="flex min-h-0 w-full shrink-0 flex-col border-line bg-canvas lg:w-[min(560px,50%)] lg:border-l"
    >
      <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4">
        <h2 className="mr-auto min-w-0 truncate text-base font-semibold" title={title}>
          {title}
        </h2>
        {actions}
        <IconButton icon="close" label="Close" onClick={close} />
      </header>
      <div
        // Texts for screen readers are positioned absolutely. Without a positioned ancestor they would make the window scroll.
        className="relative min-h-0 flex-1 overflow-y-auto"
        role="region"
        aria-label="Content of the detail"
        tabIndex={0}
      >
        {children}
      </div>
    </aside>
  )
}

interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A section of a detail panel, with a heading. */
export const Section = ({ actions, children, title }: SectionProps) => (
  <section className="border-b border-line px-4 py-4 last:border-b-0">
    <div className="mb-2 flex min-h-5 items-center gap-2">
      <h3 className="mr-auto text-xs font-medium text-faint">{title}</h3>
      {actions}
    </div>
    {children}
  </section>
)

interface FactsProps {
  /** The names and values to list. Pairs with a null or undefined value are left out. */
  readonly facts: ReadonlyArray<readonly [name: string, value: ReactNode]>
}

/** Lists names and values, one pair on each line. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 text-sm pointer-coarse:auto-rows-[minmax(44px,auto)] pointer-coarse:gap-y-0">
    {facts
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => (
        <div className="contents" key={name}>
          <dt className="text-faint pointer-coarse:py-3">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
  </dl>
)
