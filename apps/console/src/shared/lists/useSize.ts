import { useCallback, useState, useSyncExternalStore } from "react"

/** Returns a ref for an element, and the width of the element in pixels, which is 0 before the first layout. */
export const useWidth = (): readonly [(element: HTMLElement | null) => (() => void) | undefined, number] => {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}

/** Returns whether a media query matches. Rerenders when the result changes. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    useCallback(
      (listener: () => void) => {
        const media = matchMedia(query)
        media.addEventListener("change", listener)
        return () => media.removeEventListener("change", listener)
      },
      [query],
    ),
    () => matchMedia(query).matches,
  )
