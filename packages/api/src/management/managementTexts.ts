import { errorText } from "@inlet/core/log/ErrorText"

/** Error texts of the management API that the server and its clients share. */
export const managementTexts = {
  wrongCursor: errorText("must be the `next` value of an earlier page", {
    seen: "management API, lists: 400, with the prefix `after: `",
    expected: "the `next` value of an earlier page of the same list",
    remedy: "Send the value of `next` unchanged, or leave `after` out to begin at the first page.",
  }),
  exportInterrupted: errorText("the export is incomplete; start it again: {problem}", {
    seen: "SDK and command line, exports",
    expected: "a connection that lasts until the last line of the export",
    remedy: "Run the same command again. A file is only written when an export is complete.",
  }),
  connectionClosed: errorText("the connection closed before the last line", {
    seen: "SDK and command line, exports",
    expected: "a server that runs until the export ends",
    remedy: "Check that the server runs, and export again.",
  }),
  importInterrupted: errorText("import interrupted; send the same file again to resume", {
    seen: "SDK and command line, imports",
    expected: "a connection that lasts until the summary",
    remedy: "Run the same command again. Rows that were imported are skipped.",
  }),
}
