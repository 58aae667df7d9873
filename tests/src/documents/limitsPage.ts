import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import { operatorLimits } from "./operatorLimits.ts"

/** A named limit in the source, with its value as people read it. */
interface NamedLimit {
  readonly file: string
  readonly name: string
  readonly text: string
  readonly value: string
}

interface SourceFile {
  readonly file: string
  readonly source: string
}

const introduction = `# Limits

The limits that somebody who sends, reads or operates can meet. The first table lists what each workspace can change; the others are fixed. Sizes count bytes of UTF-8, and a KB is 1024 bytes.
[bounds.md](bounds.md) has every bound of every queue, buffer, page and wait, with its place in the source.

\`pnpm generate\` takes the values from the source.
`

const boundsIntroduction = `# Bounds

Every queue, buffer, page and wait is bounded. This page lists all fixed bounds with the constant in the source; [limits.md](limits.md) has those that users and operators meet, and what a workspace can change. Sizes count
bytes of UTF-8, and a KB is 1024 bytes.

\`pnpm generate\` makes it from the constants and their comments.
`

const workspaceIntroduction = `
## Settings of a workspace

[Settings](operations/settings.md#settings-of-a-workspace) shows how to change them. [contract.md](contract.md#contract-5) says where each applies, and \`records_max\`, \`retention_days\` and
other settings that limit how much is stored are in [data](operations/data.md#retention).

| setting | default | limits |
|---|---|---|
`

/** The file with the limits that a workspace can change. */
const workspaceLimits = "packages/core/src/workspace/Limits.ts"

/** The sections of the page. A limit belongs to the first section with the beginning of its path. */
const sections: ReadonlyArray<readonly [heading: string, paths: ReadonlyArray<string>]> = [
  [
    "Connections and requests",
    [
      "http/src/listener",
      "http/src/ingestion",
      "http/src/credentials",
      "http/src/health/Health",
      "http/src/problems",
    ],
  ],
  ["Segments by rule", ["core/src/rule", "core/src/membership"]],
  [
    "Calls",
    ["wire/src/decoding", "wire/src/track", "wire/src/pipelines", "core/src/workspace", "core/src/state"],
  ],
  ["Commits", ["engine/src/commits", "core/src/Batch.ts"]],
  ["Entries of the activity log", ["core/src/log"]],
  [
    "Imports",
    ["wire/src/csv", "contract/src/transfer/Imports", "core/src/ports/Upload", "http/src/management/imports"],
  ],
  [
    "Webhooks",
    [
      "contract/src/webhooks/Webhooks",
      "log/src/reporting",
      "core/src/ports/WebhookStore",
      "core/src/webhook",
      "http/src/management/webhooks",
      "outbound/src/webhooks",
    ],
  ],
  ["Kafka", ["outbound/src/follower", "kafka/src"]],
  [
    "The lake",
    [
      "contract/src/transfer/LakeSettingsDocument",
      "core/src/ports/LakeFiles",
      "lake/src",
      "outbound/src/lake",
    ],
  ],
  [
    "Management API and console",
    [
      "contract/src",
      "log/src/reading",
      "log/src/filter",
      "log/src/history",
      "log/src/explanation",
      "core/src/catalog",
      "core/src/ports/ManagementTokens",
      "engine/src/reads",
      "http/src/access",
      "http/src/console",
      "http/src/management",
    ],
  ],
  ["Audit log", ["core/src/audit", "core/src/ports/AuditLog", "http/src/audit"]],
  ["Stores", ["storage/src"]],
  ["The embedded store", ["storage-sqlite/src"]],
  ["PostgreSQL", ["storage-postgres/src"]],
  ["Elsewhere", [""]],
]

/** Constants that look like limits, but are facts about formats. */
const facts = new Set(["characterBytesMax", "epochMillisMax", "numberBytesMax"])

/** The packages without limits of a server: clients, tests, and the store in memory. */
const left = new Set(["testing", "postgres-server", "sdk", "storage-memory", "store-conformance"])

