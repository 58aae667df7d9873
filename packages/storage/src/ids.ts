import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { AttemptKey } from "@inlet/core/webhook/Attempt"
import type { EventPosition } from "@inlet/core/webhook/EventPosition"
import { Brand } from "effect"

/*
 * Functions that give numbers from the database their branded types. They check nothing, because the numbers were
 * validated when they were written.
 */

export const subjectKey = Brand.nominal<SubjectKey>()
export const workspaceId = Brand.nominal<WorkspaceId>()
export const sequenceOf = Brand.nominal<Sequence>()
export const eventPositionOf = Brand.nominal<EventPosition>()
export const attemptKey = Brand.nominal<AttemptKey>()
