import { errorText } from "@inlet/core/log/ErrorText"

/** The texts of errors about sending logs to any destination. */
export const followerTexts = {
  cursorLost: errorText("another server on the same database has begun to send this log", {
    seen: "log of the server; `failure` in `GET /management/v1/server`",
    expected: "one server at a time that sends a log",
    remedy: "Do nothing: the other server sends the entries, and this server stops.",
  }),
}
