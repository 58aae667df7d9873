import { useEffect, useRef } from "react"

/** A key, or two keys pressed one after the other such as "g l", with a description for the list of keys. */
export interface Shortcut {
  readonly keys: string
  readonly does: string
}

interface ActiveShortcut extends Shortcut {
  readonly run: () => void
}

/** The longest pause in milliseconds between the two keys of a sequence. */
const sequenceMs = 1_000

const active: Array<ActiveShortcut> = []
let prefix: { readonly key: string; readonly at: number } | undefined

/** Returns the shortcuts that work on the current page, without duplicates. */
export const activeShortcuts = (): ReadonlyArray<Shortcut> => [
  ...new Map(active.map(({ does, keys }) => [keys, { keys, does }])).values(),
]

/**
 * Runs an action when its keys are pressed, while the component is shown. If several components use the same keys, only
 * the component that was shown last runs its action.
 */
export const useShortcut = (keys: string, does: string, run: () => void): void => {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const shortcut: ActiveShortcut = { keys, does, run: () => latest.current() }
    active.push(shortcut)
    return () => {
      active.splice(active.indexOf(shortcut), 1)
    }
  }, [keys, does])
}

/** The labels of keyboard keys that print no visible character. */
const names: Readonly<Record<string, string>> = { Escape: "esc", Enter: "enter", " ": "space" }

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))

/** Returns true for buttons and links, because they handle Enter and the space bar themselves. */
const handlesKey = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("button, a, summary") !== null

/** Matches open dialogs. A notice has the role of a dialog too, but takes no keys from the page. */
export const dialogSelector = ':is([role="dialog"], [role="alertdialog"]):not([data-notice])'

/**
 * Returns true while a dialog or a menu is open. Shortcuts are then off, because the dialog or the menu handles the
 * keys.
 */
const isOverlayOpen = (): boolean => document.querySelector(`${dialogSelector}, [role="menu"]`) !== null

const onKeyDown = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (isTyping(event.target) || isOverlayOpen()) return
  if ((event.key === "Enter" || event.key === " ") && handlesKey(event.target)) return
  const key = names[event.key] ?? event.key
  const sequence =
    prefix !== undefined && event.timeStamp - prefix.at < sequenceMs ? `${prefix.key} ${key}` : key
  const found = active.findLast(({ keys }) => keys === sequence)
  prefix = undefined
  if (found !== undefined) {
    event.preventDefault()
    found.run()
  } else if (active.some(({ keys }) => keys.startsWith(`${key} `))) {
    prefix = { key, at: event.timeStamp }
  }
}

/** Handles the keyboard shortcuts of all components. Call it only in `Frame`, the component around every page. */
export const useShortcutKeys = (): void => {
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [])
}
