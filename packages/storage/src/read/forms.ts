import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Form } from "@inlethq/core/state/Form"
import { formText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect, Option, Schema } from "effect"
import { stateCodes } from "../columns/codes.ts"
import type { Row } from "../columns/columns.ts"
import { subjectFromRow } from "../rows/subjectRows.ts"
import type { Read } from "./ReadQueries.ts"
import { readPage } from "./subjectPages.ts"

const decodeForm = Schema.decodeUnknownSync(Form)

const formOf = (row: Row): Form => decodeForm(subjectFromRow(row))

export const readForm = (
  read: Read,
  workspace: WorkspaceId,
  formId: string,
): Effect.Effect<Option.Option<Form>, StoreUnavailable> =>
  read((ask) => Effect.map(ask.byText(workspace, formText(formId), stateCodes.form), Option.map(formOf)))

/** Lists forms in the order of their keys. */
export const readForms = (
  read: Read,
  workspace: WorkspaceId,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<Form, SubjectKey>, StoreUnavailable> =>
  readPage(read, workspace, { _tag: "OfKind", state: stateCodes.form }, page, formOf)
