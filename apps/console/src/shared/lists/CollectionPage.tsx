import { useMemo, type ReactNode } from "react"
import { ApiProblem } from "../dialogs/ApiProblem.tsx"
import { Button } from "../buttons/Button.tsx"
import { DataTable, type Column } from "./DataTable.tsx"
import { DownloadList } from "./DownloadList.tsx"
import { EmptyState } from "./EmptyState.tsx"
import { counted } from "../values/figures.ts"
import { ListPage } from "./ListPage.tsx"
import type { NewTerm } from "../query/queryTerms.ts"
import type { Pages } from "./usePages.ts"

interface CollectionPageProps<Item> {
  /** The name of the page, in the plural, such as "Segments". */
  readonly title: string
  readonly pages: Pages<Item>
  /** The items to list, if they differ from those of `pages`. */
  readonly items?: ReadonlyArray<Item>
  /** Returns whether an item is listed, and is in a downloaded list. Without it, all of `pages` are. */
  readonly isListed?: (item: Item) => boolean
  readonly columns: ReadonlyArray<Column<Item>>
  readonly rowKey: (item: Item) => string
  /** The key of the item that is open in the detail panel. A collection without detail panels has none. */
  readonly openKey?: string | undefined
  /** The key of the item that the address points at, if the collection has no detail panels. */
  readonly startKey?: string | undefined
  readonly onOpen: (item: Item) => void
  /** Called with a condition when the operator filters by a value of a cell. */
  readonly onTerm?: (term: NewTerm) => void
  /** Shown in place of a list without items. */
  readonly empty: ReactNode
  /** False if the operator asks for further pages with a button, because each page is a search of its own. */
  readonly isEndless?: boolean
  /** Buttons at the end of the title line. */
  readonly actions?: ReactNode
  /** The filters above the list. */
  readonly controls?: ReactNode
  /** What is said between the filters and the list. */
  readonly notice?: ReactNode
  /** The dialogs of the page. */
  readonly children?: ReactNode
}

/** A page that lists the items of a collection, with the detail of the open item beside the list. */
export const CollectionPage = <Item,>(props: CollectionPageProps<Item>) => {
  const { actions, columns, isEndless = true, isListed = isAnything, openKey, pages, title } = props
  const items = useMemo(
    () => props.items ?? pages.items.filter(isListed),
    [props.items, pages.items, isListed],
  )
  const readAll = async (max: number) => {
    const read = await pages.readAll(max)
    return { ...read, items: read.items.filter(isListed) }
  }
  return (
    <ListPage
      actions={
        <>
          <DownloadList columns={columns} name={title} readAll={readAll} />
          {actions}
        </>
      }
      controls={props.controls}
      isDetailOpen={openKey !== undefined}
      title={title}
    >
      {props.notice}
      {pages.problem === null ? (
        <DataTable
          columns={columns}
          empty={<Empty pages={pages}>{props.empty}</Empty>}
          isLoading={pages.isLoading}
          label={title}
          onEnd={isEndless ? pages.loadMore : undefined}
          onOpen={props.onOpen}
          onTerm={props.onTerm}
          openKey={openKey}
          startKey={props.startKey}
          rowKey={props.rowKey}
          rows={items}
        />
      ) : (
        <ApiProblem
          onRetry={pages.reload}
          problem={pages.problem}
          what={`The ${title.toLowerCase()} could not be loaded.`}
        />
      )}
      {pages.isCut ? (
        <p className="shrink-0 border-t border-line px-4 py-2 text-xs text-muted" role="status">
          The list ends after {counted(items.length, "row", "rows")}. There are more: narrow the list, or
          export them all under Imports.
        </p>
      ) : null}
      {pages.leftOut === null || items.length === 0 ? null : (
        <p className="shrink-0 border-t border-line px-4 py-2 text-xs text-muted" role="status">
          {pages.leftOut}
        </p>
      )}
      {props.children}
    </ListPage>
  )
}

const isAnything = (): boolean => true

interface EmptyProps<Item> {
  readonly pages: Pages<Item>
  readonly children: ReactNode
}

/** What is said in place of items: that there are none only if everything was looked at. */
const Empty = <Item,>({ children, pages }: EmptyProps<Item>) => {
  if (pages.leftOut !== null) return <EmptyState title="Nothing found so far">{pages.leftOut}</EmptyState>
  if (!pages.hasMore && !pages.isCut) return children
  return (
    <EmptyState title="Nothing found so far">
      {pages.isCut ? (
        "The search ends here, before it has looked at everything. Narrow it down."
      ) : (
        <>
          Not everything has been looked at yet.{" "}
          <Button disabled={pages.isLoadingMore} onClick={pages.loadMore}>
            {pages.isLoadingMore ? "Searching…" : "Search on"}
          </Button>
        </>
      )}
    </EmptyState>
  )
}
