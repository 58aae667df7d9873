import { matchQuery, type QueryClient, type QueryKey } from "@tanstack/react-query"

/**
 * After an item was deleted, reloads the queries with keys that begin with `list`, except queries with keys that begin
 * with `item`. The panel of the deleted item is still open for a moment, and the server would answer the panel's
 * queries with 404.
 */
export const reloadAfterDelete = (queries: QueryClient, list: QueryKey, item: QueryKey): Promise<void> =>
  queries.invalidateQueries({ queryKey: list, predicate: (query) => !matchQuery({ queryKey: item }, query) })
