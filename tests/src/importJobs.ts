import { expect } from "vitest"
import { eventually } from "./eventually.ts"
import { send } from "./http.ts"
import { credentials } from "./Inlet.ts"
import type { Tenant } from "./Tenant.ts"

/** An import as the management API shows it. */
export interface ImportDocument {
  readonly import_id: string
  readonly state: string
  readonly rows: number
  readonly imported: number
  readonly skipped: number
  readonly failed: number
  readonly errors: number
  readonly bytes: number
  readonly bytes_read: number
  readonly failure: string | null
}

const hasEnded = ({ state }: ImportDocument): boolean => ["done", "cancelled", "failed"].includes(state)

/** Returns a file of so many people. */
export const peopleFile = (n: number, prefix = "p"): string =>
  `id,email,plan\n${Array.from({ length: n }, (_, i) => `${prefix}${i},${prefix}${i}@example.com,pro`).join("\n")}\n`

/** Sends a file of people, whose import goes on by itself. */
export const uploadImport = async (
  tenant: Tenant,
  file: string,
  query = "",
  headers: Record<string, string> = {},
) =>
  await send(tenant.inlet.url, {
    method: "POST",
    path: `/management/v1${tenant.pathOf(`/imports?kind=people${query}`)}`,
    headers: { authorization: `Bearer ${credentials.token}`, "content-type": "text/csv", ...headers },
    body: file,
  })

export const startImportJob = async (tenant: Tenant, file: string, query = ""): Promise<ImportDocument> => {
  const answer = await uploadImport(tenant, file, query)
  expect(answer.status).toBe(202)
  return answer.json as ImportDocument
}

export const readImport = async (tenant: Tenant, id: string): Promise<ImportDocument> =>
  (await tenant.get(`/imports/${id}`)) as ImportDocument

export const importEnded = (tenant: Tenant, id: string): Promise<ImportDocument> =>
  eventually("the import has ended", async () => {
    const job = await readImport(tenant, id)
    return hasEnded(job) ? job : undefined
  })

export const importBegun = (tenant: Tenant, id: string): Promise<ImportDocument> =>
  eventually("rows were imported", async () => {
    const job = await readImport(tenant, id)
    return job.imported > 0 ? job : undefined
  })
