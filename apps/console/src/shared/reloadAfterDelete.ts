import { matchQuery, type QueryClient, type QueryKey } from "@tanstack/react-query"

/**
 * Reads the lists with keys that begin with `list` again after an item was deleted. Does not repeat the queries with
 * keys that begin with `item`, because the server would answer 404 while the page still closes the item.
 */
export const reloadAfterDelete = (queries: QueryClient, list: QueryKey, item: QueryKey): Promise<void> =>
  queries.invalidateQueries({ queryKey: list, predicate: (query) => !matchQuery({ queryKey: item }, query) })
