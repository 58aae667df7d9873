import type { TokenDocument } from "../../api/documents.ts"
import type { Choice } from "../../shared/fields/ChoiceField.tsx"

export const scopes: ReadonlyArray<Choice<TokenDocument["scope"]>> = [
  { value: "read", label: "read", help: "Reads everything in its workspaces, people included." },
  {
    value: "write",
    label: "write",
    help: "Also changes data: people, objects, segments and forms, imports, and deliveries of webhooks.",
  },
  {
    value: "admin",
    label: "admin",
    help: "Also changes settings, keys and webhooks. For all workspaces it also manages workspaces and tokens.",
  },
]

export const workspacesText = ({ workspaces }: Pick<TokenDocument, "workspaces">): string =>
  workspaces === null ? "all" : workspaces.join(", ")
