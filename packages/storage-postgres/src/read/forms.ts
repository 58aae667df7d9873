import type { Page, PageRequest } from "@inlet/core/values/Page"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Form } from "@inlet/core/state/Form"
import { formText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import type { Row } from "@inlet/storage/columns"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { Effect, Option, Schema } from "effect"
import { findByText, pageOf, walkListed } from "./paging.ts"
import type { Read } from "./Read.ts"

const decodeForm = Schema.decodeUnknownSync(Form)

const formOf = (row: Row): Form => decodeForm(subjectFromRow(row))

/** Reads the form with the given id. */
export const readForm = (
  read: Read,
  workspace: WorkspaceId,
  formId: string,
): Effect.Effect<Option.Option<Form>, StoreUnavailable> =>
  Effect.map(
    read((connection) => findByText(connection, workspace, formText(formId), stateCodes.form)),
    Option.map(formOf),
  )

const walkForms = walkListed(stateCodes.form)

/** Lists forms in the order of their keys. */
export const readForms = (
  read: Read,
  workspace: WorkspaceId,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<Form, SubjectKey>, StoreUnavailable> =>
  pageOf(read, walkForms, workspace, [], page, formOf)
