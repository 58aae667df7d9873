import { useId } from "react"
import type { Session } from "../session/session.ts"
import { useSignOut } from "../session/useSignOut.ts"
import { useSession } from "../session/useRefusal.ts"
import { Button } from "../shared/buttons/Button.tsx"
import { Icon } from "../shared/buttons/Icon.tsx"

const scopeTexts: Readonly<Record<Session["scope"], string>> = {
  read: "May read. Nothing can be changed.",
  write: "May read, and change data.",
  admin: "May read, and change data, settings, keys and webhooks.",
}

const workspacesText = ({ workspaces }: Pick<Session, "workspaces">): string => {
  if (workspaces === null) return "For all workspaces."
  return `For workspace${workspaces.length === 1 ? "" : "s"} ${workspaces.join(", ")} only.`
}

/** Shows with which token the browser is signed in and what it may do, and signs it out. */
export const AccountMenu = () => {
  const session = useSession()
  const id = useId()
  return (
    <>
      <button
        className="inline-flex h-8 min-w-8 shrink-0 items-center justify-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:h-11 pointer-coarse:min-w-10"
        popoverTarget={id}
        title={`${session.token}, ${session.scope}`}
        type="button"
      >
        <Icon name="account" />
        <span className="sr-only">Account: </span>
        <span className="max-w-40 truncate max-md:sr-only">{session.token}</span>{" "}
        <span className="rounded-sm border border-line-strong px-1 text-xs leading-4">{session.scope}</span>
      </button>
      <div
        aria-label="Account"
        className="fixed inset-auto top-12 right-2 m-0 w-72 max-w-[calc(100vw-16px)] space-y-3 rounded-lg border border-line bg-raised p-4 text-sm text-ink shadow-lg"
        id={id}
        popover="auto"
        role="group"
      >
        <div className="space-y-1">
          <p className="text-xs text-faint">{session.isPerson ? "Signed in as" : "Signed in with"}</p>
          <p className="font-medium break-words">{session.token}</p>
          {session.grants.map((grant) => (
            <p className="text-muted" key={grant.scope}>
              {scopeTexts[grant.scope]} {workspacesText(grant)}
            </p>
          ))}
        </div>
        <SignOut />
      </div>
    </>
  )
}

const SignOut = () => {
  const leave = useSignOut()
  return (
    <Button className="w-full" disabled={leave.isPending} onClick={() => leave.mutate()}>
      Sign out
    </Button>
  )
}
