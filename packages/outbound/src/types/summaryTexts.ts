import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors about summarizing logs. */
export const summaryTexts = {
  thread: errorText(
    "the thread that summarizes logs failed: {reason}",
    "Do nothing: the entries are summarized again. If it happens again, report it with the log of the server.",
  ),
}
