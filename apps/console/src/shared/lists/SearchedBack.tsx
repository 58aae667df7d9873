import { Button } from "../buttons/Button.tsx"
import { ExactTime } from "../time/Time.tsx"

interface SearchedBackProps {
  /** The receipt time, in ISO 8601, of the oldest operation that was examined. */
  readonly to: string
  readonly isSearching: boolean
  /** Undefined if the list is full, so that the search does not go on. */
  readonly onContinue: (() => void) | undefined
}

/** Says how far back a filter was searched, and goes on: older operations may match too. */
export const SearchedBack = ({ isSearching, onContinue, to }: SearchedBackProps) => (
  <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-2 px-4 py-1 text-xs text-muted">
    <span role="status">
      Searched back to <ExactTime at={to} />.
    </span>
    {onContinue === undefined ? (
      <span>Older operations may match. Narrow the filter, or choose a period.</span>
    ) : (
      <Button className="ml-auto h-6" disabled={isSearching} onClick={onContinue}>
        Search older operations
      </Button>
    )}
  </div>
)
