import { readFileSync } from "node:fs"
import { join } from "node:path"
import { lakeColumns } from "@inlethq/lake/columns"
import { icebergRead } from "icebird"
import { vi } from "vitest"

/** Answers requests for paths of files, because icebird asks for everything by URL. */
const fetchFile = async (url: unknown, { headers, method }: RequestInit = {}): Promise<Response> => {
  const bytes = readFileSync(String(url))
  const length = { "content-length": String(bytes.length) }
  if (method === "HEAD") return new Response(null, { headers: length })
  const [, from, to] = /bytes=(\d+)-(\d*)/.exec(new Headers(headers).get("range") ?? "") ?? []
  if (from === undefined) return new Response(bytes, { headers: length })
  const end = to === "" || to === undefined ? bytes.length : Number(to) + 1
  return new Response(bytes.subarray(Number(from), end), { status: 206 })
}

/** Reads the activity of a lake in a folder with icebird, with times in milliseconds. */
export const activityByIcebird = async (folder: string): Promise<ReadonlyArray<object>> => {
  const tableUrl = join(folder, "lake/1/activity")
  vi.stubGlobal("fetch", fetchFile)
  try {
    const metadataFileName = `v${readFileSync(join(tableUrl, "metadata/version-hint.text"), "utf8")}.metadata.json`
    const rows = await icebergRead({ tableUrl, metadataFileName })
    return rows
      .toSorted((a, b) => Number(a["position"]) - Number(b["position"]))
      .map((row) => Object.fromEntries(lakeColumns.activity.map(({ name }) => [name, shown(row[name])])))
  } finally {
    vi.unstubAllGlobals()
  }
}

const shown = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return value instanceof Date ? String(value.getTime()) : String(value)
}
