import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { request } from "node:http"
import { Schema } from "effect"
import { credentials } from "./Inlet.ts"
import { launch, type Launched } from "./Launched.ts"
import { cliFile } from "./programs.ts"
import { read } from "./Management.ts"

const Summary = Schema.Struct({
  rows: Schema.Int,
  imported: Schema.Int,
  skipped: Schema.Int,
  failed: Schema.Int,
  errors: Schema.Array(Schema.Struct({ line: Schema.Int, message: Schema.String })),
})
export type Summary = typeof Summary.Type

export const summaryOf = (json: string): Summary => read(Summary, JSON.parse(json))

export type Kind = "people" | "events"

const headers: Readonly<Record<Kind, string>> = {
  people: "id,email,first_name,plan,n\n",
  events: "_svc_name,_svc_customer_id,_svc_timestamp,order.number\n",
}

/** Returns row number `n`, counted from 1. The row is invalid if `n` is a multiple of `badEvery`. */
const rowOf = (kind: Kind, n: number, badEvery: number): string => {
  const bad = n % badEvery === 0
  switch (kind) {
    case "people":
      return bad ? `,,nobody,free,${n}\n` : `p${n},p${n}@example.com,"First, ${n}",pro,${n}\n`
    case "events":
      return `bought,${bad ? "stranger" : `p${n}`},${1_700_000_000 + n},${n}\n`
  }
}

/** Writes a CSV file in which one of every `badEvery` rows is invalid. */
export const writeCsv = (file: string, kind: Kind, rows: number, badEvery: number): void => {
  const lines = Array.from({ length: rows }, (_, i) => rowOf(kind, i + 1, badEvery))
  writeFileSync(file, headers[kind] + lines.join(""))
}

/** Returns the number of valid rows in a file of `rows` rows if one of every `badEvery` rows is invalid. */
export const validRowsOf = (rows: number, badEvery: number): number => rows - Math.floor(rows / badEvery)

/** Runs `inlet import` against a server. */
export const startImport = (
  url: string,
  kind: Kind,
  file: string,
  ...args: ReadonlyArray<string>
): Launched =>
  launch({ INLET_URL: url, INLET_MANAGEMENT_TOKEN: credentials.token }, cliFile, [
    "import",
    kind,
    file,
    ...args,
  ])

/** Generates rows as fast as the server reads them, and imports them. Returns the summary at the end of the answer. */
export const sendGenerated = async (
  url: string,
  kind: Kind,
  rows: number,
  onRow: (n: number) => void,
): Promise<Summary> => {
  const outgoing = request(`${url}/management/v1/workspaces/1/imports/${kind}`, {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${credentials.token}`, "content-type": "text/csv" },
  })
  const answered = new Promise<string>((resolve, reject) => {
    outgoing.once("error", reject)
    outgoing.once("response", (incoming) => {
      let last = ""
      incoming.setEncoding("utf8")
      incoming.on("data", (text: string) => {
        last = (last + text).slice(-10_000)
      })
      incoming.once("error", reject)
      incoming.once("end", () => resolve(last.trimEnd().split("\n").at(-1) ?? ""))
    })
  })
  outgoing.write(headers[kind])
  const rowsAtATime = 1000
  for (let n = 1; n <= rows; n += rowsAtATime) {
    const part = Array.from({ length: rowsAtATime }, (_, i) => rowOf(kind, n + i, Infinity)).join("")
    if (!outgoing.write(part)) await once(outgoing, "drain")
    onRow(n)
  }
  outgoing.end()
  return summaryOf(await answered)
}
