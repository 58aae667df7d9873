import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { api } from "../api/api.ts"
import { signOut } from "../session/session.ts"
import { IconButton } from "../shared/Button.tsx"
import { duration } from "../shared/figures.ts"
import { Icon } from "../shared/Icon.tsx"
import { useTheme } from "./theme.ts"

interface TopBarProps {
  readonly onMenu: () => void
  readonly onSearch: () => void
  readonly onKeys: () => void
}

/** The bar at the top of the page: search, the state of the connection, and the theme. */
export const TopBar = ({ onKeys, onMenu, onSearch }: TopBarProps) => {
  const [theme, switchTheme] = useTheme()
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line px-2">
      <IconButton className="md:hidden" icon="menu" label="Show the pages" onClick={onMenu} />
      <button
        className="mr-auto flex h-8 w-full max-w-96 min-w-0 items-center gap-2 rounded-md border border-line bg-raised px-2 text-sm text-faint hover:bg-hover pointer-coarse:h-10"
        onClick={onSearch}
        type="button"
      >
        <Icon name="search" />
        <span className="truncate">Search or go to…</span>
        <kbd className="ml-auto hidden font-sans text-xs sm:block">Ctrl K</kbd>
      </button>
      <Connection />
      <IconButton className="max-md:hidden" icon="keyboard" label="Show all keys" onClick={onKeys} />
      <IconButton icon={theme} label={`Theme: ${theme}`} onClick={switchTheme} />
      <SignOut />
    </header>
  )
}

/** The milliseconds between two reads of the state of the server. */
const serverEveryMs = 10_000

const Connection = () => {
  const server = useQuery({
    queryKey: ["server"],
    queryFn: ({ signal }) => api.server(signal),
    refetchInterval: serverEveryMs,
    retry: false,
  })
  const { colour, detail, word } = connectionOf(server)
  return (
    <span className="flex h-8 items-center gap-1.5 px-2 text-xs text-muted" role="status" title={detail}>
      <span aria-hidden="true" className={`size-2 rounded-full ${colour}`} />
      <span className="max-sm:sr-only">{word}</span>
    </span>
  )
}

const connectionOf = ({
  data,
  isError,
}: {
  readonly data: Awaited<ReturnType<typeof api.server>> | undefined
  readonly isError: boolean
}) => {
  if (isError) {
    return {
      word: "No connection",
      colour: "bg-red",
      detail: "The server did not answer. The page tries again every 10 seconds.",
    }
  }
  if (data === undefined) return { word: "Connecting", colour: "bg-line-strong", detail: "Connecting" }
  if (!data.committing) {
    return {
      word: "Not storing",
      colour: "bg-red",
      detail: "The store cannot commit. Calls get the status 503.",
    }
  }
  return {
    word: "Connected",
    colour: "bg-green",
    detail: `Inlet ${data.version}. The oldest queued operation has waited ${duration(data.queue_wait_ms)}.`,
  }
}

const SignOut = () => {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const leave = useMutation({
    mutationFn: signOut,
    onSettled: () => {
      queries.clear()
      void navigate({ to: "/sign-in" })
    },
  })
  return <IconButton icon="signOut" label="Sign out" onClick={() => leave.mutate()} />
}
