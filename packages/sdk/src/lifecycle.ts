/** The functions that a client runs when its program ends, and when its web page is hidden or shown. */
export interface LifecycleHooks {
  /**
   * Runs when the process has nothing left to do and would exit. If the function starts work, the process continues
   * until the work ends.
   */
  readonly beforeExit: () => void
  readonly exit: () => void
  /**
   * Runs when the web page becomes hidden, and when it becomes visible again. A hidden page may be closed without a
   * further call.
   */
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

/** True if this code runs in a web page. */
export const isPage = typeof document !== "undefined"

const open = new Set<LifecycleHooks>()
let stopListening: Stop | undefined

/**
 * Calls the hooks when the program ends, or when the page is hidden or shown, until the returned function is called.
 * All clients of a process share one set of listeners.
 */
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
