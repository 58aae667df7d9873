import type { AnswerOf } from "@inlethq/contract/ManagementCall"
import { api } from "../../api/generated.ts"
import type { PageOf } from "../../api/PageOf.ts"
import { partlySearchedTexts } from "./partlySearched.ts"

export type Found = AnswerOf<"search", "find">["items"][number]

type FoundOf<Kind extends Found["kind"]> = Extract<Found, { readonly kind: Kind }>

/** The largest number of items that are not exact in the list of a search. */
const foundMax = 20

const fullText = `Only the first ${foundMax} that begin with this text are listed. A longer text finds the others.`

/** Returns the items of one kind that a text finds, exact matches first, as the only page of a list. */
export const searchedPage = async <Kind extends Found["kind"], Item>(
  w: string,
  { kind, q }: { readonly kind: Kind; readonly q: string },
  signal: AbortSignal,
  read: (found: FoundOf<Kind>) => Promise<Item>,
): Promise<PageOf<Item>> => {
  const { items, partly_searched } = await api.search.find(w, { q, kind, limit: foundMax }, signal)
  const isWanted = (found: Found): found is FoundOf<Kind> => found.kind === kind
  const isFull = items.filter(({ exact }) => !exact).length >= foundMax
  const leftOut = partly_searched.includes(kind) ? partlySearchedTexts[kind] : isFull ? fullText : undefined
  return {
    items: await Promise.all(items.filter(isWanted).map(read)),
    next: null,
    ...(leftOut !== undefined && { leftOut }),
  }
}
