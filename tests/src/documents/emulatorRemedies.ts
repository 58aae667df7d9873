import type { emulatorTexts } from "@inlethq/testing/emulatorTexts"

/** What to do about each message of the emulator. */
export const emulatorRemedies: Readonly<Record<keyof typeof emulatorTexts, string>> = {
  nodeTooOld: "Run the tests with a newer Node. The client alone runs on Node 20.",
  packageMissing: "Run the command that the message prints.",
  noCapsule: "Run it with the version that made it, which stands in its field `version`.",
  nothingFound: "Check the function, or pass a longer time.",
  seedRefused: "Correct the call of the seed for the reason in the message.",
  restarted: "Await every expectation before `reset` and `restore`.",
  expected: "Compare the listed differences and calls with what the test expects.",
  unexpected: "Look at the listed calls: one of them has created the person.",
  unauthorized: "Send the `managementToken` that `inlet emulate` printed.",
  unknownRoute: "Correct the method or the path, as in [emulator.md](emulator.md#other-languages).",
  unknownSnapshot: "Take the snapshot again. The emulator keeps the newest 16.",
  bodyTooLarge: "Send a shorter pattern.",
}
