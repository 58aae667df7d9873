import type { KeyDocument } from "@inlethq/contract/workspaces/Keys"

/** The name of the API for each kind of key. */
export const apiOf: Readonly<Record<KeyDocument["kind"], string>> = {
  track: "Track API",
  pipelines: "Pipelines API",
  app: "App API",
}
