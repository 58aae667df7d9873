import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors about sending logs to any destination. */
export const followerTexts = {
  cursorLost: errorText(
    "another server on the same database has begun to send this log",
    "Do nothing: the other server sends the entries, and this server stops.",
  ),
}
