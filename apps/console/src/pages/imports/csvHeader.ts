import { checkHeader } from "@inlethq/wire/csv/checkHeader"
import type { WorkspaceDocument } from "../../api/documents.ts"

export type ImportKind = "people" | "events"

/** A column of a file, and what the import does with it. */
export interface CsvColumn {
  readonly name: string
  readonly meaning: string
}

/** The number of bytes at the beginning of a file that are searched for the header. */
const headerBytesMax = 64 * 1024

const peopleColumns: ReadonlyMap<string, string> = new Map([
  ["id", "identifies the person"],
  ["email", "identifies the person"],
  ["svc_id", "identifies the person"],
  ["cio_id", "identifies the person"],
  ["created_at", "time of creation"],
  ["_timestamp", "time of the update"],
  ["unsubscribed", "subscription state"],
])

const eventColumns: ReadonlyMap<string, string> = new Map([
  ["_svc_name", "name of the event"],
  ["_cio_name", "name of the event"],
  ["_svc_customer_id", "identifies the person"],
  ["_cio_customer_id", "identifies the person"],
  ["_svc_timestamp", "time of the event"],
  ["_cio_timestamp", "time of the event"],
])

const known = { people: peopleColumns, events: eventColumns } as const
const others = { people: "attribute", events: "data of the event" } as const

/** The columns of a file, and why the file cannot be imported. */
export interface FileHeader {
  readonly columns: ReadonlyArray<CsvColumn>
  /** Empty if the file can be imported. */
  readonly faults: ReadonlyArray<string>
}

/** The settings of a workspace by which the header of a file is checked. */
interface HeaderWorkspace {
  readonly identifiers: WorkspaceDocument["identifiers"]
  readonly limits: Pick<WorkspaceDocument["limits"], "attribute_name_bytes">
}

/** Reads the header of a file as the import will, before the file is uploaded. */
export const readHeader = async (
  file: File,
  kind: ImportKind,
  { identifiers, limits }: HeaderWorkspace,
): Promise<FileHeader> => {
  const bytes = new Uint8Array(await file.slice(0, headerBytesMax).arrayBuffer())
  const { faults, names } = checkHeader(bytes, kind, {
    identifiers: { id: identifiers.includes("id"), email: identifiers.includes("email") },
    limits: { attributeNameBytesMax: limits.attribute_name_bytes },
  })
  const columns = names.map((name) => ({ name, meaning: known[kind].get(name) ?? others[kind] }))
  return { columns, faults }
}
