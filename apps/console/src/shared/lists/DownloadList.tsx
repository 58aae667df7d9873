import { useMutation } from "@tanstack/react-query"
import { IconButton } from "../buttons/Button.tsx"
import { csvOf } from "./csv.ts"
import type { Column } from "./DataTable.tsx"
import { download } from "./download.ts"
import { count, counted } from "../values/figures.ts"
import { notify, notifyFailure } from "../dialogs/notices.ts"
import type { Pages } from "./usePages.ts"

/** The largest number of rows of a downloaded list. An export has no such limit. */
const rowsMax = 10_000

interface DownloadListProps<Item> {
  /** The name of the list, which becomes the name of the file. */
  readonly name: string
  readonly columns: ReadonlyArray<Column<Item>>
  readonly pages: Pages<Item>
}

/** A button that downloads a list as CSV: the rows that its filters choose, with the columns of the page. */
export const DownloadList = <Item,>({ columns, name, pages }: DownloadListProps<Item>) => {
  const save = useMutation({
    mutationFn: () => pages.readAll(rowsMax),
    onSuccess: ({ isCut, items }) => {
      download(`${name.toLowerCase()}.csv`, csvOf(columns, items))
      notify(
        isCut
          ? `The file has the first ${count(rowsMax)} rows of the list. Exports, under Imports, have all of them.`
          : `${counted(items.length, "row", "rows")} downloaded.`,
      )
    },
    onError: (problem) => notifyFailure("The list could not be downloaded.", problem),
  })
  return (
    <IconButton
      disabled={save.isPending}
      icon="download"
      label="Download the list as CSV"
      onClick={() => save.mutate()}
    />
  )
}
