import { errorText, faultText } from "@inlet/core/log/ErrorText"

const all = "Track, Pipelines"

/** Errors in reading a body. */
export const bodyFaults = {
  timedOut: faultText("malformed", "the body did not arrive in time", {
    seen: `${all}: 408, and the connection is closed`,
    expected: "the whole body within 30 s of its headers",
    remedy: "Check the sender's network, or send less in one call.",
  }),
  corrupt: faultText("malformed", "the body is not compressed as its Content-Encoding says", {
    seen: `${all}: 400`,
    expected: "a body that can be inflated",
    remedy: "Correct the compression, or the header.",
  }),
  unknownEncoding: faultText("invalid", "the Content-Encoding is not supported: expected gzip or deflate", {
    seen: `${all}: 415`,
    expected: "`gzip`, `deflate` or no header",
    remedy: "Compress the body in another way, or not at all.",
  }),
  busy: faultText("too_large", "too many bodies are arriving at once; try again later", {
    seen: `${all}: 503 with \`Retry-After\``,
    expected: "fewer requests at once",
    remedy: "Send it again. Nothing was applied.",
  }),
  aborted: faultText("malformed", "the request ended early", {
    seen: `${all}: 400`,
    expected: "the whole body",
    remedy: "Send it again.",
  }),
}

/** Errors of a request as a whole. */
export const requestTexts = {
  unavailable: errorText("the service cannot store this now; try again", {
    seen: `${all}: 503 with \`Retry-After\``,
    expected: "a store that can commit, and room in the queue",
    remedy: "Send it again: nothing was applied. Operators find the cause in the log.",
  }),
  lookupUnavailable: errorText("the service cannot look this up now; try again", {
    seen: "Pipelines settings: 503",
    expected: "a store that answers",
    remedy: "Ask again. Operators find the cause in the log.",
  }),
  throttled: errorText("more requests than the workspace may send; try again later", {
    seen: `${all}: 429 with \`Retry-After\``,
    expected: "fewer requests, if the workspace throttles",
    remedy: "Send it again later, or raise `rate_requests` of the workspace.",
  }),
  failed: errorText("the service failed", {
    seen: `${all}: 500`,
    expected: "this should not happen",
    remedy: "Operators find the cause in the log. Please report it.",
  }),
  malformedPath: errorText("the path holds a malformed percent escape", {
    seen: `${all}: 400`,
    expected: "UTF-8, percent-encoded",
    remedy: "Encode each part of the path, as `encodeURIComponent` does.",
  }),
  unknownPath: errorText("unknown path", {
    seen: `${all}: 404`,
    expected: "a path of the API, in its exact case",
    remedy: "Compare the path with the contract, section 2.",
  }),
  otherAddress: errorText("unknown path at this address", {
    seen: "404, if operators have a separate address",
    expected: "ingestion at the public address, everything else at the operator address",
    remedy: "Use the address that `INLET_OPERATOR_HOST` and `INLET_OPERATOR_PORT` name.",
  }),
  methodNotAllowed: errorText("this path does not accept the method; the Allow header lists those it does", {
    seen: `${all}: 405 with \`Allow\``,
    expected: "a method of the path",
    remedy: "Use a method that `Allow` names.",
  }),
  unknownWriteKey: errorText("unknown write key", {
    seen: "Pipelines settings: 404",
    expected: "a write key of this server",
    remedy: "Create a key, or correct the page's.",
  }),
  unknownScript: errorText("the browser library has no such file", {
    seen: "Pipelines scripts: 404",
    expected: "a file of the served version of the library",
    remedy: "Reload the page, so that it loads one version.",
  }),
}

/** Errors that are answered before a request reaches a route. */
export const connectionTexts = {
  notHttp: errorText("the request is not valid HTTP", {
    seen: "every port: 400",
    expected: "HTTP/1.1",
    remedy: "Check the client. With TLS in front of Inlet, check that the proxy decrypts.",
  }),
  unencodedPath: errorText("the path holds a character that must be percent-encoded", {
    seen: "every port: 400",
    expected: "a path in ASCII",
    remedy: "Percent-encode the path.",
  }),
  headersTooLarge: errorText("the headers are larger than {bytes} bytes", {
    seen: "every port: 431",
    expected: "smaller headers",
    remedy: "Remove headers or cookies.",
  }),
  chunkExtensionsTooLarge: errorText("the chunk extensions of the body are too large", {
    seen: "every port: 413",
    expected: "chunks without long extensions",
    remedy: "Remove the extensions.",
  }),
  requestTimedOut: errorText("the request did not arrive in time", {
    seen: "every port: 408, and the connection is closed",
    expected: "headers within 10 s",
    remedy: "Check the sender's network.",
  }),
  transferEncoding: errorText("HTTP/1.0 has no Transfer-Encoding; send Content-Length, or use HTTP/1.1", {
    seen: "every port: 400, and the connection is closed",
    expected: "a body with `Content-Length`, or HTTP/1.1",
    remedy: "Correct the client or the proxy.",
  }),
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
