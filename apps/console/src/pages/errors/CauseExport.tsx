import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import { useMutation } from "@tanstack/react-query"
import { Button } from "../../shared/buttons/Button.tsx"
import { notify, notifyFailure } from "../../shared/dialogs/notices.ts"
import { csvOf } from "../../shared/lists/csv.ts"
import { download } from "../../shared/lists/download.ts"
import type { Period } from "../../shared/time/period.ts"
import { count, counted } from "../../shared/values/figures.ts"
import { columns } from "../live/columns.tsx"
import { operationsOf } from "./operationsOf.ts"

/** The largest number of operations in a file. */
const operationsMax = 10_000

interface CauseExportProps {
  readonly w: string
  readonly cause: CauseDocument
  readonly period: Period
}

type Format = "NDJSON" | "CSV"

/** Buttons that save the operations of a cause in the period as a file. */
export const CauseExport = ({ cause, period, w }: CauseExportProps) => {
  const save = useMutation({
    mutationFn: async (format: Format) => ({
      format,
      ...(await operationsOf(w, cause, period, operationsMax)),
    }),
    onSuccess: ({ format, isCut, items }) => {
      if (format === "CSV") download("calls.csv", csvOf(columns, items))
      else
        download(
          "calls.ndjson",
          items.map((item) => `${JSON.stringify(item)}\n`).join(""),
          "application/x-ndjson",
        )
      notify(
        isCut
          ? `The file has the newest ${count(items.length)} operations. There may be more: choose a shorter period.`
          : `${counted(items.length, "operation", "operations")} downloaded.`,
      )
    },
    onError: (problem) => notifyFailure("The operations could not be downloaded.", problem),
  })
  return (["NDJSON", "CSV"] as const).map((format) => (
    <Button disabled={save.isPending} icon="download" key={format} onClick={() => save.mutate(format)}>
      {format}
    </Button>
  ))
}
