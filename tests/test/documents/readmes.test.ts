import { readdirSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { readDocument, root } from "../../src/documents/documents.ts"
import { guideBlocks } from "../../src/guideBlocks.ts"

const Manifest = Schema.fromJsonString(
  Schema.Struct({ exports: Schema.Record(Schema.String, Schema.Unknown) }),
)

/** An import of a module of Inlet in a program of a page. */
interface Imported {
  readonly module: string
  readonly names: ReadonlyArray<string>
}

const importsIn = (program: string): ReadonlyArray<Imported> =>
  [...program.matchAll(/^import (?:\{ ([^}]*) \}|\* as \w+) from "(@inlethq\/[^"]+)"$/gm)].map(
    ([, names = "", module = ""]) => ({
      module,
      names: names.split(", ").filter((name) => name !== "" && !name.startsWith("type ")),
    }),
  )

/** Returns the file that a package exports under the name of a module. */
const fileOf = (module: string): string => {
  const [, name = "", subpath = ""] = /^@inlethq\/([^/]+)(?:\/(.*))?$/.exec(module) ?? []
  const { exports } = Schema.decodeUnknownSync(Manifest)(readDocument(`packages/${name}/package.json`))
  const target = exports[subpath === "" ? "." : `./${subpath}`] ?? exports["./*"]
  if (typeof target !== "string") throw new Error(`${module} is not exported`)
  return join(root, "packages", name, target.replace("*", subpath))
}

const pages = readdirSync(join(root, "packages"))
  .map((name) => `packages/${name}/README.md`)
  .filter((page) => page !== "packages/sdk/README.md")

describe("the READMEs of the packages", () => {
  const imports = pages.flatMap((page) =>
    guideBlocks(readDocument(page))
      .filter(({ info }) => info === "ts")
      .flatMap(({ text }) => importsIn(text).map(({ module, names }) => [page, module, names] as const)),
  )

  it("every page shows an import", () => {
    expect(new Set(imports.map(([page]) => page))).toEqual(new Set(pages))
  })

  it.each(imports)("%s imports what %s exports", async (_page, module, names) => {
    const exported: object = await import(fileOf(module))
    expect(Object.keys(exported)).toEqual(expect.arrayContaining([...names]))
  })
})
