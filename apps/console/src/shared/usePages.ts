import { useInfiniteQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { PageOf } from "../api/PageOf.ts"

/** The largest number of pages that a list loads. To see further items, the operator must use a filter. */
const pagesMax = 40

/** A list that is loaded page by page. */
export interface Pages<Item> {
  readonly items: ReadonlyArray<Item>
  readonly problem: Error | null
  /** True until the first page has arrived. */
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  /** True if the list has more items than fit on `pagesMax` pages. */
  readonly isCut: boolean
  /** The number of people that a search by attribute has checked so far. 0 for every other list. */
  readonly searched: number
  /**
   * The receipt time of the oldest operation that was examined, if the last page was empty although older operations are
   * left. Null for every other list.
   */
  readonly searchedTo: string | null
  /** True if the list has a further page, which `loadMore` loads. */
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
}

/**
 * Reads a list of the management API page by page. `key` identifies the list with its filters, and `read` requests the
 * page after a cursor.
 */
export const usePages = <Item>(
  key: ReadonlyArray<unknown>,
  read: (after: string | undefined, signal: AbortSignal) => Promise<PageOf<Item>>,
): Pages<Item> => {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: ((): string | undefined => undefined)(),
    getNextPageParam: (last: PageOf<Item>) => last.next ?? undefined,
  })
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const pages = query.data?.pages.length ?? 0
  const searched = query.data?.pages.reduce((sum, page) => sum + (page.searched ?? 0), 0) ?? 0
  const last = query.data?.pages.at(-1)
  const mayLoad = query.hasNextPage && !query.isFetching && pages < pagesMax
  return {
    items,
    searched,
    searchedTo: last?.items.length === 0 && last.next !== null ? (last.searched_to?.at ?? null) : null,
    problem: query.error,
    isLoading: query.isLoading,
    isLoadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage && pages < pagesMax,
    isCut: query.hasNextPage && pages >= pagesMax,
    loadMore: () => {
      if (mayLoad) void query.fetchNextPage()
    },
    reload: () => void query.refetch(),
  }
}
