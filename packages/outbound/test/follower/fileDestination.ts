import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { Effect, Schema } from "effect"
import { DestinationFailed } from "../../src/follower/Destination.ts"
import { workspaceDestination } from "../../src/follower/workspaceDestination.ts"

/** Appends the log of each workspace to a file in a folder, with one entry in each line. */
export const fileDestination = (folder: string) =>
  workspaceDestination({
    name: "file",
    title: "the copy of a workspace to a file",
    settings: Schema.Struct({ path: Schema.String }),
    settingsOf: ({ id }) => ({ path: join(folder, `${id}.ndjson`) }),
    pagesMax: 10,
    open:
      ({ path }) =>
      (records) =>
        Effect.tryPromise({
          try: () => {
            const lines = records.map((record) => `${JSON.stringify(activityDocument(record, "svc"))}\n`)
            return appendFile(path, lines.join(""))
          },
          catch: (cause) => new DestinationFailed({ message: `cannot write to ${path}: ${String(cause)}` }),
        }),
  })
