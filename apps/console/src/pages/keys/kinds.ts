import type { KeyDocument } from "@inlet/api/management/Keys"

/** The name of the API that a kind of key is for. */
export const apiOf: Readonly<Record<KeyDocument["kind"], string>> = {
  track: "Track API",
  pipelines: "Pipelines API",
}
