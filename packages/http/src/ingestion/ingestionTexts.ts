import { errorText, faultText } from "@inlet/core/log/ErrorText"

/** Error texts for bodies that cannot be read. */
export const bodyTexts = {
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
}

/** Error texts that concern a request as a whole. */
export const ingestionTexts = {
  unavailable: errorText(
    "the request cannot be stored now; send it again later",
    "Send the request again. Nothing was applied. Operators find the cause in the server's log.",
  ),
  lookupUnavailable: errorText(
    "the store cannot be read now; try again later",
    "Send the request again. Operators find the cause in the server's log.",
  ),
  throttled: errorText(
    "the workspace has exceeded its request rate; try again later",
    "Send the request again later, raise `rate_requests` of the workspace, or change its setting `rate_limit`, which is `throttle`.",
  ),
  failed: errorText(
    "internal server error",
    "Operators find the cause in the server's log. Please report it.",
  ),
  malformedPath: errorText(
    "the path contains a malformed percent escape",
    "Encode each part of the path, as `encodeURIComponent` does.",
  ),
  unknownPath: errorText("unknown path", "Compare the path, also its case, with section 2 of the contract."),
  otherAddress: errorText(
    "unknown path at this address",
    "Send ingestion calls to the public address. Send all other calls to the address that `INLET_OPERATOR_HOST` and `INLET_OPERATOR_PORT` set.",
  ),
  methodNotAllowed: errorText(
    "this path does not accept the method; see the Allow header",
    "Use a method that the `Allow` header lists.",
  ),
  unknownWriteKey: errorText("unknown write key", "Create a key, or correct the write key in the web page."),
  unknownScript: errorText(
    "the browser library has no such file",
    "Reload the page, so that all its files are of one version.",
  ),
}
