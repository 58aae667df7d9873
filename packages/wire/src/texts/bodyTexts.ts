import { catalogue, faultText } from "@inlethq/core/log/ErrorText"

/** Error texts for bodies that cannot be read. */
export const bodyTexts = catalogue("body_", {
  timedOut: faultText(
    "malformed",
    "the body did not arrive in time",
    "Check the sender's network, or send less in one call.",
  ),
  corrupt: faultText(
    "malformed",
    "the body is not compressed as its Content-Encoding says",
    "Correct the compression or the `Content-Encoding` header.",
  ),
  unknownEncoding: faultText(
    "invalid",
    "the Content-Encoding is not supported: expected gzip or deflate",
    "Compress the body in another way, or not at all.",
  ),
  busy: faultText(
    "too_large",
    "too many request bodies are being received; try again later",
    "Send the request again later. Nothing was applied.",
  ),
  aborted: faultText(
    "malformed",
    "the connection ended before the whole request arrived",
    "Send the request again. Nothing was applied.",
  ),
})
