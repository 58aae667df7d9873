import { errorText } from "@inlet/core/log/ErrorText"

/** Error texts for requests that fail before a route is found. */
export const connectionTexts = {
  notHttp: errorText("the request is not valid HTTP", {
    seen: "every port: 400",
    expected: "HTTP/1.1",
    remedy: "Check the client. If a proxy in front of Inlet accepts TLS, check that it forwards plain HTTP.",
  }),
  unencodedPath: errorText("the path contains a character that must be percent-encoded", {
    seen: "every port: 400",
    expected: "a path of ASCII characters",
    remedy: "Percent-encode the path.",
  }),
  headersTooLarge: errorText("the headers are larger than {bytes} bytes", {
    seen: "every port: 431",
    expected: "smaller headers",
    remedy: "Send fewer or shorter headers and cookies.",
  }),
  chunkExtensionsTooLarge: errorText("the chunk extensions of the body are too large", {
    seen: "every port: 413",
    expected: "chunks without long extensions",
    remedy: "Remove the chunk extensions.",
  }),
  requestTimedOut: errorText("the request did not arrive in time", {
    seen: "every port: 408, and the connection is closed",
    expected: "headers within 10 s, and the whole request within 45 s",
    remedy: "Check the sender's network.",
  }),
  transferEncoding: errorText(
    "HTTP/1.0 does not support Transfer-Encoding; send Content-Length, or use HTTP/1.1",
    {
      seen: "every port: 400, and the connection is closed",
      expected: "a body with `Content-Length`, or HTTP/1.1",
      remedy: "Correct the client or the proxy.",
    },
  ),
  manyHosts: errorText("the request has {count} Host headers; it must have one", {
    seen: "every port: 400, and the connection is closed",
    expected: "one `Host` header",
    remedy: "Correct the client or the proxy.",
  }),
  noHost: errorText("the Host header is missing", {
    seen: "every port: 400, and the connection is closed",
    expected: "one `Host` header",
    remedy: "Correct the client or the proxy.",
  }),
}
