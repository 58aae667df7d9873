const storageKey = "inlet.workspace"

/** Returns the workspace that was opened last in this browser. */
export const lastWorkspace = (): string | null => localStorage.getItem(storageKey)

/** Remembers a workspace, which the next visit opens. */
export const rememberWorkspace = (w: string): void => localStorage.setItem(storageKey, w)
