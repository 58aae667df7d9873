import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors about writing a lake. */
export const lakeTexts = {
  folder: errorText(
    "cannot {action} {path}: {reason}",
    "Check that the folder of the lake exists, has space, and may be written by the user that runs Inlet. The log waits, and is written once the folder can be used.",
  ),
  bucket: errorText(
    "cannot {action} {url}: {reason}",
    "Check the endpoint, the region, the key and its permissions: `s3:PutObject`, `s3:GetObject`, `s3:DeleteObject` and `s3:ListBucket`. The log waits, and is written once the bucket can be used.",
  ),
  taken: errorText(
    "another writer publishes each next version of the table in {place} first",
    "Make sure that no other installation writes a lake into the same place, and that the bucket returns what was just written. The log waits.",
  ),
  thread: errorText(
    "the thread that writes files of the lake failed: {reason}",
    "Do nothing: the rows are written again. If it happens again, report it with the log of the server.",
  ),
}
