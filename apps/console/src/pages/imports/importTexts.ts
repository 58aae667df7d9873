import type { ImportDocument } from "../../api/documents.ts"

export const stateTexts: Readonly<Record<ImportDocument["state"], string>> = {
  uploading: "uploading",
  waiting: "waiting",
  running: "running",
  cancelling: "cancelling",
  done: "done",
  cancelled: "cancelled",
  failed: "failed",
}

export const hasEnded = ({ ended_at }: ImportDocument): boolean => ended_at !== null

/** Says what became of a file. A row that was imported in part is not a failed row, and has a reason. */
export const resultText = ({ errors, failed, reason, rows, state }: ImportDocument): string => {
  switch (state) {
    case "uploading":
      return "The file is being uploaded."
    case "waiting":
      return "The file is uploaded. It waits for its turn."
    case "running":
      return "The file is being imported. You can leave this page."
    case "cancelling":
      return "The import is being cancelled."
    case "cancelled":
      return "The import was cancelled. Rows that were imported stay."
    case "failed":
      return `Nothing more was imported: ${reason ?? "the import failed"}.`
    case "done":
      break
  }
  if (rows === 0) return "The file has no rows."
  if (failed > 0) return "The import is complete. Some rows failed."
  return errors === 0 ? "Every row was read." : "Every row was read. Of some rows, a part was left out."
}
