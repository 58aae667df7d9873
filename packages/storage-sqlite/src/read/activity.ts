import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { activityPage, followLog, type ActivityScan } from "@inlet/core/catalog/ActivityScan"
import type { Digest } from "@inlet/core/ports/Digest"
import {
  followedBytesMax,
  type ActivityFilter,
  type Followed,
  type LogPageRequest,
} from "@inlet/core/catalog/Catalog"
import type { Page } from "@inlet/core/values/Page"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Slices } from "@inlet/core/Slices"
import { Option } from "effect"
import type { Database } from "../engine/Database.ts"
import { erasedIn } from "@inlet/storage/activityRecords"
import { pageBytesMax } from "@inlet/storage/pageBudget"
import { scanner } from "./LogScan.ts"
import { keysUnder, type WantedSubjects } from "@inlet/storage/namedSubjects"
import { readNamed } from "./named.ts"
import { readPerson } from "./people.ts"
import { readRecords } from "./activityRecords.ts"
import { Slice } from "@inlet/storage/Slice"

/** Reads one log entry. Returns an empty option if the entry is hidden or missing. */
export const readOperation = (database: Database, digest: Digest["Service"]) => {
  const records = readRecords(database, digest)
  return (workspace: WorkspaceId, sequence: Sequence): Option.Option<ActivityRecord> => {
    const { read } = records([sequence], workspace, new Slice(), Number.POSITIVE_INFINITY)
    return Option.map(Option.fromUndefinedOr(read[0]), ({ record }) => record)
  }
}

/** Makes a function that finds the log entries among the given ones that readers do not see in full. */
export const readErased = (database: Database, digest: Digest["Service"]) => {
  const records = readRecords(database, digest)
  return function* (
    workspace: WorkspaceId,
    sequences: ReadonlyArray<Sequence>,
  ): Slices<ReadonlySet<Sequence>> {
    const erased = new Set<Sequence>()
    for (let from = 0; from < sequences.length;) {
      const rest = sequences.slice(from)
      const { looked, read } = records(rest, workspace, new Slice(), Number.POSITIVE_INFINITY)
      for (const sequence of erasedIn(rest.slice(0, looked), read)) erased.add(sequence)
      from += looked
      yield
    }
    return erased
  }
}

/** Reads log entries that match a filter. `page` reads a page, and `follow` reads the next entries after a position. */
export const readActivity = (database: Database, digest: Digest["Service"]) => {
  const scan = scanner(database, digest)
  const { person } = readPerson(database)

  const named = readNamed(database)

  const subjectsIn = (
    workspace: WorkspaceId,
    { about, person: asked }: ActivityFilter,
  ): WantedSubjects | null => {
    if (asked === null) return about === null ? null : named(workspace, about)
    const found = Option.getOrElse(person(workspace, asked.key), () => asked)
    return { keys: keysUnder(found), anonymousCodes: [], deletions: false }
  }

  const scanOf = (
    workspace: WorkspaceId,
    filter: ActivityFilter,
    { after, end, order }: Omit<LogPageRequest, "limit">,
    bytesMax: number,
  ): ActivityScan => {
    const subjects = subjectsIn(workspace, filter)
    return scan({ workspace, filter, order, end: end ?? null, subjects, bytesMax }, after)
  }

  return {
    *page(
      workspace: WorkspaceId,
      filter: ActivityFilter,
      page: LogPageRequest,
    ): Slices<Page<ActivityRecord, Sequence>> {
      return yield* activityPage(scanOf(workspace, filter, page, pageBytesMax), page.limit)
    },
    *follow(workspace: WorkspaceId, filter: ActivityFilter, after: Sequence | null): Slices<Followed> {
      return yield* followLog(scanOf(workspace, filter, { after, order: "asc" }, followedBytesMax))
    },
  }
}
