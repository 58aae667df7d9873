/** What a client does when the program that uses it ends. */
export interface LifecycleHooks {
  /** The process has nothing left to do but would wait for what this starts. */
  readonly beforeExit: () => void
  readonly exit: () => void
  /** A page is hidden, and may not be shown again, or is shown again. */
  readonly hidden: (isHidden: boolean) => void
}

type Stop = () => void

interface Emitter {
  readonly on?: (event: "beforeExit" | "exit", listener: () => void) => unknown
  readonly off?: (event: "beforeExit" | "exit", listener: () => void) => unknown
}

interface Page {
  readonly visibilityState: string
  readonly addEventListener: (event: "visibilitychange", listener: () => void) => void
  readonly removeEventListener: (event: "visibilitychange", listener: () => void) => void
}

declare const process: Emitter | undefined
declare const document: Page | undefined

/** Whether this is a web page. */
export const isPage = typeof document !== "undefined"

const open = new Set<LifecycleHooks>()
let stopListening: Stop | undefined

/** Calls the hooks until the returned function is called. All clients share one listener for each event. */
export const onLifecycle = (hooks: LifecycleHooks): Stop => {
  open.add(hooks)
  stopListening ??= listen()
  return () => {
    open.delete(hooks)
    if (open.size > 0) return
    stopListening?.()
    stopListening = undefined
  }
}

const listen = (): Stop => {
  const stopProcess = typeof process === "undefined" ? undefined : listenToProcess(process)
  const stopPage = typeof document === "undefined" ? undefined : listenToPage(document)
  return () => {
    stopProcess?.()
    stopPage?.()
  }
}

const beforeExit = () => {
  for (const hooks of open) hooks.beforeExit()
}

const exit = () => {
  for (const hooks of open) hooks.exit()
}

const listenToProcess = (emitter: Emitter): Stop => {
  emitter.on?.("beforeExit", beforeExit)
  emitter.on?.("exit", exit)
  return () => {
    emitter.off?.("beforeExit", beforeExit)
    emitter.off?.("exit", exit)
  }
}

const listenToPage = (page: Page): Stop => {
  const change = () => {
    for (const hooks of open) hooks.hidden(page.visibilityState === "hidden")
  }
  page.addEventListener("visibilitychange", change)
  return () => page.removeEventListener("visibilitychange", change)
}
