import { useIsFetching } from "@tanstack/react-query"
import { Outlet, useNavigate } from "@tanstack/react-router"
import { useEffect, useState, type ComponentType } from "react"
import { rememberWorkspace } from "../session/lastWorkspace.ts"
import { useRefusal } from "../session/useRefusal.ts"
import { later, lazily, preloadParts } from "../shared/dialogs/lazily.tsx"
import { PartBoundary } from "../shared/dialogs/PartBoundary.tsx"
import { useShortcut, useShortcutKeys } from "../shared/fields/shortcuts.ts"
import { useDestinations, type Destination } from "./destinations.ts"
import { ForeignWorkspace } from "./ForeignWorkspace.tsx"
import { Navigation } from "./Navigation.tsx"
import { isSearchAsked, useEarlyKeys } from "./earlyKeys.ts"
import type { ActionDialogProps, PaletteAction } from "./PaletteAction.ts"
import { TopBar } from "./TopBar.tsx"
import { useSearchKey } from "./useSearchKey.ts"
import { useWorkspace } from "./useWorkspace.ts"

const CommandPalette = lazily(async () => (await import("./CommandPalette.tsx")).CommandPalette)
const KeysDialog = lazily(async () => (await import("./KeysDialog.tsx")).KeysDialog)
const NavigationSheet = lazily(async () => (await import("./NavigationSheet.tsx")).NavigationSheet)

const notices = later(async () => (await import("./Notices.tsx")).Notices)

type Overlay = "palette" | "keys" | "navigation" | PaletteAction | null

const foldedKey = "inlet.folded"

interface FrameProps {
  /** The dialog of an action that was chosen in the palette. */
  readonly ActionDialog: ComponentType<ActionDialogProps>
}

/** The frame around every page of the console: the navigation and the top bar. */
export const Frame = ({ ActionDialog }: FrameProps) => {
  const [overlay, setOverlay] = useState<Overlay>(() => (isSearchAsked() ? "palette" : null))
  const [isFolded, setFolded] = useState(() => localStorage.getItem(foldedKey) === "yes")
  const destinations = useDestinations()
  const Notices = notices.usePart()
  const close = () => setOverlay(null)
  const isForeign = useRefusal("workspaces.get") !== undefined
  const w = useWorkspace()
  useEffect(() => {
    if (!isForeign) rememberWorkspace(w)
  }, [isForeign, w])
  useShortcutKeys()
  usePreloading()
  useSearchKey(() => setOverlay("palette"))
  useEarlyKeys(overlay === "palette")
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
      {Notices === undefined ? null : <Notices />}
      <PartBoundary onFailure={close}>
        <OpenOverlay {...{ ActionDialog, overlay }} onClose={close} onOpen={setOverlay} />
      </PartBoundary>
    </div>
  )
}

interface OpenOverlayProps extends FrameProps {
  readonly overlay: Overlay
  readonly onOpen: (overlay: Overlay) => void
  readonly onClose: () => void
}

const OpenOverlay = ({ ActionDialog, onClose, onOpen, overlay }: OpenOverlayProps) => {
  switch (overlay) {
    case null:
      return null
    case "palette":
      return <CommandPalette onAction={onOpen} onClose={onClose} onKeys={() => onOpen("keys")} />
    case "keys":
      return <KeysDialog onClose={onClose} />
    case "navigation":
      return <NavigationSheet onClose={onClose} />
    case "send":
    case "unsuppress":
    case "key":
    case "workspace":
    case "switch":
      return <ActionDialog action={overlay} onClose={onClose} />
  }
}

/** Loads the scripts of all pages once the first page has its data and the browser has nothing else to do. */
const usePreloading = (): void => {
  const isLoading = useIsFetching() > 0
  useEffect(() => {
    if (isLoading) return
    const idle = requestIdleCallback(preloadParts)
    return () => cancelIdleCallback(idle)
  }, [isLoading])
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
