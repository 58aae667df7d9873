import { useQuery } from "@tanstack/react-query"
import { api } from "../api/generated.ts"
import { useRefusal } from "../session/useRefusal.ts"
import { IconButton } from "../shared/buttons/Button.tsx"
import { duration } from "../shared/values/figures.ts"
import { Icon } from "../shared/buttons/Icon.tsx"
import { AccountMenu } from "./AccountMenu.tsx"
import { switchZone, useZone, zoneName } from "../shared/time/zone.ts"
import { useTheme } from "./theme.ts"

interface TopBarProps {
  readonly onMenu: () => void
  readonly onSearch: () => void
  readonly onKeys: () => void
}

/** The bar at the top of the page: search, the state of the connection, the theme, and the account. */
export const TopBar = ({ onKeys, onMenu, onSearch }: TopBarProps) => {
  const [theme, switchTheme] = useTheme()
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line px-2">
      <IconButton className="md:hidden" icon="menu" label="Show the pages" onClick={onMenu} />
      <button
        className="mr-auto flex h-8 w-full max-w-96 min-w-0 items-center gap-2 rounded-md border border-line bg-raised px-2 text-sm text-faint hover:bg-hover pointer-coarse:h-11"
        onClick={onSearch}
        type="button"
      >
        <Icon name="search" />
        <span className="truncate">Search or go to…</span>
        <kbd className="ml-auto hidden font-sans text-xs sm:block">Ctrl K</kbd>
      </button>
      <Connection />
      <ZoneSwitch />
      <IconButton className="max-md:hidden" icon="keyboard" label="Show all keys" onClick={onKeys} />
      <IconButton icon={theme} label={`Theme: ${theme}`} onClick={switchTheme} />
      <AccountMenu />
    </header>
  )
}

/** Says in which time zone all times are shown, and switches between that of the browser and UTC. */
const ZoneSwitch = () => {
  const zone = useZone()
  const name = zoneName(Date.now(), zone)
  const other = zone === "utc" ? "the time zone of your browser" : "UTC"
  return (
    <button
      aria-label={`Time zone: ${name}. Switch to ${other}`}
      className="inline-flex h-8 shrink-0 items-center rounded-md px-2 text-xs text-muted hover:bg-hover hover:text-ink pointer-coarse:h-11"
      onClick={switchZone}
      title={`All times are in ${name}. Switch to ${other}.`}
      type="button"
    >
      {name}
    </button>
  )
}

/** The milliseconds between two reads of the state of the server. */
const serverEveryMs = 10_000

const Connection = () => {
  const isRefused = useRefusal("server.get") !== undefined
  const server = useQuery({
    queryKey: ["server"],
    queryFn: ({ signal }) => api.server.get(signal),
    enabled: !isRefused,
    refetchInterval: serverEveryMs,
    retry: false,
  })
  // A token of some workspaces may not read the state of the server, but every token may list its own workspaces.
  const answer = useQuery({
    queryKey: ["answer"],
    queryFn: ({ signal }) => api.workspaces.list({ limit: 1 }, signal),
    enabled: isRefused,
    refetchInterval: serverEveryMs,
    retry: false,
  })
  const { colour, detail, word } = isRefused
    ? connectionOf({ isError: answer.isError, isAnswered: answer.isSuccess, server: undefined })
    : connectionOf({ isError: server.isError, isAnswered: server.isSuccess, server: server.data })
  return (
    <span className="flex h-8 items-center gap-1.5 px-2 text-xs text-muted" role="status" title={detail}>
      <span aria-hidden="true" className={`size-2 rounded-full ${colour}`} />
      <span className="max-sm:sr-only">{word}</span>
    </span>
  )
}

interface ConnectionFacts {
  readonly isError: boolean
  readonly isAnswered: boolean
  /** Undefined if the session may not read the state of the server. */
  readonly server: Awaited<ReturnType<typeof api.server.get>> | undefined
}

const connectionOf = ({ isAnswered, isError, server }: ConnectionFacts) => {
  if (isError) {
    return {
      word: "No connection",
      colour: "bg-red",
      detail: "The server did not answer. The page tries again every 10 seconds.",
    }
  }
  if (!isAnswered) return { word: "Connecting", colour: "bg-line-strong", detail: "Connecting" }
  if (server === undefined) return { word: "Connected", colour: "bg-green", detail: "The server answers." }
  if (!server.committing) {
    return {
      word: "Not storing",
      colour: "bg-red",
      detail: "The store cannot commit. Calls get the status 503.",
    }
  }
  return {
    word: "Connected",
    colour: "bg-green",
    detail: `Inlet ${server.version}. The oldest queued operation has waited ${duration(server.queue_wait_ms)}.`,
  }
}
