import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { readDocument, root } from "../../src/documents/documents.ts"
import { guideBlocks } from "../../src/guideBlocks.ts"

/** The snippets of the section about commands, in the order of its steps. */
const snippets = (): ReadonlyArray<string> => {
  const [, section = ""] = /^## Add a command\n(.*?)^## /ms.exec(readDocument("docs/extending.md")) ?? []
  return guideBlocks(section)
    .filter(({ info }) => info === "ts")
    .map(({ text }) => text)
}

/** Copies the sources of core and of the wire formats into a folder. Returns the folder. */
const copyPackages = (): string => {
  const folder = freshDirectory()
  const modules = join(folder, "node_modules")
  mkdirSync(join(modules, "@inlethq"), { recursive: true })
  for (const name of ["core", "wire"]) {
    const source = join(root, "packages", name)
    for (const part of ["src", "package.json"]) {
      cpSync(join(source, part), join(folder, name, part), { recursive: true })
    }
    symlinkSync(join(folder, name), join(modules, "@inlethq", name))
  }
  for (const [name, part] of [
    ["core", "effect"],
    ["wire", "ipaddr.js"],
  ] as const)
    symlinkSync(realpathSync(join(root, "packages", name, "node_modules", part)), join(modules, part))
  return folder
}

/** Changes a file. Each text must be there once. */
const edit = (file: string, ...changes: ReadonlyArray<readonly [text: string, changed: string]>): void =>
  writeFileSync(
    file,
    changes.reduce(
      (source, [text, changed]) => {
        expect(source.split(text), `${file}: ${text}`).toHaveLength(2)
        return source.replace(text, () => changed)
      },
      readFileSync(file, "utf8"),
    ),
  )

const program = `
import { decodeEntity } from "@inlethq/wire/track-v2/entity"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { decideAll } from "@inlethq/core/Batch"
import { makeWorkingSet } from "@inlethq/core/fold/WorkingSet"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Result } from "effect"

const workspace = { ...defaultSettings("Acme", "us"), id: WorkspaceId.make(1) }
const person = { type: "person", identifiers: { id: "ada" } }
const commands = [
  { ...person, action: "identify", attributes: { unsubscribed: true } },
  { ...person, action: "resubscribe" },
  { ...person, identifiers: { id: "bob" }, action: "resubscribe" },
].map((item) => Result.getOrThrow(decodeEntity({ workspace, brand: defaultBrand, source: "track-v2", receivedAt: 0, batchIndex: null }, item)))
const state = makeWorkingSet(workspace.id, SubjectKey.make(1), Sequence.make(1), (text) => text)
const { entries } = decideAll(state, commands)
console.log(JSON.stringify(entries.map(({ changes, kind, outcome }) => ({ changes, kind, outcome }))))
`

describe("docs/extending.md", () => {
  it("adds a command that works, in five steps", () => {
    const [described = "", decided = "", row = "", decoded = "", ...others] = snippets()
    expect(others).toEqual([])
    const folder = copyPackages()
    const core = (file: string) => join(folder, "core/src", file)
    const wire = join(folder, "wire/src/track-v2/people.ts")
    writeFileSync(core("person/commands.ts"), `\n${described}`, { flag: "a" })
    edit(
      core("Command.ts"),
      ["UnmergePeople } from", "UnmergePeople, ResubscribePerson } from"],
      ["  UnmergePeople,\n", "  UnmergePeople,\n  ResubscribePerson,\n"],
    )
    edit(core("person/transitions.ts"), [
      "import type { Attributes } from",
      "import { unsubscribedName, type Attributes } from",
    ])
    writeFileSync(core("person/transitions.ts"), `\n${decided}`, { flag: "a" })
    edit(
      core("CommandTable.ts"),
      ["{ deletePerson, identifyPerson }", "{ deletePerson, identifyPerson, resubscribePerson }"],
      ["  RecordEvent: {", `${row}\n  RecordEvent: {`],
    )
    edit(
      wire,
      [
        "/** The actions of a person and their decoders",
        `${decoded}\n/** The actions of a person and their decoders`,
      ],
      [
        "export const personActions",
        'import { envelope } from "../decoding/envelope.ts"\nexport const personActions',
      ],
      [
        '  ["unsuppress", decodeUnsuppress],\n',
        '  ["unsuppress", decodeUnsuppress],\n  ["resubscribe", decodeResubscribe],\n',
      ],
    )
    writeFileSync(join(folder, "program.ts"), program)

    const printed: unknown = JSON.parse(
      execFileSync(process.execPath, [join(folder, "program.ts")], { encoding: "utf8" }),
    )

    expect(printed).toMatchObject([
      { kind: "identify", outcome: "created" },
      {
        kind: "unsubscribe",
        outcome: "applied",
        changes: [{ path: "unsubscribed", from: true, to: false }],
      },
      { kind: "unsubscribe", outcome: "dropped", changes: [] },
    ])
  })
})
