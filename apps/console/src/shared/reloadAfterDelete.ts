import { matchQuery, type QueryClient, type QueryKey } from "@tanstack/react-query"

/**
 * Reads the lists below the key `list` again after an item was deleted. The queries of the item, which begin with the key
 * `item`, are not repeated, because the server would answer 404 while the page still closes the item.
 */
export const reloadAfterDelete = (queries: QueryClient, list: QueryKey, item: QueryKey): Promise<void> =>
  queries.invalidateQueries({ queryKey: list, predicate: (query) => !matchQuery({ queryKey: item }, query) })
