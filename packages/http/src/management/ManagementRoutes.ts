import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { access } from "../access/access.ts"
import { activityHandlers } from "./activity/activity.ts"
import { alertHandlers } from "./alerts/alerts.ts"
import { authorization } from "../access/authorization.ts"
import { auditHandlers } from "./audit/audit.ts"
import { deliveryHandlers } from "./deliveries/deliveries.ts"
import { duplicateHandlers } from "./people/duplicates.ts"
import { erasureHandlers, publicKeyRoute } from "./erasures/erasures.ts"
import { formHandlers } from "./forms/forms.ts"
import { exportHandlers } from "./exports/exports.ts"
import { importHandlers } from "./imports/imports.ts"
import { importJobHandlers } from "./imports/importJobs.ts"
import { keyHandlers } from "./keys/keys.ts"
import { lakeHandlers } from "./lake/lake.ts"
import { mergeHandlers } from "./people/merges.ts"
import { objectHandlers } from "./objects/objects.ts"
import { peopleHandlers } from "./people/people.ts"
import { problemAnswers } from "../problems/problems.ts"
import { clauseHandlers } from "./clauses/clauses.ts"
import { planHandlers } from "./plans/plans.ts"
import { searchHandlers } from "./search/search.ts"
import { segmentRuleHandlers } from "./segments/segmentRules.ts"
import { segmentHandlers } from "./segments/segments.ts"
import { serverHandlers } from "./server/server.ts"
import { openSessionHandlers } from "./sessions/sessions.ts"
import { signInLinkHandlers } from "./signInLinks/signInLinks.ts"
import { statsHandlers } from "./stats/stats.ts"
import { suppressionHandlers } from "./suppressions/suppressions.ts"
import { tokenHandlers } from "./tokens/tokens.ts"
import { typeHandlers } from "./types/types.ts"
import { openApiPath } from "./answers/managementEndpoints.ts"
import { unknownPaths } from "./answers/unknownPaths.ts"
import { viewHandlers } from "./views/views.ts"
import { destinationHandlers } from "./destinations/destinations.ts"
import { forwardAttemptHandlers } from "./forwards/forwardAttempts.ts"
import { forwardHandlers } from "./forwards/forwards.ts"
import { webhookAttemptHandlers } from "./webhooks/webhookAttempts.ts"
import { webhookHandlers } from "./webhooks/webhooks.ts"
import { whatIfHandlers } from "./whatIf/whatIf.ts"
import { workspaceHandlers } from "./workspaces/workspaces.ts"

/** Adds a header to every answer with which browsers never take data of clients for a page or a script. */
const notSniffed = HttpRouter.use((router) =>
  router.addGlobalMiddleware((answer) =>
    Effect.map(answer, HttpServerResponse.setHeader("x-content-type-options", "nosniff")),
  ),
)

/** The routes of the management API, and the route of its OpenAPI document, which needs no token. */
export const layer = Layer.mergeAll(
  HttpApiBuilder.layer(ManagementApi, { openapiPath: openApiPath }),
  notSniffed,
  unknownPaths,
  publicKeyRoute,
).pipe(
  Layer.provide([
    workspaceHandlers,
    keyHandlers,
    peopleHandlers,
    mergeHandlers,
    duplicateHandlers,
    activityHandlers,
    objectHandlers,
    searchHandlers,
    segmentHandlers,
    segmentRuleHandlers,
    statsHandlers,
    typeHandlers,
    alertHandlers,
    viewHandlers,
    whatIfHandlers,
    planHandlers,
    suppressionHandlers,
    erasureHandlers,
    formHandlers,
    deliveryHandlers,
    webhookHandlers,
    webhookAttemptHandlers,
    forwardHandlers,
    forwardAttemptHandlers,
    destinationHandlers,
    importHandlers,
    importJobHandlers,
    exportHandlers,
    lakeHandlers,
    clauseHandlers,
    tokenHandlers,
    signInLinkHandlers,
    openSessionHandlers,
    auditHandlers,
    serverHandlers,
  ]),
  Layer.provide([authorization, access, problemAnswers]),
)
