import { errorText } from "@inlethq/core/log/ErrorText"

/** Error texts for requests that fail before a route is found. */
export const connectionTexts = {
  notHttp: errorText(
    "the request is not valid HTTP",
    "Check that the client speaks HTTP/1.1. If a proxy in front of Inlet accepts TLS, check that it forwards plain HTTP.",
  ),
  unencodedPath: errorText(
    "the path contains a character that must be percent-encoded",
    "Percent-encode the path.",
  ),
  headersTooLarge: errorText(
    "the headers are larger than {bytes} bytes",
    "Send fewer or shorter headers and cookies.",
  ),
  chunkExtensionsTooLarge: errorText(
    "the chunk extensions of the body are too large",
    "Remove the chunk extensions.",
  ),
  requestTimedOut: errorText(
    "the request did not arrive in time",
    "Send the headers within 10 seconds and the whole request within 45 seconds: check the sender's network.",
  ),
  transferEncoding: errorText(
    "HTTP/1.0 does not support Transfer-Encoding; send Content-Length, or use HTTP/1.1",
    "Correct the client or the proxy.",
  ),
  manyHosts: errorText(
    "the request has {count} Host headers; it must have one",
    "Correct the client or the proxy.",
  ),
  noHost: errorText("the Host header is missing", "Correct the client or the proxy."),
}
