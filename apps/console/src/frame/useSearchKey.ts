import { useEffect, useRef } from "react"

/** Returns whether a key asks for the search: Ctrl K or Cmd K. */
export const isSearchKey = ({ ctrlKey, key, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (ctrlKey || metaKey)

/** Runs an action on Ctrl K or Cmd K, even while a text field has the focus. */
export const useSearchKey = (run: () => void): void => {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isSearchKey(event)) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [])
}
