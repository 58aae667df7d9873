import type { clientTexts } from "../clientTexts.ts"
import type { TextNote } from "./TextNote.ts"

const options = "thrown by `new Inlet()`; `InvalidOptions` of `@inlet/sdk/effect`"
const outcome = "`reason` of an outcome; warning of the client"
const warning = "warning of the client"

/** The documentation of the client's messages. */
export const clientTextNotes: Readonly<Record<keyof typeof clientTexts, TextNote>> = {
  urlMissing: {
    seen: options,
    expected: "the address of the server",
    remedy: "Set the option `url` or the environment variable `INLET_URL`.",
  },
  urlInvalid: {
    seen: options,
    expected: "an absolute http or https address",
    remedy: "Correct the option `url` or `INLET_URL`.",
  },
  writeKeyMissing: {
    seen: options,
    expected: "a Pipelines key",
    remedy: "Set the option `writeKey` or the environment variable `INLET_WRITE_KEY`.",
  },
  writeKeyInvalid: {
    seen: options,
    expected: "a key as the server printed it",
    remedy: "Copy the key again. A line break or a colon does not belong to it.",
  },
  numberInvalid: {
    seen: options,
    expected: "an integer in the named range",
    remedy: "Correct the option. Times are in milliseconds.",
  },
  signalUnknown: {
    seen: options,
    expected: "signals that ask a process to end",
    remedy: "Correct the option `flushOnSignals`. No program can handle SIGKILL.",
  },
  callTooLarge: {
    seen: outcome,
    expected: "a call of at most `callBytesMax` bytes",
    remedy: "Send fewer or shorter properties.",
  },
  callNotJson: {
    seen: outcome,
    expected: "values that JSON can hold",
    remedy: "Remove cycles and bigints from the properties.",
  },
  schemaAsync: {
    seen: outcome,
    expected: "a schema that validates synchronously",
    remedy: "Remove asynchronous checks from the schema of the event.",
  },
  beforeSendThrew: {
    seen: outcome,
    expected: "a `beforeSend` that does not throw",
    remedy: "Correct `beforeSend`. The call was not sent; other calls are not affected.",
  },
  beforeSendInvalid: {
    seen: outcome,
    expected: "a call with its `type`, or null",
    remedy: "Return the changed call, or null to discard it. `beforeSend` must not be asynchronous.",
  },
  beforeSendDiscarded: {
    seen: "`reason` of an outcome",
    expected: "nothing: the program asked for it",
    remedy: "None. `discarded` of the client counts these calls.",
  },
  disabled: {
    seen: "`reason` of an outcome",
    expected: "nothing: the program asked for it",
    remedy: "None. Remove the option `disabled` to send calls.",
  },
  bufferFull: {
    seen: outcome,
    expected: "room in the buffer of the client",
    remedy: "Await each call, which waits for room, or use a spool.",
  },
  clientClosed: {
    seen: outcome,
    expected: "a call before `close()`",
    remedy: "Close the client only after the last call.",
  },
  closedWithoutAnswer: {
    seen: outcome,
    expected: "an answer within `closeMs`",
    remedy: "Check that the server is reachable, raise `closeMs`, or use a spool.",
  },
  endedBySignal: {
    seen: outcome,
    expected: "an answer within `signalFlushMs`",
    remedy: "Check that the server is reachable, or raise `signalFlushMs`. A spool has kept the call.",
  },
  endedWithoutAnswer: {
    seen: outcome,
    expected: "an answer before the process ended",
    remedy: "Await `flush()` or `close()` before the program ends.",
  },
  keptInSpool: {
    seen: outcome,
    expected: "a later client with the same spool",
    remedy: "None. The call is sent when the server is back, or by the next run of the program.",
  },
  givenUp: {
    seen: outcome,
    expected: "a server that accepts the call within `giveUpMs`",
    remedy: "Correct the problem that the message names, or use a spool.",
  },
  noAnswer: {
    seen: outcome,
    expected: "an answer within `requestTimeoutMs`",
    remedy: "The client retries. If it never succeeds, check the server and what is between.",
  },
  unreachable: {
    seen: outcome,
    expected: "a server at the address in `url`",
    remedy: "The client retries. If it never succeeds, check the address and that the server runs.",
  },
  answered: {
    seen: outcome,
    expected: "an answer with the status 200",
    remedy: "The message is the server's: look it up on this page. 401 means a wrong `writeKey`.",
  },
  redirected: {
    seen: outcome,
    expected: "an answer without a redirect",
    remedy: "Set `url` to the address that the message names.",
  },
  notInlet: {
    seen: outcome,
    expected: "the answer of an Inlet server",
    remedy: "Correct `url`: another server or a sign-in page of a proxy has answered.",
  },
  willRetry: {
    seen: warning,
    expected: "a server that accepts the calls",
    remedy: "None if the server is back soon. Otherwise correct the problem that the message names.",
  },
  callLost: {
    seen: warning,
    expected: "a call that the server stores",
    remedy: "Correct the problem that the message names. Use `onOutcome` to see every call.",
  },
  lostAtExit: {
    seen: warning,
    expected: "no queued calls when the process ends",
    remedy: "Await `flush()` or `close()` before `process.exit()`, set `flushOnSignals`, or use a spool.",
  },
}
