import type { KeyDocument } from "@inlethq/contract/workspaces/Keys"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { apiOf } from "./kinds.ts"

/** The largest number of keys that are read to tell keys of the same name apart. */
const keysReadMax = 1_000

interface KeyLinkProps {
  readonly w: string
  readonly keyId: string
  readonly name: string
}

/** Names a key with what tells it from others of the same name, and leads to it in the list of keys. */
export const KeyLink = ({ keyId, name, w }: KeyLinkProps) => {
  const keys = useQuery({
    queryKey: [w, "keys", "names"],
    queryFn: ({ signal }) => api.keys.list(w, { limit: keysReadMax }, signal),
    staleTime: 30_000,
  })
  const key = keys.data?.items.find(({ key_id }) => key_id === keyId)
  if (key === undefined) return keys.data?.next === null ? `${name}, revoked` : name
  return (
    <Link className="text-accent hover:underline" params={{ w }} search={{ key: keyId }} to="/w/$w/keys">
      {name}, {distinctionOf(key)}
    </Link>
  )
}

const distinctionOf = ({ kind, prefix, site_id }: KeyDocument): string => {
  if (site_id !== null) return `${apiOf[kind]}, site ID ${site_id}`
  return prefix === null ? apiOf[kind] : `${apiOf[kind]}, begins with ${prefix}`
}
