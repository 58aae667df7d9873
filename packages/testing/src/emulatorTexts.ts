/** The messages of the emulator. What to do about each is in `tests/src/documents/emulatorRemedies.ts`. */
export const emulatorTexts = {
  nodeTooOld: "the emulator needs Node {min} or later: this is Node {version}",
  packageMissing: "the emulator needs the package {name}: run npm install --save-dev {packages}",
  noCapsule: "decide: this is no capsule that this version knows",
  nothingFound: "waitFor found nothing within {ms} ms",
  seedRefused: "call {call} of the seed is {status}: {reason}",
  restarted: "the emulator was reset or restored during an expectation: await the expectation first",
  expected: "expected a {what} that fits the pattern",
  unexpected: "expected no {what}, but the server has one",
  unauthorized: "send `Authorization: Bearer <management token>`",
  unknownRoute: "unknown method and path: {route}",
  unknownSnapshot: "unknown snapshot: {id}",
  bodyTooLarge: "the body must have at most {max} bytes",
} as const
