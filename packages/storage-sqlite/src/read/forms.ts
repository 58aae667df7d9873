import type { Page, PageRequest } from "@inlet/core/values/Page"
import { Form } from "@inlet/core/state/Form"
import { formText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import type { Slices } from "@inlet/core/Slices"
import { Option, Schema } from "effect"
import { stateCodes } from "@inlet/storage/codes"
import type { Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { pageOf, findByText, walkListed } from "./paging.ts"
import { subjectFromRow } from "@inlet/storage/subjectRows"

const decodeForm = Schema.decodeUnknownSync(Form)

const formOf = (row: Row): Form => decodeForm(subjectFromRow(row))

/** Reads the form with an id. */
export const readForm = (database: Database) => {
  const find = findByText(database, stateCodes.form)
  return (workspace: WorkspaceId, formId: string): Option.Option<Form> =>
    Option.map(find(workspace, formText(formId)), formOf)
}

/** Lists forms in the order of their keys. */
export const readForms = (database: Database) => {
  const walk = walkListed(database, stateCodes.form)
  return (workspace: WorkspaceId, page: PageRequest<SubjectKey>): Slices<Page<Form, SubjectKey>> =>
    pageOf((part) => walk(workspace, part), page, formOf)
}
