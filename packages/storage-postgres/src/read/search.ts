import { foundAmong, type FoundSubject, type SubjectSearch } from "@inlet/core/catalog/SubjectSearch"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Subject } from "@inlet/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { afterPrefix } from "@inlet/storage/prefixSearch"
import { sliceDocumentsMax } from "@inlet/storage/Slice"
import { searchTexts } from "@inlet/storage/subjectSearch"
import { Effect } from "effect"
import { texts } from "../engine/parameters.ts"
import { indexedPrefix, indexedText } from "../tables/indexedText.ts"
import { readObjectTypes } from "./objectTypes.ts"
import type { Read } from "./Read.ts"
import { readSubjects } from "./subjects.ts"

const keysSql = `
  SELECT found.subject FROM unnest($2::text[]) AS wanted (text)
  CROSS JOIN LATERAL (
    SELECT subject FROM identifiers WHERE workspace = $1 AND text = wanted.text COLLATE "C" OFFSET 0
  ) AS found
  UNION
  SELECT found.subject FROM unnest($3::text[], $4::text[]) AS wanted (first, last)
  CROSS JOIN LATERAL (
    SELECT subject FROM identifiers
    WHERE workspace = $1 AND text >= wanted.first COLLATE "C" AND text < wanted.last COLLATE "C"
    ORDER BY text LIMIT $5
  ) AS found`

/** Finds people, objects, deliveries and forms by their lookup texts. */
export const readSearch = (
  read: Read,
  workspace: WorkspaceId,
  search: SubjectSearch,
): Effect.Effect<ReadonlyArray<FoundSubject>, StoreUnavailable> =>
  Effect.gen(function* () {
    const types = yield* read((connection) => readObjectTypes(connection, workspace))
    const { beginnings, whole } = searchTexts(search, types ?? [])
    const from = beginnings.map(indexedPrefix)
    const rows = yield* read((connection) =>
      connection.queryByIndex(keysSql, [
        workspace,
        texts(whole.map(indexedText)),
        texts(from),
        texts(from.map(afterPrefix)),
        search.limit + 1,
      ]),
    )
    const keys = new Set<SubjectKey>(rows.map(([key]) => subjectKey(integer(key))))
    for (const key of [search.personKey, search.objectKey]) if (key !== null) keys.add(key)
    const candidates = [...keys]
    const found: Array<Subject> = []
    for (let at = 0; at < candidates.length; at += sliceDocumentsMax) {
      const part = candidates.slice(at, at + sliceDocumentsMax)
      found.push(...(yield* read((connection) => readSubjects(connection, workspace, part))))
    }
    return foundAmong(found, search)
  })
