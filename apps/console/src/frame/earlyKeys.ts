import { useEffect } from "react"
import { dialogSelector } from "../shared/fields/shortcuts.ts"
import { isSearchKey } from "./useSearchKey.ts"

let typed = ""
let isAsked = false

/** Returns what was typed before the search appeared. */
export const earlyText = (): string => typed

/** Returns whether the operator asked for the search before the frame was shown. */
export const isSearchAsked = (): boolean => isAsked

/** Keeps a key for the search. */
const keep = (event: KeyboardEvent): void => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === "Backspace") typed = typed.slice(0, -1)
  else if (event.key.length === 1) typed += event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}

const beforeFrame = (event: KeyboardEvent): void => {
  // A page without the frame, such as the one for signing in, has the keys to itself.
  if (document.querySelector("input") !== null) return
  if (isSearchKey(event)) {
    isAsked = true
    event.preventDefault()
  } else if (isAsked) keep(event)
}

/** Keeps Ctrl K, and what is typed after it, until the frame is shown. */
export const keepKeysBeforeFrame = (): void =>
  window.addEventListener("keydown", beforeFrame, { capture: true })

/** Keeps what the operator types while the script of the search is on its way, so that it runs no shortcuts. */
export const useEarlyKeys = (isSearching: boolean): void => {
  useEffect(() => {
    window.removeEventListener("keydown", beforeFrame, { capture: true })
    isAsked = false
    if (!isSearching) {
      typed = ""
      return
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (document.querySelector(dialogSelector) === null) keep(event)
    }
    window.addEventListener("keydown", onKeyDown, { capture: true })
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true })
  }, [isSearching])
}
