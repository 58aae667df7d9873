import { Outlet, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useRefusal } from "../session/useRefusal.ts"
import { useShortcut, useShortcutKeys } from "../shared/shortcuts.ts"
import { useDestinations, type Destination } from "./destinations.ts"
import { ForeignWorkspace } from "./ForeignWorkspace.tsx"
import { Navigation } from "./Navigation.tsx"
import { TopBar } from "./TopBar.tsx"
import { useSearchKey } from "./useSearchKey.ts"
import { useWorkspace } from "./useWorkspace.ts"

const CommandPalette = lazy(() => import("./CommandPalette.tsx").then((m) => ({ default: m.CommandPalette })))
const KeysDialog = lazy(() => import("./KeysDialog.tsx").then((m) => ({ default: m.KeysDialog })))
const NavigationSheet = lazy(() =>
  import("./NavigationSheet.tsx").then((m) => ({ default: m.NavigationSheet })),
)

type Overlay = "palette" | "keys" | "navigation" | null

const foldedKey = "inlet.folded"

/** The frame around every page of the console: the navigation and the top bar. */
export const Frame = () => {
  const [overlay, setOverlay] = useState<Overlay>(null)
  const [isFolded, setFolded] = useState(() => localStorage.getItem(foldedKey) === "yes")
  const destinations = useDestinations()
  const close = () => setOverlay(null)
  const isForeign = useRefusal("workspaces.get") !== undefined
  useShortcutKeys()
  useSearchKey(() => setOverlay("palette"))
  useShortcut("?", "Show all keys", () => setOverlay("keys"))
  const fold = () => {
    localStorage.setItem(foldedKey, isFolded ? "no" : "yes")
    setFolded(!isFolded)
  }
  return (
    <div className="flex h-full">
      {destinations.map((destination) => (
        <GoShortcut destination={destination} key={destination.key} />
      ))}
      <a
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-2"
        href="#page"
      >
        Skip to the page
      </a>
      <div className={`shrink-0 border-r border-line max-md:hidden ${isFolded ? "w-12" : "w-52"}`}>
        <Navigation isFolded={isFolded} onFold={fold} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar
          onKeys={() => setOverlay("keys")}
          onMenu={() => setOverlay("navigation")}
          onSearch={() => setOverlay("palette")}
        />
        <main className="min-h-0 flex-1" id="page" tabIndex={-1}>
          {isForeign ? <ForeignWorkspace /> : <Outlet />}
        </main>
      </div>
      <Suspense>
        {overlay === "palette" ? <CommandPalette onClose={close} /> : null}
        {overlay === "keys" ? <KeysDialog onClose={close} /> : null}
        {overlay === "navigation" ? <NavigationSheet onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

interface GoShortcutProps {
  readonly destination: Destination
}

/** Registers the shortcut that opens a page. */
const GoShortcut = ({ destination: { key, label, to } }: GoShortcutProps) => {
  const w = useWorkspace()
  const navigate = useNavigate()
  useShortcut(`g ${key}`, `Go to ${label}`, () => void navigate({ to, params: { w } }))
  return null
}
