import { useEffect, useState } from "react"
import type { Pages } from "./usePages.ts"

/** How many rows a search finds before it waits until they are scrolled through. */
const rowsWanted = 100

/** A search that goes on by itself. */
export interface SearchOn {
  /** True until enough was found, everything was searched, or the operator stopped it. */
  readonly isSearching: boolean
  readonly stop: () => void
  readonly goOn: () => void
}

/** Reads page after page of a list whose pages are searches, until enough is found or nothing is left to search. */
export const useSearchOn = (
  { hasMore, isLoading, isLoadingMore, loadMore, problem }: Pages<unknown>,
  found: number,
  isSearch: boolean,
): SearchOn => {
  const [isStopped, setStopped] = useState(false)
  const isSearching =
    isSearch && !isStopped && problem === null && (isLoading || (hasMore && found < rowsWanted))
  const isReady = isSearching && !isLoading && !isLoadingMore
  useEffect(() => {
    if (isReady) loadMore()
  })
  return {
    isSearching,
    stop: () => setStopped(true),
    goOn: () => {
      setStopped(false)
      loadMore()
    },
  }
}
