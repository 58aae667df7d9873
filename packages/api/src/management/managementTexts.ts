import { errorText } from "@inlet/core/log/ErrorText"

/** Error texts of the management API that the server and its clients share. */
export const managementTexts = {
  wrongCursor: errorText("must be the `next` value of an earlier page", {
    seen: "management API, lists: 400, with the prefix `after: `",
    expected: "the `next` value of an earlier page of the same list",
    remedy: "Send the value of `next` unchanged, or leave `after` out to begin at the first page.",
  }),
  importInterrupted: errorText("import interrupted; send the same file again to resume", {
    seen: "SDK and command line, imports",
    expected: "a connection that lasts until the summary",
    remedy: "Run the same command again. Rows that were imported are skipped.",
  }),
}
