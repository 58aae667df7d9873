import { readdirSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { readDocument, root } from "../../src/documents/documents.ts"
import { importsIn, modulesOf, mutual, unplaced, upward, type Layers } from "../../src/documents/layers.ts"
import { packageLayers } from "../../src/documents/packageLayers.ts"

const modules = (folder: string) => modulesOf(join(root, folder, "src"))

const importsOf = (folder: string) => [...modules(folder)].flatMap(([file, text]) => importsIn(file, text))

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    publishConfig: Schema.optionalKey(
      Schema.Struct({ exports: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)) }),
    ),
  }),
)

/** Returns the modules that a package exports to those who install it. */
const publishedBy = (name: string): Readonly<Record<string, Schema.Json>> | undefined =>
  Schema.decodeUnknownSync(Manifest)(readDocument(`packages/${name}/package.json`)).publishConfig?.exports

describe("the layers of packages", () => {
  it.each(packageLayers)(
    "every file of $folder is in one layer, and imports only its own layer and lower ones",
    (table) => {
      expect(unplaced(table, modules(table.folder).keys())).toEqual([])
      expect(upward(table, importsOf(table.folder))).toEqual([])
    },
  )
})

describe("the folders of a package", () => {
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  )

  it.each(folders)("no two folders of %s import each other", (folder) => {
    expect(mutual(importsOf(folder))).toEqual([])
  })
})

describe("a published package", () => {
  const published = new Map(
    readdirSync(join(root, "packages")).map((name) => [name, publishedBy(name)] as const),
  )

  it.each([...published].flatMap(([name, exported]) => (exported === undefined ? [] : [name])))(
    "@inlethq/%s imports only what other packages publish",
    (name) => {
      const imports = [...modules(`packages/${name}`).values()].flatMap((source) =>
        [...source.matchAll(/from "@inlethq\/([a-z-]+)\/([^"]+)"/g)].map(([, from = "", module = ""]) => ({
          from,
          module,
        })),
      )
      const unpublished = imports.filter(
        ({ from, module }) => published.get(from)?.[`./${module}`] === undefined,
      )
      expect(unpublished).toEqual([])
    },
  )
})

describe("the check of layers", () => {
  const table: Layers = { folder: "packages/things", rows: [["Top.ts", "middle/"], ["low/"]] }

  it("finds a planted import of a higher layer, however it is written", () => {
    const planted = [
      ['import { a } from "../middle/a.ts"', "middle/a.ts"],
      ['import type { Top } from "../Top.ts"', "Top.ts"],
      ['export { a } from "../middle/a.ts"', "middle/a.ts"],
      ['import "../Top.ts"', "Top.ts"],
      ['const a = await import("../middle/a.ts")', "middle/a.ts"],
    ]
    for (const [source = "", to] of planted) {
      expect(upward(table, importsIn("low/b.ts", source)), source).toEqual([{ from: "low/b.ts", to }])
    }
  })

  it("accepts imports of the same layer, of lower ones and of other packages", () => {
    const imports = importsIn(
      "middle/a.ts",
      'import { b } from "../low/b.ts"\nimport { Top } from "../Top.ts"\nimport { c } from "@inlethq/core/c"',
    )
    expect(imports).toHaveLength(2)
    expect(upward(table, imports)).toEqual([])
  })

  it("finds a file that no layer contains", () => {
    expect(unplaced(table, ["Top.ts", "low/b.ts", "lower/b.ts", "Other.ts"])).toEqual([
      "lower/b.ts",
      "Other.ts",
    ])
  })

  it("finds two folders that import each other", () => {
    const there = importsIn("a/one.ts", 'import { two } from "../b/two.ts"')
    const back = importsIn("b/three.ts", 'import { four } from "../a/four.ts"')
    expect(mutual(there)).toEqual([])
    expect(mutual([...there, ...back])).toEqual(["a -> b", "b -> a"])
  })
})
