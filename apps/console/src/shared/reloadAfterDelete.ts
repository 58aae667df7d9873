import { matchQuery, type QueryClient, type QueryKey } from "@tanstack/react-query"

/**
 * Reloads the queries with keys that begin with `list` after an item was deleted. Does not reload the queries with keys
 * that begin with `item`. The panel of the deleted item is still open for a moment, and the server would answer these
 * queries with 404.
 */
export const reloadAfterDelete = (queries: QueryClient, list: QueryKey, item: QueryKey): Promise<void> =>
  queries.invalidateQueries({ queryKey: list, predicate: (query) => !matchQuery({ queryKey: item }, query) })
