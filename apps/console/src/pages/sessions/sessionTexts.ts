import type { SessionRow } from "../../api/documents.ts"

const kinds: Readonly<Record<SessionRow["kind"], string>> = {
  token: "token",
  link: "sign-in link",
  person: "issuer",
}

export const openedBy = ({ kind }: SessionRow): string => kinds[kind]

/** Returns each scope with its workspaces, such as `write in 1, 2; read in all`. */
export const rightsText = ({ grants }: Pick<SessionRow, "grants">): string =>
  grants
    .map(({ scope, workspaces }) => `${scope} in ${workspaces === null ? "all" : workspaces.join(", ")}`)
    .join("; ")
