import { createReadStream } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { ExportEnd } from "@inlethq/contract/transfer/Exports"
import { PersonExportLine } from "@inlethq/contract/transfer/PersonExport"
import { exportPersonBytes } from "@inlethq/sdk/management/Exports"
import { Effect, Schema, Stream } from "effect"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { pageEnd, pageLine, pageStart, sectionEnd, sectionStart } from "./personHtml.ts"
import { PersonFolder, type ListedFile } from "./PersonFolder.ts"

/** The file of each section. A section without lines has an empty file, so that nobody asks whether it is missing. */
const fileOf: Readonly<Record<PersonExportLine["section"], string>> = {
  profile: "profile.ndjson",
  value: "values.ndjson",
  identity: "identities.ndjson",
  segment: "segments.ndjson",
  delivery: "deliveries.ndjson",
  suppression: "suppressions.ndjson",
  activity: "activity.ndjson",
}

/** The sections in the order of the page. */
const sections = [
  "profile",
  "value",
  "identity",
  "segment",
  "delivery",
  "suppression",
  "activity",
] as const satisfies ReadonlyArray<PersonExportLine["section"]>

const pageFile = "person.html"
const manifestFile = "manifest.json"

const decodeLine = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Union([PersonExportLine, ExportEnd])),
)

interface WrittenExport {
  readonly directory: string
  readonly svc_id: string
  readonly lines: number
  readonly files: ReadonlyArray<ListedFile>
}

/**
 * Exports a person into a folder, which must be empty or missing: a file of JSON lines for each section, a page, and a
 * manifest with the hash of each. Only one line is in memory at a time. A failed export leaves nothing.
 */
export const writePersonExport = Effect.fnUntraced(function* (
  directory: string,
  person: { readonly workspace: number; readonly svcId: string },
) {
  const isEmpty = yield* onFiles(directory, () => PersonFolder.isEmpty(directory))
  if (!isEmpty) return yield* new CommandFailed({ message: cliTexts.folderNotEmpty({ directory }) })
  const folder = yield* onFiles(directory, () => new PersonFolder(directory))
  return yield* Effect.gen(function* () {
    let lines = 0
    let exportedAt = ""
    yield* onFiles(directory, () => {
      for (const section of sections) folder.append(fileOf[section], "")
    })
    yield* exportPersonBytes(person).pipe(
      Stream.decodeText,
      Stream.splitLines,
      Stream.runForEach((text) =>
        onFiles(directory, () => {
          const line = decodeLine(text)
          if (!("section" in line)) return
          lines++
          if (line.section === "profile") exportedAt = line.exported_at
          folder.append(fileOf[line.section], `${text}\n`)
        }),
      ),
    )
    yield* onFiles(directory, () => writePage(folder))
    return yield* onFiles(directory, (): WrittenExport => {
      const files = folder.list()
      const about = { environment_id: person.workspace, svc_id: person.svcId, exported_at: exportedAt }
      const manifest = { export: "inlet-person-1", ...about, files }
      folder.append(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
      folder.sync()
      return { directory, svc_id: person.svcId, lines, files }
    })
  }).pipe(
    Effect.onError(() => Effect.sync(() => folder.remove())),
    Effect.ensuring(Effect.sync(() => folder.close())),
  )
})

/** Writes the page from the files, section by section. */
const writePage = async (folder: PersonFolder): Promise<void> => {
  folder.append(pageFile, pageStart)
  for (const section of sections) {
    const file = join(folder.path, fileOf[section])
    let count = 0
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const line = decodeLine(text)
      if (!("section" in line)) continue
      folder.append(pageFile, (count === 0 ? sectionStart(section) : "") + pageLine(line))
      count++
    }
    folder.append(pageFile, count === 0 ? "" : sectionEnd)
  }
  folder.append(pageFile, pageEnd)
}

const onFiles = <A>(file: string, run: () => A | Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: async () => run(),
    catch: (cause) => {
      const problem = cause instanceof Error ? cause.message : String(cause)
      return new CommandFailed({ message: cliTexts.fileNotWritten({ file, problem }) })
    },
  })
