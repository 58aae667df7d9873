import { errorText } from "@inlethq/core/log/ErrorText"
import type { ImportFailure } from "@inlethq/core/ports/ImportJobs"

/** Error texts of the management API that the server and its clients share. */
export const managementTexts = {
  wrongCursor: errorText(
    "must be the `next` value of an earlier page",
    "Send the value of `next` unchanged, or leave `after` out to begin at the first page.",
  ),
  exportInterrupted: errorText(
    "the export is incomplete; start it again: {problem}",
    "Run the same command again. A file is only written when an export is complete.",
  ),
  connectionClosed: errorText(
    "the connection closed before the last line",
    "Check that the server runs, and export again.",
  ),
  importInterrupted: errorText(
    "import interrupted; send the same file again to resume",
    "Run the same command again. Rows that were imported are skipped.",
  ),
}

/** Why an import that the server went on with has failed. */
export const importFailureTexts = {
  wrong_header: errorText(
    "the header of the file is not valid, so no row was imported",
    "Correct the header as the errors of the import say, and import the file again.",
  ),
  file_missing: errorText(
    "the file is not here any more, or not whole: it stays where it was uploaded when data are copied or restored",
    "Import the file again. Rows that were imported are skipped.",
  ),
  upload_interrupted: errorText("the file did not arrive whole", "Import the file again."),
} satisfies Record<ImportFailure, unknown>
