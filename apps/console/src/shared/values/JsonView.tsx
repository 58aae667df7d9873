import { useState } from "react"
import { count } from "./figures.ts"

/** The largest number of elements of a list or object that are shown at first. A button shows more. */
const entriesShownMax = 100

/** The largest number of characters of a value that are shown at first. A button shows the rest. */
const charactersShownMax = 1_000

/** The depth of nesting down to which values are unfolded at first. */
const openDepthMax = 2

interface JsonViewProps {
  readonly value: unknown
  /** The name of the value, for screen readers. */
  readonly label: string
}

/** A JSON value as a tree that folds. */
export const JsonView = ({ label, value }: JsonViewProps) => (
  <div
    aria-label={label}
    className="overflow-x-auto rounded-md border border-line bg-surface p-3 font-mono text-xs leading-5"
    role="region"
    tabIndex={0}
  >
    <JsonNode depth={0} value={value} />
  </div>
)

interface JsonNodeProps {
  readonly value: unknown
  readonly depth: number
  readonly name?: string
}

const JsonNode = ({ depth, name, value }: JsonNodeProps) => {
  if (typeof value === "object" && value !== null) {
    return <JsonBranch depth={depth} value={value} {...(name === undefined ? {} : { name })} />
  }
  return (
    <div className="pl-4 break-all whitespace-pre-wrap">
      <JsonName {...(name === undefined ? {} : { name })} />
      <JsonLeaf value={value} />
    </div>
  )
}

const JsonLeaf = ({ value }: { readonly value: unknown }) => {
  const [isAll, setAll] = useState(false)
  const text = JSON.stringify(value)
  if (isAll || text.length <= charactersShownMax) return <span className={colourOf(value)}>{text}</span>
  return (
    <>
      <span className={colourOf(value)}>{text.slice(0, charactersShownMax)}…</span>
      <button className="pl-2 text-accent hover:underline" onClick={() => setAll(true)} type="button">
        Show all {count(text.length)} characters
      </button>
    </>
  )
}

const JsonName = ({ name }: { readonly name?: string }) =>
  name === undefined ? null : <span className="text-muted">{name}: </span>

const colourOf = (value: unknown): string => {
  if (typeof value === "string") return "text-green"
  return value === null ? "text-faint" : "text-blue"
}

const JsonBranch = ({ depth, name, value }: JsonNodeProps & { readonly value: object }) => {
  const [shownMax, setShownMax] = useState(entriesShownMax)
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  const entries = Object.entries(value)
  const shown = entries.slice(0, shownMax)
  if (entries.length === 0) {
    return (
      <div className="pl-4">
        <JsonName {...(name === undefined ? {} : { name })} />
        {open}
        {close}
      </div>
    )
  }
  return (
    <details open={depth < openDepthMax}>
      <summary className="list-none pl-4 marker:hidden hover:bg-hover pointer-coarse:leading-11">
        <JsonName {...(name === undefined ? {} : { name })} />
        {open}
        <span className="hidden text-faint [details:not([open])>summary>&]:inline">
          {" "}
          {entries.length} {entries.length === 1 ? "entry" : "entries"} {close}
        </span>
      </summary>
      <div className="ml-4 border-l border-line">
        {shown.map(([key, entry]) => (
          <JsonNode depth={depth + 1} key={key} name={key} value={entry} />
        ))}
        {entries.length > shown.length ? (
          <button
            className="pl-4 text-accent hover:underline"
            onClick={() => setShownMax(shownMax * 10)}
            type="button"
          >
            Show {Math.min(entries.length - shown.length, shownMax * 9)} more
          </button>
        ) : null}
      </div>
      <div className="pl-4">{close}</div>
    </details>
  )
}
