import { directoryLaws } from "./directoryLaws.ts"
import type { Law } from "./Law.ts"
import { registryLaws } from "./registryLaws.ts"
import { storeLaws } from "./storeLaws.ts"
import { sweepLaws } from "./sweepLaws.ts"

/** What every store promises, each law to be checked against an empty one. */
export const storeConformance: ReadonlyArray<Law> = [
  ...storeLaws,
  ...directoryLaws,
  ...sweepLaws,
  ...registryLaws,
]
