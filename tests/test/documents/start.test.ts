import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine, hasTerminals } from "../../src/commandLine.ts"
import { makeCall, walkOf, ways, wordsOf } from "../../src/documents/walks.ts"
import { within } from "../../src/eventually.ts"

/** Starts a server on a terminal, and returns what it prints until it lists the commands to try. */
const welcomeOf = async (command: CommandLine): Promise<string> => {
  const child = command.startOnTerminal(["serve"])
  let printed = ""
  const complete = new Promise<string>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      if (printed.includes("See them:")) resolve(printed)
    })
  })
  return await within("the server prints its first lines", complete)
}

/** The variables of the line that the server prints for another terminal. */
const exported = (welcome: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...welcome.matchAll(/(INLET_\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
  )

describe.skipIf(!hasTerminals).each(ways)("docs/start.md, %s", (way) => {
  const walk = walkOf(way)

  it("shows what the server and the commands print", async () => {
    const data = { INLET_DATA_DIR: freshDirectory(), INLET_PORT: "0" }
    const welcome = await welcomeOf(new CommandLine(data))
    const shown = wordsOf(walk.welcome)
    expect(wordsOf(welcome).slice(0, shown.length)).toEqual(shown)
    const variables = exported(welcome)
    expect((await makeCall(walk, variables)).trim()).toBe(walk.answer.trim())
    const [, id = ""] = /why (\w+)/.exec(walk.why) ?? []
    const explained = await new CommandLine(variables).runProcess(["why", id])
    expect(explained.stderr).toBe("")
    expect(wordsOf(explained.stdout)).toEqual(wordsOf(walk.explanation))
  })
})
