import { useParams } from "@tanstack/react-router"

/** Returns the id of the workspace in the address. */
export const useWorkspace = (): string => useParams({ from: "/w/$w" }).w
