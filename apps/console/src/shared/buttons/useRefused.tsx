import { useEffect, useState, type MouseEvent, type ReactNode } from "react"

/** The number of milliseconds for which the note is shown after a press. */
const noteMs = 6_000

interface RefusedProps {
  readonly "aria-disabled": true
  readonly disabled: false
  readonly title: string
  readonly onClick: (event: MouseEvent) => void
}

/**
 * Returns the properties that make a button do nothing and say why, and the note that a press shows. A disabled button
 * could not get the focus, and a touch screen shows no title. Returns no properties if `refusal` is undefined.
 */
export const useRefused = (refusal: string | undefined): readonly [RefusedProps | undefined, ReactNode] => {
  const [presses, setPresses] = useState(0)
  useEffect(() => {
    if (presses === 0) return
    const timer = setTimeout(() => setPresses(0), noteMs)
    return () => clearTimeout(timer)
  }, [presses])
  if (refusal === undefined) return [undefined, null]
  const onClick = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    setPresses(presses + 1)
  }
  const note =
    presses === 0 ? null : (
      <span
        className="fixed inset-x-4 bottom-4 z-50 mx-auto w-fit max-w-md rounded-md border border-line-strong bg-raised px-3 py-2 text-left text-sm font-normal whitespace-normal text-ink shadow-lg"
        role="status"
      >
        {refusal}
      </span>
    )
  return [{ "aria-disabled": true, disabled: false, title: refusal, onClick }, note]
}
