import { useParams } from "@tanstack/react-router"

/** Returns the workspace id in the address of the current page. */
export const useWorkspace = (): string => useParams({ from: "/w/$w" }).w
