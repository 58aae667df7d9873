import { useInfiniteQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { PageOf } from "../../api/PageOf.ts"

/** The largest number of pages with items that a list loads. To see further items, the operator must use a filter. */
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
  /** The receipt time of the oldest operation that was examined, if older ones are left. Null for every other list. */
  readonly searchedTo: string | null
  /** What the loaded pages may leave out, as a sentence. Null if they leave out nothing. */
  readonly leftOut: string | null
  /** True if the list has a further page, which `loadMore` loads. */
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
  /** Reads the list again from its beginning, up to so many items. */
  readonly readAll: (itemsMax: number) => Promise<ReadItems<Item>>
}

/** Items of a list, and whether the list has further items. */
export interface ReadItems<Item> {
  readonly items: ReadonlyArray<Item>
  readonly isCut: boolean
}

/** Requests the page of a list after a cursor, with `limit` items or as many as the list shows at a time. */
type ReadPage<Item> = (
  after: string | undefined,
  signal: AbortSignal,
  limit: number | undefined,
) => Promise<PageOf<Item>>

/** The number of items that `readAll` requests at a time. */
const pageItems = 1_000

/** The longest time, in milliseconds, that `readAll` takes. */
const readAllMsMax = 60_000

/**
 * Reads a list of the management API page by page. `key` identifies the list with its filters, and `read` requests the
 * page after a cursor. With `refreshMs`, the loaded pages are read again after so many milliseconds, which can depend on
 * the items.
 */
export const usePages = <Item>(
  key: ReadonlyArray<unknown>,
  read: ReadPage<Item>,
  refreshMs?: number | ((items: ReadonlyArray<Item>) => number | false),
): Pages<Item> => {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal, undefined),
    refetchInterval: ({ state }) =>
      typeof refreshMs === "function"
        ? refreshMs(state.data?.pages.flatMap((page) => page.items) ?? [])
        : (refreshMs ?? false),
    initialPageParam: ((): string | undefined => undefined)(),
    getNextPageParam: (last: PageOf<Item>) => last.next ?? undefined,
  })
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const pages = query.data?.pages.filter((page) => page.items.length > 0).length ?? 0
  const searched = query.data?.pages.reduce((sum, page) => sum + (page.searched ?? 0), 0) ?? 0
  const last = query.data?.pages.at(-1)
  const mayLoad = query.hasNextPage && !query.isFetching && pages < pagesMax
  return {
    items,
    searched,
    searchedTo: last === undefined || last.next === null ? null : (last.searched_to?.at ?? null),
    leftOut: last?.leftOut ?? null,
    problem: query.error,
    isLoading: query.isLoading,
    isLoadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage && pages < pagesMax,
    isCut: query.hasNextPage && pages >= pagesMax,
    loadMore: () => {
      if (mayLoad) void query.fetchNextPage()
    },
    reload: () => void query.refetch(),
    readAll: (itemsMax) => readItems(read, itemsMax),
  }
}

/** Reads a list to its end, to the limit or until the time is up. Fails only if it could read nothing. */
export const readItems = async <Item>(read: ReadPage<Item>, itemsMax: number): Promise<ReadItems<Item>> => {
  const signal = AbortSignal.timeout(readAllMsMax)
  const items: Array<Item> = []
  let after: string | undefined
  do {
    const page = await read(after, signal, pageItems).catch((cause: unknown) => {
      if (!signal.aborted || items.length === 0) throw cause
    })
    if (page === undefined) return { items: items.slice(0, itemsMax), isCut: true }
    items.push(...page.items)
    after = page.next ?? undefined
  } while (after !== undefined && items.length < itemsMax)
  return { items: items.slice(0, itemsMax), isCut: after !== undefined || items.length > itemsMax }
}
