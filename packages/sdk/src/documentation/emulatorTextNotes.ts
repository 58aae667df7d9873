import type { emulatorTexts } from "../testing/emulatorTexts.ts"
import type { TextNote } from "./TextNote.ts"

const start = "rejection of `createInlet()`"
const expectation = "rejection of an expectation; 422 of `POST /expectations`"
const control = "answer to a request to `controlUrl`"

/** The documentation of the emulator's messages. */
export const emulatorTextNotes: Readonly<Record<keyof typeof emulatorTexts, TextNote>> = {
  nodeTooOld: {
    seen: start,
    expected: "the Node that the server needs",
    remedy: "Run the tests with a newer Node. The client alone runs on Node 20.",
  },
  packageMissing: {
    seen: start,
    expected: "the optional peer dependencies of `@inlet/sdk`",
    remedy: "Run the command that the message prints.",
  },
  nothingFound: {
    seen: "rejection of `waitFor`",
    expected: "a value within the time",
    remedy: "Check the function, or pass a longer time.",
  },
  seedRefused: {
    seen: start,
    expected: "a seed of calls that the server stores",
    remedy: "Correct the call of the seed for the reason in the message.",
  },
  restarted: {
    seen: "rejection of an expectation; 409 of `POST /expectations`",
    expected: "no reset during an expectation",
    remedy: "Await every expectation before `reset` and `restore`.",
  },
  expected: {
    seen: expectation,
    expected: "data that fit the pattern",
    remedy: "Compare the listed differences and calls with what the test expects.",
  },
  unexpected: {
    seen: expectation,
    expected: "no such person",
    remedy: "Look at the listed calls: one of them has created the person.",
  },
  unauthorized: {
    seen: `${control}, 401`,
    expected: "the management token of the emulator",
    remedy: "Send the `managementToken` that `inlet emulate` printed.",
  },
  unknownRoute: {
    seen: `${control}, 404`,
    expected: "a request of [emulator.md](emulator.md#other-languages)",
    remedy: "Correct the method or the path.",
  },
  unknownSnapshot: {
    seen: `${control}, 404`,
    expected: "one of the newest 16 snapshots",
    remedy: "Take the snapshot again.",
  },
  bodyTooLarge: {
    seen: `${control}, 400`,
    expected: "a smaller body",
    remedy: "Send a shorter pattern.",
  },
}
