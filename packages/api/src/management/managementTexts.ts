import { errorText } from "@inlet/core/log/ErrorText"

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
