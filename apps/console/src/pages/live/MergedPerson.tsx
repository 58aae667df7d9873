import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { personName } from "../../shared/values/personName.ts"

interface MergedPersonProps {
  readonly w: string
  readonly filter: string
}

/** Says into whom the person was merged whom a filter names, with a link to the operations of the person who remains. */
export const MergedPerson = ({ filter, w }: MergedPersonProps) => {
  const named = personIn(filter)
  const found = useQuery({
    queryKey: [w, "merged person", named],
    queryFn: ({ signal }) => api.search.find(w, { q: named ?? "", kind: "person", limit: 1 }, signal),
    enabled: named !== undefined,
  })
  for (const one of found.data?.items ?? []) {
    if (one.kind !== "person" || one.merged_svc_id === null) continue
    return (
      <>
        {named} was merged into{" "}
        <Link
          className="text-accent hover:underline"
          params={{ w }}
          search={{ filter: `person:${one.svc_id}` }}
          to="/w/$w/live"
        >
          {personName(one)}
        </Link>
        .{" "}
      </>
    )
  }
  return null
}

/** Returns the first person whom a filter names. */
const personIn = (filter: string): string | undefined => {
  const [, quoted, bare] = /(?:^|\s)person:(?:"([^"]+)"|(\S+))/.exec(filter) ?? []
  return quoted ?? bare
}
