import type { ImportDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { failureOf } from "../../api/request.ts"
import type { ImportKind } from "./csvHeader.ts"

interface Upload {
  readonly w: string
  readonly kind: ImportKind
  readonly file: File
}

/** The files that were uploaded since the page was loaded, by their imports. Failed rows can be downloaded from them. */
const uploaded = new Map<string, File>()

export const uploadedFile = (importId: string): File | undefined => uploaded.get(importId)

/** Uploads a file. The server imports it, whether or not the page stays open. */
export const uploadFile = async ({ file, kind, w }: Upload): Promise<ImportDocument> => {
  const response = await fetch(api.importJobs.create(w, { kind, name: file.name }), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "text/csv" },
    body: file,
  })
  if (!response.ok) throw await failureOf(response)
  const job: ImportDocument = await response.json()
  uploaded.set(job.import_id, file)
  return job
}
