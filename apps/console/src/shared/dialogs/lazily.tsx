import { use, useSyncExternalStore, type ComponentType, type FunctionComponent } from "react"

const preloads: Array<() => Promise<unknown>> = []

/**
 * Returns a component whose script is loaded when it is first shown, unless `preloadParts` has loaded it before. If the
 * script does not arrive, the component throws `PartNotLoaded`. The loader of the router would reload the page at once,
 * and a browser whose server is away then leaves the console for a page of its own.
 */
export const lazily = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> => {
  let loading: Promise<ComponentType<Props>> | undefined
  const start = (): Promise<ComponentType<Props>> =>
    (loading ??= load().catch((cause: unknown) => {
      throw new PartNotLoaded(cause)
    }))
  preloads.push(start)
  return (props: Props) => {
    const Shown = use(start())
    return <Shown {...props} />
  }
}

/** A part of a page that is useful without it. Something simpler stands in its place until its script has arrived. */
export interface LaterPart<Part> {
  /** Loads the script, if `preloadParts` has not done so yet. A script that does not arrive is asked for again. */
  readonly load: () => void
  /** The part, or undefined until it has arrived. */
  readonly usePart: () => Part | undefined
}

export const later = <Part,>(read: () => Promise<Part>): LaterPart<Part> => {
  let part: Part | undefined
  let isLoading = false
  const waiting = new Set<() => void>()
  const load = async (): Promise<void> => {
    if (isLoading || part !== undefined) return
    isLoading = true
    try {
      part = await read()
      for (const show of waiting) show()
    } finally {
      isLoading = false
    }
  }
  const subscribe = (show: () => void) => {
    waiting.add(show)
    return () => void waiting.delete(show)
  }
  preloads.push(load)
  return {
    load: () => void load().catch(() => undefined),
    usePart: () => useSyncExternalStore(subscribe, () => part),
  }
}

/** The script of a part of the console could not be loaded. */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super("The server did not answer, or it runs another version by now.", { cause })
    this.name = "PartNotLoaded"
  }
}

/** Loads all parts of the console, so that pages open at once, and open while the server is away. */
export const preloadParts = (): void => {
  void Promise.allSettled(preloads.map((preload) => preload()))
}

/**
 * Loads the page again, if the server answers. A browser remembers that a script could not be loaded, and a server of
 * another version has other scripts, so only a new page helps.
 */
export const reloadPage = async (): Promise<void> => {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => undefined)
  if (answer?.ok === true) location.reload()
}
