import { useMutation } from "@tanstack/react-query"
import { Icon } from "../buttons/Icon.tsx"
import { MenuButton, PopoverMenu } from "../buttons/PopoverMenu.tsx"
import { notify, notifyFailure } from "../dialogs/notices.ts"
import { count, counted } from "../values/figures.ts"
import { csvOf } from "./csv.ts"
import type { Column } from "./DataTable.tsx"
import { download } from "./download.ts"
import type { ReadItems } from "./usePages.ts"

/** The largest number of rows of a downloaded list. An export has no such limit. */
const rowsMax = 10_000

const formats = {
  CSV: "CSV: the columns of the list",
  NDJSON: "NDJSON: whole documents, one a line",
} as const

type Format = keyof typeof formats

interface DownloadListProps<Item> {
  /** The name of the list, which becomes the name of the file. */
  readonly name: string
  readonly columns: ReadonlyArray<Column<Item>>
  readonly readAll: (itemsMax: number) => Promise<ReadItems<Item>>
}

/** A menu that downloads the rows that the filters of a list choose. */
export const DownloadList = <Item,>({ columns, name, readAll }: DownloadListProps<Item>) => {
  const save = useMutation({
    mutationFn: async (format: Format) => ({ format, ...(await readAll(rowsMax)) }),
    onSuccess: ({ format, isCut, items }) => {
      const file = name.toLowerCase()
      if (format === "CSV") download(`${file}.csv`, csvOf(columns, items))
      else
        download(
          `${file}.ndjson`,
          items.map((item) => `${JSON.stringify(item)}\n`).join(""),
          "application/x-ndjson",
        )
      notify(
        isCut
          ? `The file has the first ${counted(items.length, "row", "rows")} of the list, of at most ${count(rowsMax)}. Exports, under Imports, have all of them.`
          : `${counted(items.length, "row", "rows")} downloaded.`,
      )
    },
    onError: (problem) => notifyFailure("The list could not be downloaded.", problem),
  })
  return (
    <PopoverMenu
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink disabled:opacity-60 pointer-coarse:size-11"
      isDisabled={save.isPending}
      label="Download the list"
      trigger={<Icon name="download" />}
    >
      {(["CSV", "NDJSON"] as const).map((format) => (
        <MenuButton key={format} onClick={() => save.mutate(format)}>
          {formats[format]}
        </MenuButton>
      ))}
    </PopoverMenu>
  )
}
