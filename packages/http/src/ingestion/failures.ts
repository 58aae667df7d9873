import { errorText, faultText } from "@inlet/core/log/ErrorText"

const all = "Track, Pipelines"

/** Error texts for bodies that cannot be read. */
export const bodyFaults = {
  timedOut: faultText("malformed", "the body did not arrive in time", {
    seen: `${all}: 408, and the connection is closed`,
    expected: "the whole body within 30 s of its headers",
    remedy: "Check the sender's network, or send less in one call.",
  }),
  corrupt: faultText("malformed", "the body is not compressed as its Content-Encoding says", {
    seen: `${all}: 400`,
    expected: "a body in the encoding that the header names",
    remedy: "Correct the compression or the `Content-Encoding` header.",
  }),
  unknownEncoding: faultText("invalid", "the Content-Encoding is not supported: expected gzip or deflate", {
    seen: `${all}: 415`,
    expected: "`gzip`, `deflate` or no header",
    remedy: "Compress the body in another way, or not at all.",
  }),
  busy: faultText("too_large", "too many request bodies are being received; try again later", {
    seen: `${all}: 503 with \`Retry-After\``,
    expected: "fewer requests at once",
    remedy: "Send the request again later. Nothing was applied.",
  }),
  aborted: faultText("malformed", "the connection ended before the whole request arrived", {
    seen: `${all}: 400`,
    expected: "the whole request body",
    remedy: "Send the request again. Nothing was applied.",
  }),
}

/** Error texts that concern a request as a whole. */
export const requestTexts = {
  unavailable: errorText("the request cannot be stored now; send it again later", {
    seen: `${all}: 503 with \`Retry-After\``,
    expected: "a store that can commit, and space in the queue",
    remedy: "Send the request again. Nothing was applied. Operators find the cause in the server's log.",
  }),
  lookupUnavailable: errorText("the store cannot be read now; try again later", {
    seen: "Pipelines settings: 503",
    expected: "a store that can be read",
    remedy: "Send the request again. Operators find the cause in the server's log.",
  }),
  throttled: errorText("the workspace has exceeded its request rate; try again later", {
    seen: `${all}: 429 with \`Retry-After\``,
    expected:
      "at most `rate_requests` requests in each rate window. Inlet refuses further requests if the workspace setting `rate_limit` is `throttle`",
    remedy: "Send the request again later, or raise `rate_requests` of the workspace.",
  }),
  failed: errorText("internal server error", {
    seen: `${all}: 500`,
    expected: "no error inside Inlet",
    remedy: "Operators find the cause in the server's log. Please report it.",
  }),
  malformedPath: errorText("the path contains a malformed percent escape", {
    seen: `${all}: 400`,
    expected: "UTF-8, percent-encoded",
    remedy: "Encode each part of the path, as `encodeURIComponent` does.",
  }),
  unknownPath: errorText("unknown path", {
    seen: `${all}: 404`,
    expected: "a path of the API, in its exact case",
    remedy: "Compare the path with section 2 of the contract.",
  }),
  otherAddress: errorText("unknown path at this address", {
    seen: "both addresses: 404, if `INLET_OPERATOR_HOST` or `INLET_OPERATOR_PORT` gives operators a separate address",
    expected: "ingestion calls at the public address, and all other calls at the operator address",
    remedy:
      "Send ingestion calls to the public address. Send all other calls to the address that `INLET_OPERATOR_HOST` and `INLET_OPERATOR_PORT` set.",
  }),
  methodNotAllowed: errorText("this path does not accept the method; see the Allow header", {
    seen: `${all}: 405 with \`Allow\``,
    expected: "a method that the path accepts",
    remedy: "Use a method that the `Allow` header lists.",
  }),
  unknownWriteKey: errorText("unknown write key", {
    seen: "Pipelines settings: 404",
    expected: "a write key of this installation",
    remedy: "Create a key, or correct the write key in the web page.",
  }),
  unknownScript: errorText("the browser library has no such file", {
    seen: "Pipelines scripts: 404",
    expected: "a file of the library version that Inlet serves",
    remedy: "Reload the page, so that all its files are of one version.",
  }),
}