/** Returns the page with the limits that users and operators meet. */
export const limitsPage = (root: string): string => {
  const sources = sourcesBelow(root)
  const texts = textsIn(sources.find(({ file }) => file === workspaceLimits)?.source ?? "")
  const settings = Object.entries(defaultLimits).map(
    ([name, value]) =>
      `| \`${settingName(name)}\` | ${valueText(name, value)} | ${limitText(texts.get(name) ?? "")} |\n`,
  )
  const fixed = fixedLimits(sources)
  const tables = operatorLimits.map(([heading, about, limits]) => {
    const rows = limits.map(
      ([text, constant, file]) => `| ${text} | ${valueOfLimit(fixed, constant, file)} |\n`,
    )
    return `\n## ${heading}\n\n${about === "" ? "" : `${about}\n\n`}| limit | value |\n|---|---|\n${rows.join("")}`
  })
  return introduction + workspaceIntroduction + settings.join("") + tables.join("")
}

/** Returns the page with the fixed bounds of the packages below this folder. */
export const boundsPage = (root: string): string => {
  const fixed = fixedLimits(sourcesBelow(root))
  const tables = sections.map(([heading], at) => {
    const rows = fixed.filter(({ file }) => sectionOf(file) === at).map(rowOf)
    return rows.length === 0
      ? ""
      : `\n## ${heading}\n\n| bound | value | name |\n|---|---|---|\n${rows.join("")}`
  })
  return boundsIntroduction + tables.join("")
}

const fixedLimits = (sources: ReadonlyArray<SourceFile>): ReadonlyArray<NamedLimit> => {
  const known = constantsIn(sources)
  return sources
    .flatMap((source) => limitsIn(source, known))
    .filter(({ file, name }) => file !== workspaceLimits || !Object.hasOwn(defaultLimits, name))
}

const valueOfLimit = (fixed: ReadonlyArray<NamedLimit>, constant: string, file: string): string => {
  const found = fixed.filter((limit) => limit.name === constant && limit.file.endsWith(`/${file}`))
  const values = new Set(found.map(({ value }) => value))
  const [value, ...others] = values
  if (value === undefined || others.length > 0)
    throw new Error(`${values.size} values of the limit ${constant} in files named ${file}`)
  return value
}

const sourcesBelow = (root: string): ReadonlyArray<SourceFile> =>
  readdirSync(join(root, "packages"))
    .filter((name) => !left.has(name))
    .flatMap((name) => {
      const folder = `packages/${name}/src`
      return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .toSorted()
        .map((file) => ({
          file: `${folder}/${file}`,
          source: readFileSync(join(root, folder, file), "utf8"),
        }))
    })

const sectionOf = (file: string): number =>
  sections.findIndex(([, paths]) => paths.some((path) => file.startsWith(`packages/${path}`)))

const rowOf = ({ file, name, text, value }: NamedLimit): string =>
  `| ${text} | ${value} | [\`${name}\`](../${file}) |\n`

/** Matches a constant, or a field of an object literal, with a name that says it is a limit. */
const limitPattern =
  /^ *(?:export )?(?:const )?(\w+(?:Max|MaxMs|MsMax|TimeoutMs|RetentionMs|WindowMs))(?: =|:) ([^\n]+?),?$/gm

/** Returns the limits in a file that have a docstring and a value that the page can show. */
export const limitsIn = (
  { file, source }: SourceFile,
  known: ReadonlyMap<string, string> = constantsIn([{ file, source }]),
): ReadonlyArray<NamedLimit> => {
  const texts = textsIn(source)
  const own = new Map([...known, ...constantsIn([{ file, source }])])
  return [...source.matchAll(limitPattern)].flatMap(([, name = "", expression = ""]) => {
    const text = limitText(texts.get(name) ?? "")
    const value = shownValue(name, expression, own)
    return text === "" || value === undefined || facts.has(name) ? [] : [{ file, name, text, value }]
  })
}

