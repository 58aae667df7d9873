import { useState } from "react"
import { count } from "./figures.ts"

/** The largest number of characters of a text that is shown in full at once. */
const shownMax = 160

interface FullTextProps {
  readonly text: string
  readonly className?: string
}

/** A text of a client, which can be long. A button shows the rest of a long text. */
export const FullText = ({ className = "", text }: FullTextProps) => {
  const [isAll, setAll] = useState(false)
  if (isAll || text.length <= shownMax) {
    return <span className={`min-w-0 break-words whitespace-pre-wrap ${className}`}>{text}</span>
  }
  return (
    <span className={`min-w-0 break-words whitespace-pre-wrap ${className}`}>
      {text.slice(0, shownMax)}…{" "}
      <button className="text-accent hover:underline" onClick={() => setAll(true)} type="button">
        Show all {count(text.length)} characters
      </button>
    </span>
  )
}
