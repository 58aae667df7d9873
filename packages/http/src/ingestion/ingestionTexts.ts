import { errorText } from "@inlethq/core/log/ErrorText"

/** Error texts that concern a request as a whole. */
export const ingestionTexts = {
  unavailable: errorText(
    "the request cannot be stored now; send it again later",
    "Send the request again. Nothing was applied. Operators find the cause in the server's log.",
  ),
  looped: errorText(
    "this workspace has forwarded the call itself, so it does not take it back",
    "Nothing is lost: the call is in the workspace that it came from. The forward notes it as skipped.",
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
  otherAddress: errorText(
    "unknown path at this address",
    "Send ingestion calls to the public address. Send all other calls to the address that `INLET_OPERATOR_HOST` and `INLET_OPERATOR_PORT` set.",
  ),
  unknownWriteKey: errorText("unknown write key", "Create a key, or correct the write key in the web page."),
  unknownScript: errorText(
    "the browser library has no such file",
    "Reload the page, so that all its files are of one version.",
  ),
}
