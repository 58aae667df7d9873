import { useEffect, useRef, useState } from "react"

interface Answers<Item> {
  readonly items: ReadonlyArray<Item>
  /** True while the items still answer an earlier text. */
  readonly isStale: boolean
}

interface Entered<Item> {
  readonly onTyped: () => void
  readonly onHighlighted: (item: Item | undefined, details: { readonly reason: string }) => void
  /** Takes the key Enter, and returns true if the choice waits for the answer. */
  readonly onEnter: () => boolean
}

/** Enter in a search means the first answer to the typed text, even if the answer arrives later. */
export const useEntered = <Item>(
  { isStale, items }: Answers<Item>,
  choose: (item: Item) => void,
): Entered<Item> => {
  const [isEntered, setEntered] = useState(false)
  /** True once the operator has highlighted an item that Enter would choose. */
  const isMoved = useRef(false)
  const isAnswered = isEntered && !isStale
  useEffect(() => {
    if (!isAnswered) return
    setEntered(false)
    const first = items[0]
    if (first !== undefined) choose(first)
  })
  return {
    onTyped: () => {
      setEntered(false)
      isMoved.current = false
    },
    onHighlighted: (_, { reason }) => {
      if (reason !== "none") isMoved.current = true
    },
    onEnter: () => {
      if (!isStale || isMoved.current) return false
      setEntered(true)
      return true
    },
  }
}
