import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { workspaceQuery } from "../api/workspaceQuery.ts"
import { useRefusal } from "../session/useRefusal.ts"
import { IconButton } from "../shared/buttons/Button.tsx"
import { Icon } from "../shared/buttons/Icon.tsx"
import { lazily } from "../shared/dialogs/lazily.tsx"
import { PartBoundary } from "../shared/dialogs/PartBoundary.tsx"
import { useDestinations, useDestinationsInUse, type Destination } from "./destinations.ts"
import { useWorkspace } from "./useWorkspace.ts"

const WorkspaceDialog = lazily(async () => (await import("./WorkspaceDialog.tsx")).WorkspaceDialog)

interface NavigationProps {
  /** True if the navigation is narrow and shows only icons. */
  readonly isFolded: boolean
  readonly onFold?: () => void
  /** Called after the operator has chosen a page, so that the navigation on a phone closes. */
  readonly onGo?: () => void
}

const allKey = "inlet.allPages"

/** The workspace switcher and the list of pages. Those about features that are not in use are shown on demand. */
export const Navigation = ({ isFolded, onFold, onGo }: NavigationProps) => {
  const w = useWorkspace()
  const [isAll, setAll] = useState(() => localStorage.getItem(allKey) === "yes")
  const all = useDestinations()
  const inUse = useDestinationsInUse()
  const groups = [...Map.groupBy(isAll ? all : inUse, ({ group }) => group)]
  const showAll = (isWanted: boolean): void => {
    localStorage.setItem(allKey, isWanted ? "yes" : "no")
    setAll(isWanted)
  }
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
      <div className="min-h-0 flex-1 overflow-y-auto">
        {groups.map(([group, ofGroup]) => (
          <PageGroup destinations={ofGroup} group={group} isFolded={isFolded} key={group} onGo={onGo} />
        ))}
        {all.length === inUse.length ? null : (
          <MorePages isAll={isAll} isFolded={isFolded} onShow={showAll} />
        )}
      </div>
      <Link
        activeProps={{ className: "bg-hover text-ink font-medium" }}
        aria-label={isFolded ? "Start" : undefined}
        className="flex h-8 items-center gap-2 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:h-11"
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

interface MorePagesProps extends Pick<NavigationProps, "isFolded"> {
  readonly isAll: boolean
  readonly onShow: (isAll: boolean) => void
}

const MorePages = ({ isAll, isFolded, onShow }: MorePagesProps) => {
  const label = isAll ? "Fewer pages" : "More pages"
  return (
    <button
      aria-expanded={isAll}
      aria-label={isFolded ? label : undefined}
      className="mt-1 flex h-7 w-full items-center gap-2 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:h-11"
      onClick={() => onShow(!isAll)}
      title={isFolded ? label : "Pages about what this workspace does not use so far"}
      type="button"
    >
      <Icon name={isAll ? "up" : "down"} />
      {isFolded ? null : label}
    </button>
  )
}

interface PageGroupProps extends Pick<NavigationProps, "isFolded"> {
  readonly group: string
  readonly destinations: ReadonlyArray<Destination>
  readonly onGo: NavigationProps["onGo"]
}

/** Pages that belong together. Folded, a line stands for the name of the group. */
const PageGroup = ({ destinations, group, isFolded, onGo }: PageGroupProps) => {
  const w = useWorkspace()
  return (
    <>
      <p
        aria-hidden="true"
        className={
          isFolded
            ? "mx-2 my-1 h-px overflow-hidden bg-line first:hidden"
            : "px-2 pt-2 pb-0.5 text-xs text-faint first:pt-0"
        }
      >
        {isFolded ? null : group}
      </p>
      <ul aria-label={group} className="space-y-px">
        {destinations.map(({ icon, label, to }) => (
          <li key={to}>
            <Link
              activeProps={{ className: "bg-hover text-ink font-medium" }}
              aria-label={isFolded ? label : undefined}
              className="flex h-7 items-center gap-2 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:h-11"
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
    </>
  )
}

/** Shows the name of the workspace, and opens the dialog that switches to another one. */
const WorkspaceSwitcher = ({ onGo }: Pick<NavigationProps, "onGo">) => {
  const w = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const isForeign = useRefusal("workspaces.get") !== undefined
  const workspace = useQuery({ ...workspaceQuery(w), enabled: !isForeign })
  const name = workspace.data?.name ?? `Workspace ${w}`
  const close = (): void => setOpen(false)
  return (
    <>
      <button
        aria-haspopup="dialog"
        aria-label={`Workspace ${name}. Switch`}
        className="flex h-8 min-w-0 flex-1 items-center gap-1 rounded-md px-1 text-left text-sm font-semibold hover:bg-hover pointer-coarse:h-11"
        onClick={() => setOpen(true)}
        title={name}
        type="button"
      >
        <span className="truncate">{name}</span>
        <Icon className="size-3 text-faint" name="down" />
      </button>
      {isOpen ? (
        <PartBoundary onFailure={close}>
          <WorkspaceDialog onClose={close} onGo={() => onGo?.()} />
        </PartBoundary>
      ) : null}
    </>
  )
}
