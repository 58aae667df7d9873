/**
 * The messages of the client. What to do about each is in `documentation/clientRemedies.ts`, so that it is not part of web
 * pages.
 */
export const clientTexts = {
  urlMissing:
    "url is missing: set the option or INLET_URL to an http or https address such as http://127.0.0.1:8080",
  urlInvalid: "url must be an http or https address such as http://127.0.0.1:8080: {url}",
  writeKeyMissing:
    "writeKey is missing: set the option or INLET_WRITE_KEY to a Pipelines key of the workspace",
  writeKeyInvalid: "writeKey must be printable ASCII without spaces and colons",
  numberInvalid: "{option} must be an integer from {min} to {max}: {value}",
  signalUnknown: "flushOnSignals must list signals of {known}: {signal}",
  optionsUnknown: "unknown options have no effect: {options}",
  aborted: "the signal of the call was aborted",
  callTooLarge: "the call has {bytes} bytes: expected at most {max}",
  callNotJson: "the call cannot be written as JSON: {reason}",
  schemaAsync: "the schema validates asynchronously; use one that validates synchronously",
  schemaThrew: "the schema threw an error: {reason}",
  functionThrew: "{option} threw an error: {reason}",
  beforeSendThrew: "beforeSend threw an error: {reason}",
  beforeSendInvalid: "beforeSend must return a call or null: it returned {value}",
  beforeSendDiscarded: "beforeSend returned null",
  disabled: "the client is disabled",
  bufferFull: "the buffer is full: await each call, or raise bufferCallsMax and bufferBytesMax",
  clientClosed: "the client is closed",
  closedWithoutAnswer: "the client was closed and the server did not answer within {ms} ms",
  endedBySignal: "the process ended after {signal} and the server did not answer within {ms} ms",
  endedWithoutAnswer: "the process ended before the server answered",
  keptInSpool: "{reason}; kept in the spool",
  spoolFailed: "the spool failed: {reason}",
  givenUp: "given up after {ms} ms: {reason}",
  noAnswer: "no answer within {ms} ms",
  unreachable: "the server cannot be reached: {reason}",
  answered: "the server answered {status}: {message}",
  redirected: "the server redirects to {location}: use that address as url",
  notInlet: "the response does not come from an Inlet server: check the url",
  willRetry: "{reason}; the client will retry",
  callLost: "the call {messageId} is {status}: {reason}",
  lostAtExit: "{calls} calls were lost at exit: await flush() or close() before, or use a spool",
} as const
