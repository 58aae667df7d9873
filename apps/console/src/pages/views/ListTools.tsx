import type { ViewDocument } from "@inlethq/contract/workspaces/Views"
import { ColumnMenu } from "../../shared/lists/ColumnMenu.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { SavedViews } from "./SavedViews.tsx"
import type { ViewQuery } from "./ViewQuery.ts"

interface ListToolsProps<Row> {
  readonly w: string
  readonly page: ViewDocument["page"]
  /** All columns that the list can have. */
  readonly columns: ReadonlyArray<Column<Row>>
  /** The parameters of the page's address, `columns` among them. */
  readonly search: ViewQuery & { readonly columns?: string }
  /** Called with the parameters to show. */
  readonly onSearch: (search: ViewQuery) => void
}

/** The menus at the end of a title line: saved views, and columns to choose. */
export const ListTools = <Row,>({ columns, onSearch, page, search, w }: ListToolsProps<Row>) => (
  <>
    <SavedViews onOpen={onSearch} page={page} query={search} w={w} />
    <ColumnMenu
      chosen={search.columns}
      columns={columns}
      onChoose={(chosen) => {
        const { columns: _, ...others } = search
        onSearch(chosen === undefined ? others : { ...others, columns: chosen })
      }}
    />
  </>
)
