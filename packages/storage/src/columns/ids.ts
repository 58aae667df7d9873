import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { SenderId } from "@inlethq/core/log/Sender"
import type { AttemptKey } from "@inlethq/core/webhook/Attempt"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { Brand } from "effect"
import { wholeInstallation, type RowOwner } from "./transferTables.ts"

/*
 * Functions that give branded types to numbers from the database. The functions do not check the numbers, because
 * numbers are checked before they are stored.
 */

export const subjectKey = Brand.nominal<SubjectKey>()
export const workspaceId = Brand.nominal<WorkspaceId>()
export const ownerOf = (workspace: number): RowOwner =>
  workspace === wholeInstallation ? wholeInstallation : workspaceId(workspace)
export const senderId = Brand.nominal<SenderId>()
export const sequenceOf = Brand.nominal<Sequence>()
export const eventPositionOf = Brand.nominal<EventPosition>()
export const attemptKey = Brand.nominal<AttemptKey>()
