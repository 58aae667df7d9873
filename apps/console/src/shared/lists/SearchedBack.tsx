import { Button } from "../buttons/Button.tsx"
import { ExactTime } from "../time/Time.tsx"

interface SearchedBackProps {
  /** The receipt time, in ISO 8601, of the oldest operation that was examined. Null before the first answer. */
  readonly to: string | null
  readonly isSearching: boolean
  /** Stops a search that goes on by itself. */
  readonly onStop?: (() => void) | undefined
  /** Undefined if the list is full, so that the search does not go on. */
  readonly onContinue: (() => void) | undefined
}

/** Says how far back a filter was searched while it is, and stops it or goes on: older operations may match too. */
export const SearchedBack = ({ isSearching, onContinue, onStop, to }: SearchedBackProps) => (
  <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-2 px-4 py-1 text-xs text-muted">
    <span role="status">
      {isSearching ? "Searching" : "Searched"}{" "}
      {to === null ? (
        "…"
      ) : (
        <>
          back to <ExactTime at={to} />
          {isSearching ? "…" : "."}
        </>
      )}
    </span>
    {isSearching && onStop !== undefined ? (
      <Button className="ml-auto h-6" onClick={onStop}>
        Stop
      </Button>
    ) : onContinue === undefined ? (
      <span>Older operations may match. Narrow the filter, or choose a period.</span>
    ) : (
      <Button className="ml-auto h-6" disabled={isSearching} onClick={onContinue}>
        Search older operations
      </Button>
    )}
  </div>
)
