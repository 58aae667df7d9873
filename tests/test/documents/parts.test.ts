import { globSync } from "node:fs"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { readDocument, root } from "../../src/documents/documents.ts"

const Dependencies = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
const Manifest = Schema.fromJsonString(
  Schema.Struct({
    dependencies: Dependencies,
    devDependencies: Dependencies,
    optionalDependencies: Dependencies,
    peerDependencies: Dependencies,
  }),
)

const manifests = globSync("{.,packages/*,apps/*,tests,bench,examples,site}/package.json", { cwd: root })

const dependenciesOf = (manifest: string): ReadonlyArray<string> =>
  Object.values(Schema.decodeUnknownSync(Manifest)(readDocument(manifest)))
    .flatMap((dependencies) => Object.entries(dependencies))
    .flatMap(([name, version]) => (version.startsWith("workspace:") ? [] : [name]))

const [, parts = ""] = readDocument("docs/architecture.md").split("\n## Parts\n")
const listed = [...parts.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = ""]) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
)

/** Returns whether a row is about a dependency. A name that ends in `*` is about all that begin like it. */
const isAbout = (name: string, dependency: string): boolean =>
  name.endsWith("*") ? dependency.startsWith(name.slice(0, -1)) : dependency === name

describe("the parts in docs/architecture.md", () => {
  const used = [...new Set(manifests.flatMap(dependenciesOf))].toSorted()

  it("list every dependency of every manifest", () => {
    expect(used).toContain("effect")
    expect(used.filter((dependency) => !listed.some((name) => isAbout(name, dependency)))).toEqual([])
  })

  it("list nothing that no manifest has, except what Node or a script brings", () => {
    const unused = listed.filter((name) => !used.some((dependency) => isAbout(name, dependency)))
    expect(unused).toEqual(["node:sqlite", "versitygw"])
  })
})
