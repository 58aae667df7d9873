import type { FlushSignal } from "./InletOptions.ts"

/** The functions that a client runs when its process receives a signal. */
interface SignalHooks {
  readonly signals: ReadonlyArray<FlushSignal>
  /** Sends the queued calls. Resolves when they have outcomes, or when the time for this is over. */
  readonly flush: () => Promise<void>
  /** Gives up the remaining calls. Runs just before the process ends. */
  readonly end: (signal: FlushSignal) => void
}

type Listener = (signal: FlushSignal) => void

interface Process {
  readonly pid: number
  readonly prependListener: (signal: FlushSignal, listener: Listener) => unknown
  readonly off: (signal: FlushSignal, listener: Listener) => unknown
  readonly listenerCount: (signal: FlushSignal) => number
  readonly kill: (pid: number, signal: FlushSignal) => unknown
  readonly exit: (code: number) => void
}

declare const process: Partial<Process> | undefined

/** The exit codes with which shells report the signals. */
const signalCodes: Readonly<Record<FlushSignal, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGTERM: 143,
}

/** The clients that wait for signals, and the listener for each signal. */
interface Registry {
  readonly clients: Set<SignalHooks>
  readonly listeners: Map<FlushSignal, Listener>
}

/**
 * A program can load the client twice, as ES module and as CommonJS. Both share one registry, because each of two
 * listeners would take the other for a handler of the program, and nothing would end the process.
 */
const registryKey = Symbol.for("@inlethq/sdk/signals")

const sharedRegistry = (): Registry => {
  const known: Registry | undefined = Reflect.get(globalThis, registryKey)
  const registry = known ?? { clients: new Set(), listeners: new Map() }
  Reflect.set(globalThis, registryKey, registry)
  return registry
}

/** Runs the hooks when the process receives one of their signals, until the returned function is called. */
export const onSignals = (hooks: SignalHooks): (() => void) => {
  const node = typeof process === "undefined" || !isProcess(process) ? undefined : process
  if (node === undefined || hooks.signals.length === 0) return () => {}
  const registry = sharedRegistry()
  registry.clients.add(hooks)
  for (const signal of hooks.signals) {
    if (!registry.listeners.has(signal)) listen(node, registry, signal)
  }
  return () => {
    registry.clients.delete(hooks)
    for (const signal of hooks.signals) {
      if (clientsOf(registry, signal).length === 0) unlisten(node, registry, signal)
    }
  }
}

const isProcess = (value: Partial<Process>): value is Process => typeof value.prependListener === "function"

const clientsOf = ({ clients }: Registry, signal: FlushSignal): ReadonlyArray<SignalHooks> =>
  [...clients].filter(({ signals }) => signals.includes(signal))

const listen = (node: Process, registry: Registry, signal: FlushSignal): void => {
  let isFlushing = false
  const end = () => {
    for (const hooks of clientsOf(registry, signal)) hooks.end(signal)
    unlisten(node, registry, signal)
    node.kill(node.pid, signal)
    // The process is still there if it is process 1 of a container, to which the kernel sends no signal without a handler,
    // and in Deno, which removes the handler only after a while.
    node.exit(signalCodes[signal])
  }
  const receive = async () => {
    // If the program has its own handler, the handler decides when the process ends.
    const isOurs = node.listenerCount(signal) === 1
    if (isFlushing) return isOurs ? end() : undefined
    isFlushing = true
    await Promise.all(clientsOf(registry, signal).map((hooks) => hooks.flush()))
    isFlushing = false
    if (isOurs) end()
  }
  const listener = () => void receive()
  registry.listeners.set(signal, listener)
  // The listener runs first, because a handler that the program has added with `once` is gone after it has run.
  node.prependListener(signal, listener)
}

const unlisten = (node: Process, registry: Registry, signal: FlushSignal): void => {
  const listener = registry.listeners.get(signal)
  if (listener !== undefined) node.off(signal, listener)
  registry.listeners.delete(signal)
}
