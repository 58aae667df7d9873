import type { PlatformError } from "effect"

/** Returns what the operating system says about a failed call, such as `EACCES: permission denied, open 'a.csv'`. */
export const fileProblem = ({ cause, message }: PlatformError.PlatformError): string =>
  cause instanceof Error ? cause.message : message
