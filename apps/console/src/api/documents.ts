import type { AnswerOf, BodyOf } from "@inlethq/contract/ManagementCall"

// Documents whose JSON differs from what the server decodes it to: keys are numbers without a brand.

export type ActivityDocument = AnswerOf<"activity", "apply">
export type AuditDocument = AnswerOf<"audit", "list">["items"][number]
export type DuplicateDocument = AnswerOf<"duplicates", "list">["items"][number]
export type ErasureDocument = AnswerOf<"erasures", "get">
export type ImportDocument = AnswerOf<"importJobs", "get">
export type LakeDocument = AnswerOf<"lake", "get">
export type OperationDocument = AnswerOf<"activity", "operation">
export type PersonSegmentDocument = AnswerOf<"segmentRules", "ofPerson">["items"][number]
export type SegmentSizesDocument = AnswerOf<"segments", "sizes">
export type BacktestDocument = AnswerOf<"segmentRules", "backtest">
export type SegmentDocument = AnswerOf<"segments", "get">
export type TokenDocument = AnswerOf<"tokens", "list">["items"][number]
export type SessionRow = AnswerOf<"sessions", "list">["items"][number]
export type WhatIfDocument = AnswerOf<"whatIf", "get">
export type WhatIfChange = BodyOf<"whatIf", "start">["change"]
export type WorkspaceDocument = AnswerOf<"workspaces", "get">
