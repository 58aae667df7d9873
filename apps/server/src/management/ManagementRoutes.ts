import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { access } from "./access.ts"
import { activityHandlers } from "./activity.ts"
import { authorization } from "./authorization.ts"
import { deliveryHandlers } from "./deliveries.ts"
import { formHandlers } from "./forms.ts"
import { exportHandlers } from "./exports.ts"
import { importHandlers } from "./imports.ts"
import { keyHandlers } from "./keys.ts"
import { mergeHandlers } from "./merges.ts"
import { objectHandlers } from "./objects.ts"
import { peopleHandlers } from "./people.ts"
import { problemAnswers } from "./problems.ts"
import { ruleHandlers } from "./rules.ts"
import { segmentHandlers } from "./segments.ts"
import { serverHandlers } from "./server.ts"
import { statsHandlers } from "./stats.ts"
import { suppressionHandlers } from "./suppressions.ts"
import { tokenHandlers } from "./tokens.ts"
import { openApiPath, unknownPaths } from "./unknownPaths.ts"
import { webhookAttemptHandlers } from "./webhookAttempts.ts"
import { webhookHandlers } from "./webhooks.ts"
import { workspaceHandlers } from "./workspaces.ts"

/** The routes of the management API, and the route of its OpenAPI document, which needs no token. */
export const layer = Layer.merge(
  HttpApiBuilder.layer(ManagementApi, { openapiPath: openApiPath }),
  unknownPaths,
).pipe(
  Layer.provide([
    workspaceHandlers,
    keyHandlers,
    peopleHandlers,
    mergeHandlers,
    activityHandlers,
    objectHandlers,
    segmentHandlers,
    statsHandlers,
    suppressionHandlers,
    formHandlers,
    deliveryHandlers,
    webhookHandlers,
    webhookAttemptHandlers,
    importHandlers,
    exportHandlers,
    ruleHandlers,
    tokenHandlers,
    serverHandlers,
  ]),
  Layer.provide([authorization, access, problemAnswers]),
)
