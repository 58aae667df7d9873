import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { Brand } from "effect"

/*
 * Brands for numbers that come from the database. They were validated when they were written, so they are not checked again.
 */

export const subjectKey = Brand.nominal<SubjectKey>()
export const workspaceId = Brand.nominal<WorkspaceId>()
export const sequenceOf = Brand.nominal<Sequence>()
