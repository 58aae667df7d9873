import { assert, it } from "@effect/vitest"
import { withFlagsForWords } from "../src/texts/words.ts"

it.each([
  [["help"], ["--help"]],
  [
    ["help", "people", "get"],
    ["people", "get", "--help"],
  ],
  [["version"], ["--version"]],
  [
    ["people", "get", "help"],
    ["people", "get", "help"],
  ],
  [[], []],
])("%j means %j", (args, expected) => assert.deepStrictEqual(withFlagsForWords(args), expected))
