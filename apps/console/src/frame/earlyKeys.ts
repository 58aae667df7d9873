import { useEffect } from "react"
import { dialogSelector } from "../shared/shortcuts.ts"

let typed = ""

/** Returns what was typed before the search appeared. */
export const earlyText = (): string => typed

/** Keeps what the operator types while the script of the search is on its way, so that it runs no shortcuts. */
export const useEarlyKeys = (isSearching: boolean): void => {
  useEffect(() => {
    typed = ""
    if (!isSearching) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector(dialogSelector) !== null) return
      if (event.key === "Backspace") typed = typed.slice(0, -1)
      else if (event.key.length === 1) typed += event.key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener("keydown", onKeyDown, { capture: true })
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true })
  }, [isSearching])
}
