import { readAvro } from "./avroFile.ts"
import { dataFileOf, decodeEntries, statuses, type DataFile } from "./entries.ts"
import type { TableToCheck } from "./IcebergTable.ts"
import { withRows } from "./listedFiles.ts"

/** Compares what the manifests of a table say of its files with what was committed, and says what is wrong. */
export const checkTable = async ({
  files,
  manifests,
  root,
}: TableToCheck): Promise<ReadonlyArray<string>> => {
  const shown = new Map<string, DataFile>()
  const problems: Array<string> = []
  for (const path of manifests) {
    for (const { data_file, status } of decodeEntries(await readAvro(path))) {
      if (status === statuses.deleted) continue
      if (shown.has(data_file.file_path)) problems.push(`its snapshot names ${data_file.file_path} twice`)
      shown.set(data_file.file_path, data_file)
    }
  }
  for (const file of withRows(files)) {
    const path = `${root}/${file.path}`
    const found = shown.get(path)
    shown.delete(path)
    if (found === undefined) problems.push(`its snapshot does not name ${file.path}`)
    else if (textOf(found) !== textOf(dataFileOf(file, path)))
      problems.push(`its snapshot says of ${file.path} what was not committed`)
  }
  return [
    ...problems,
    ...Array.from(shown.keys(), (path) => `its snapshot names ${path}, which is no file of the lake`),
  ]
}

const textOf = ({ lower_bounds, upper_bounds, ...file }: DataFile): string =>
  JSON.stringify([
    file.partition,
    file.record_count,
    file.file_size_in_bytes,
    file.null_value_counts,
    ...[lower_bounds, upper_bounds].map((bounds) =>
      bounds?.map(({ key, value }) => [key, Buffer.from(value).toString("hex")]),
    ),
  ])