/** Returns the docstrings of the constants and fields of a file, by their names. */
const textsIn = (source: string): ReadonlyMap<string, string> =>
  new Map(
    [
      ...source.matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*(?:export )?(?:const |readonly )?(\w+)(?: =|:)/g),
    ].map(([, text = "", name = ""]) => [name, text.replaceAll(/\s*\n\s*\* ?/g, " ").trim()]),
  )

/** Returns what a limit is about: the first sentence of its docstring, without what every limit has in common. */
const limitText = (docstring: string): string => {
  const [sentence = ""] = /^.*?[^.]\.(?= |$)/.exec(docstring) ?? [docstring]
  const text = sentence
    .replace(/^The (?:largest |longest |latest |most )?(?:total )?(?:numbers? of |amount of )?/, "")
    .replaceAll(/ \([^)]*\)/g, "")
    .replace(
      /,? in (?:bytes of UTF-8|UTF-8|bytes|milliseconds|seconds|characters)(?=,| that| for|\.|$),?/,
      "",
    )
    .replace(/^milliseconds/, "time")
    .replace(/\.$/, "")
    .replaceAll("|", "\\|")
  // An abbreviation such as PEM keeps its case.
  return /^[A-Z][A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)
}

/** Returns the expressions of the constants in these files that stand on one line, by their names. */
const constantsIn = (sources: ReadonlyArray<SourceFile>): ReadonlyMap<string, string> =>
  new Map(
    sources.flatMap(({ source }) =>
      [...source.matchAll(/^(?:export )?const (\w+)(?:: number)? = ([\w *+./()-]+)$/gm)].map(
        ([, name = "", expression = ""]) => [name, expression] as const,
      ),
    ),
  )

const shownValue = (
  name: string,
  expression: string,
  known: ReadonlyMap<string, string>,
): string | undefined => {
  const duration = /^"(\d+ \w+)"$/.exec(expression)?.[1]
  const value = valueOf(expression, known)
  return duration ?? (value === undefined ? undefined : valueText(name, value))
}

/** Returns the value of a product, of a number, or of a known constant. Returns undefined for any other expression. */
const valueOf = (expression: string, known: ReadonlyMap<string, string>): number | undefined => {
  const factors = expression
    .replaceAll(/[()]/g, "")
    .split(/ (?=[*/] )/)
    .map((factor) => {
      const isDivisor = factor.startsWith("/ ")
      const operand = factor.replace(/^[*/] /, "")
      const constant = known.get(operand)
      const value = constant === undefined ? numberOf(operand) : valueOf(constant, known)
      return value !== undefined && isDivisor ? 1 / value : value
    })
  return factors.reduce((product, factor) =>
    product === undefined || factor === undefined ? undefined : product * factor,
  )
}

const numberOf = (text: string): number | undefined =>
  /^[\d_.]+$/.test(text) ? Number(text.replaceAll("_", "")) : undefined

/** Returns a value in the unit that the name of its limit says. */
const valueText = (name: string, value: number): string => {
  if (/Ms(?!\w*Bytes)/.test(name)) return inUnits(value, durations)
  if (name.includes("Seconds")) return inUnits(value * 1000, durations)
  if (name.includes("Bytes")) return inUnits(value, sizes)
  return value.toLocaleString("en")
}

type Units = ReadonlyArray<readonly [size: number, unit: string]>

const durations: Units = [
  [86_400_000, "days"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
  [1, "ms"],
]

const sizes: Units = [
  [1024 * 1024, "MB"],
  [1024, "KB"],
  [1, "bytes"],
]

const inUnits = (value: number, units: Units): string => {
  const [size, unit] = units.find(([size]) => value >= size && Number.isInteger((value / size) * 10)) ?? [
    1,
    "",
  ]
  const text = `${(value / size).toLocaleString("en")} ${unit}`.trim()
  return text === "1 days" ? "1 day" : text
}

/** Returns the name of a limit in the management API, such as `person_id_bytes`. */
const settingName = (name: string): string =>
  name.replace(/Max$/, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
