import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { clientName } from "../../shared/values/clientName.ts"
import { count, counted } from "../../shared/values/figures.ts"
import { Time } from "../../shared/time/Time.tsx"

/** The milliseconds between two reads of what the server refused. */
const refreshMs = 10_000

/** Calls whose key no workspace has. They are of the installation, so only who may see all of it sees them. */
export const UnknownKeys = () => {
  const w = useWorkspace()
  const isRefused = useRefusal("server.get") !== undefined
  const server = useQuery({
    queryKey: ["server"],
    queryFn: ({ signal }) => api.server.get(signal),
    enabled: !isRefused,
    refetchInterval: refreshMs,
  })
  if (isRefused) return null
  const calls = (server.data?.refused_calls ?? []).filter(({ reason }) => reason === "unknown_key")
  const total = calls.reduce((sum, one) => sum + one.calls, 0)
  if (total === 0) {
    return (
      <p className="min-h-10 shrink-0 border-t border-line px-4 py-2.5 text-sm text-muted">
        {server.data === undefined
          ? ""
          : "Calls with unknown keys: none since the server started. They belong to no workspace."}
      </p>
    )
  }
  return (
    <details className="shrink-0 border-t border-line text-sm">
      <summary className="px-4 py-2.5">
        Calls with unknown keys: {counted(total, "call", "calls")} since the server started
      </summary>
      <div
        aria-label="Calls with unknown keys"
        className="max-h-56 overflow-y-auto px-4 pb-3"
        role="region"
        tabIndex={0}
      >
        <p className="pb-2 text-muted">
          No workspace has their key, so none could record them. Compare the key in the client with{" "}
          <Link className="text-accent underline" params={{ w }} to="/w/$w/keys">
            the keys
          </Link>
          .
        </p>
        <ul className="divide-y divide-line">
          {calls.map(({ address, calls: number, key, last_at, route, user_agent }) => (
            <li
              className="grid grid-cols-[56px_minmax(0,1fr)_88px] gap-x-3 py-1.5 lg:grid-cols-[56px_minmax(0,2fr)_minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)_88px]"
              key={`${address} ${key}`}
            >
              <span>{count(number)}</span>
              <span className="truncate font-mono text-xs leading-5" title={key ?? undefined}>
                {key ?? "no key"}
              </span>
              <span className="truncate font-mono text-xs leading-5 text-muted max-lg:col-start-2">
                {route}
              </span>
              <span className="truncate text-muted max-lg:col-start-2" title={user_agent ?? undefined}>
                {user_agent === null ? "" : clientName(user_agent)}
              </span>
              <span className="truncate font-mono text-xs leading-5 text-muted max-lg:col-start-2">
                {address ?? "other addresses"}
              </span>
              <span className="text-muted max-lg:col-start-3 max-lg:row-start-1">
                <Time at={last_at} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}
