import { useEffect, useState } from "react"
import { dialogSelector } from "../fields/shortcuts.ts"

/** The element that had the focus before the first of the open dialogs appeared. */
let opener: Element | null = null

/**
 * After a dialog has disappeared, returns the focus to the element that had it before. If this element has disappeared
 * too, focuses the list of the page. A dialog needs this hook if its fields use `autoFocus`, because React then moves
 * the focus before Base UI can remember where the focus was.
 */
export const useFocusReturn = (): void => {
  const [target] = useState(() => {
    const focused = document.activeElement
    // If a dialog replaces another dialog, the focus later returns to the element that opened the first dialog.
    if (focused?.closest(dialogSelector) == null) opener = menuButtonOf(focused) ?? focused
    return opener
  })
  useEffect(
    () => () =>
      queueMicrotask(() => {
        if (document.querySelector(dialogSelector) === null) focusOn(target)
      }),
    [target],
  )
}

/**
 * Returns the button of the open menu if an item of the menu has the focus. The item cannot get the focus back, because
 * it disappears when the menu closes.
 */
const menuButtonOf = (focused: Element | null): Element | null =>
  focused?.closest('[role="menu"]') == null
    ? null
    : document.querySelector('[aria-haspopup="menu"][aria-expanded="true"]')

const focusOn = (target: Element | null): void => {
  const isLeft = target === null || target === document.body || !target.isConnected
  if (isLeft) focusList()
  else if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/** Moves the focus to the list of the page, because the keys of a list act on its current row. */
export const focusList = (): void => {
  const list = document.querySelector('#page [role="grid"]')
  if (list instanceof HTMLElement) list.focus({ preventScroll: true })
}
