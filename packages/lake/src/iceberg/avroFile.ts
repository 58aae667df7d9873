import { writeFile } from "node:fs/promises"
import { hash } from "node:crypto"
import { finished } from "node:stream/promises"
import avro from "avsc"

/** The size and the hash of a file that is written. */
export interface AvroWritten {
  readonly bytes: number
  readonly sha256: string
}

/** Writes records into an Avro file, with texts about it in its header, and syncs it to the disk. */
export const writeAvro = async (
  path: string,
  schema: avro.Schema,
  header: Readonly<Record<string, string>>,
  records: ReadonlyArray<object>,
): Promise<AvroWritten> => {
  const metadata = Object.fromEntries(Object.entries(header).map(([name, text]) => [name, Buffer.from(text)]))
  // The types of the package do not know `metadata`.
  const options = { codec: "deflate", metadata, writeHeader: "always" as const }
  const encoder = new avro.streams.BlockEncoder(schema, options)
  const chunks: Array<Buffer> = []
  encoder.on("data", (chunk: Buffer) => chunks.push(chunk))
  for (const record of records) encoder.write(record)
  encoder.end()
  await finished(encoder)
  const bytes = Buffer.concat(chunks)
  await writeFile(path, bytes, { flush: true })
  return { bytes: bytes.length, sha256: hash("sha256", bytes, "hex") }
}

/** Reads the records of an Avro file. */
export const readAvro = async (path: string): Promise<ReadonlyArray<unknown>> => {
  const records: Array<unknown> = []
  for await (const record of avro.createFileDecoder(path)) records.push(record)
  return records
}
