import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { workspacesQuery } from "../api/workspacesQuery.ts"
import { IconButton } from "../shared/Button.tsx"
import { Icon } from "../shared/Icon.tsx"
import { useDestinations } from "./destinations.ts"
import { useWorkspace } from "./useWorkspace.ts"

interface NavigationProps {
  /** True if the navigation is narrow and shows only icons. */
  readonly isFolded: boolean
  readonly onFold?: () => void
  /** Called after the operator has chosen a page, so that the navigation on a phone closes. */
  readonly onGo?: () => void
}

/** The workspace switcher and the list of pages. */
export const Navigation = ({ isFolded, onFold, onGo }: NavigationProps) => {
  const w = useWorkspace()
  const destinations = useDestinations()
  return (
    <nav aria-label="Pages" className="flex h-full min-h-0 flex-col gap-2 bg-surface p-2">
      <div className="flex h-8 items-center gap-1">
        {isFolded ? null : <WorkspaceSwitcher {...(onGo === undefined ? {} : { onGo })} />}
        {onFold === undefined ? null : (
          <IconButton
            icon="fold"
            label={isFolded ? "Show the names of pages" : "Show icons only"}
            onClick={onFold}
          />
        )}
      </div>
      <ul className="min-h-0 flex-1 space-y-px overflow-y-auto">
        {destinations.map(({ icon, label, to }) => (
          <li key={to}>
            <Link
              activeProps={{ className: "bg-hover text-ink font-medium" }}
              aria-label={isFolded ? label : undefined}
              className="flex h-8 items-center gap-2 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:h-10"
              onClick={onGo}
              params={{ w }}
              title={isFolded ? label : undefined}
              to={to}
            >
              <Icon name={icon} />
              {isFolded ? null : label}
            </Link>
          </li>
        ))}
      </ul>
      <Link
        activeProps={{ className: "bg-hover text-ink font-medium" }}
        aria-label={isFolded ? "Start" : undefined}
        className="flex h-8 items-center gap-2 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:h-10"
        onClick={onGo}
        params={{ w }}
        title={isFolded ? "Start" : undefined}
        to="/w/$w/start"
      >
        <Icon name="start" />
        {isFolded ? null : "Start"}
      </Link>
    </nav>
  )
}

const WorkspaceSwitcher = ({ onGo }: Pick<NavigationProps, "onGo">) => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const workspaces = useQuery(workspacesQuery)
  const items = workspaces.data?.items ?? []
  return (
    <select
      aria-label="Workspace"
      className="h-8 min-w-0 flex-1 truncate rounded-md border border-transparent bg-transparent px-1 text-sm font-semibold hover:bg-hover pointer-coarse:h-10"
      onChange={(event) => {
        void navigate({ to: "/w/$w/live", params: { w: event.target.value } })
        onGo?.()
      }}
      value={w}
    >
      {items.some(({ environment_id }) => String(environment_id) === w) ? null : (
        <option value={w}>Workspace {w}</option>
      )}
      {items.map(({ environment_id, name }) => (
        <option key={environment_id} value={String(environment_id)}>
          {name}
        </option>
      ))}
    </select>
  )
}
