import type { AnswerOf, BodyOf, QueryOf } from "@inlethq/contract/ManagementCall"
import { addressOf, pathOf, request, submit, type Param, type Signal } from "./request.ts"

// Made from the contract of the management API by `pnpm generate`, so that the console does not compile when an endpoint
// changes under it. The types are those of the contract; only names and paths are loaded by the page.

/** The calls of the management API by group and name. Files and streams have the address to read them from, or to send them to. */
export const api = {
  workspaces: {
    list: (query: QueryOf<"workspaces", "list"> = {}, signal?: Signal) => request<AnswerOf<"workspaces", "list">>("GET", pathOf("workspaces"), { query, signal }),
    create: (body: BodyOf<"workspaces", "create">, signal?: Signal) => request<AnswerOf<"workspaces", "create">>("POST", pathOf("workspaces"), { body, signal }),
    get: (w: Param, signal?: Signal) => request<AnswerOf<"workspaces", "get">>("GET", pathOf("workspaces", w), { signal }),
    delete: (w: Param, query: QueryOf<"workspaces", "delete">, signal?: Signal) => submit("DELETE", pathOf("workspaces", w), { query, signal }),
    update: (w: Param, body: BodyOf<"workspaces", "update">, signal?: Signal) => request<AnswerOf<"workspaces", "update">>("PATCH", pathOf("workspaces", w), { body, signal }),
    usage: (w: Param, signal?: Signal) => request<AnswerOf<"workspaces", "usage">>("GET", pathOf("workspaces", w, "usage"), { signal }),
  },
  keys: {
    list: (w: Param, query: QueryOf<"keys", "list"> = {}, signal?: Signal) => request<AnswerOf<"keys", "list">>("GET", pathOf("workspaces", w, "keys"), { query, signal }),
    create: (w: Param, body: BodyOf<"keys", "create">, signal?: Signal) => request<AnswerOf<"keys", "create">>("POST", pathOf("workspaces", w, "keys"), { body, signal }),
    revoke: (w: Param, keyId: Param, signal?: Signal) => submit("DELETE", pathOf("workspaces", w, "keys", keyId), { signal }),
  },
  people: {
    list: (w: Param, query: QueryOf<"people", "list"> = {}, signal?: Signal) => request<AnswerOf<"people", "list">>("GET", pathOf("workspaces", w, "people"), { query, signal }),
    get: (w: Param, svcId: Param, query: QueryOf<"people", "get"> = {}, signal?: Signal) => request<AnswerOf<"people", "get">>("GET", pathOf("workspaces", w, "people", svcId), { query, signal }),
    activity: (w: Param, svcId: Param, query: QueryOf<"people", "activity"> = {}, signal?: Signal) => request<AnswerOf<"people", "activity">>("GET", pathOf("workspaces", w, "people", svcId, "activity"), { query, signal }),
    provenance: (w: Param, svcId: Param, query: QueryOf<"people", "provenance"> = {}, signal?: Signal) => request<AnswerOf<"people", "provenance">>("GET", pathOf("workspaces", w, "people", svcId, "provenance"), { query, signal }),
  },
  merges: {
    preview: (w: Param, svcId: Param, query: QueryOf<"merges", "preview">, signal?: Signal) => request<AnswerOf<"merges", "preview">>("GET", pathOf("workspaces", w, "people", svcId, "merge-preview"), { query, signal }),
    list: (w: Param, svcId: Param, query: QueryOf<"merges", "list"> = {}, signal?: Signal) => request<AnswerOf<"merges", "list">>("GET", pathOf("workspaces", w, "people", svcId, "merges"), { query, signal }),
    unmergePreview: (w: Param, svcId: Param, query: QueryOf<"merges", "unmergePreview">, signal?: Signal) => request<AnswerOf<"merges", "unmergePreview">>("GET", pathOf("workspaces", w, "people", svcId, "unmerge-preview"), { query, signal }),
  },
  duplicates: {
    list: (w: Param, query: QueryOf<"duplicates", "list"> = {}, signal?: Signal) => request<AnswerOf<"duplicates", "list">>("GET", pathOf("workspaces", w, "duplicates"), { query, signal }),
    dismissed: (w: Param, query: QueryOf<"duplicates", "dismissed"> = {}, signal?: Signal) => request<AnswerOf<"duplicates", "dismissed">>("GET", pathOf("workspaces", w, "duplicates", "dismissed"), { query, signal }),
    dismiss: (w: Param, body: BodyOf<"duplicates", "dismiss">, signal?: Signal) => request<AnswerOf<"duplicates", "dismiss">>("POST", pathOf("workspaces", w, "duplicates", "dismissed"), { body, signal }),
    restore: (w: Param, one: Param, other: Param, signal?: Signal) => submit("DELETE", pathOf("workspaces", w, "duplicates", "dismissed", one, other), { signal }),
  },
  activity: {
    list: (w: Param, query: QueryOf<"activity", "list"> = {}, signal?: Signal) => request<AnswerOf<"activity", "list">>("GET", pathOf("workspaces", w, "activity"), { query, signal }),
    stream: (w: Param, query: QueryOf<"activity", "stream"> = {}) => addressOf(pathOf("workspaces", w, "activity", "stream"), query),
    operation: (w: Param, operationId: Param, signal?: Signal) => request<AnswerOf<"activity", "operation">>("GET", pathOf("workspaces", w, "operations", operationId), { signal }),
    apply: (w: Param, body: BodyOf<"activity", "apply">, signal?: Signal) => request<AnswerOf<"activity", "apply">>("POST", pathOf("workspaces", w, "operations"), { body, signal }),
    request: (w: Param, operationId: Param, query: QueryOf<"activity", "request"> = {}, signal?: Signal) => request<AnswerOf<"activity", "request">>("GET", pathOf("workspaces", w, "operations", operationId, "request"), { query, signal }),
    explanation: (w: Param, operationId: Param, signal?: Signal) => request<AnswerOf<"activity", "explanation">>("GET", pathOf("workspaces", w, "operations", operationId, "explanation"), { signal }),
    capsule: (w: Param, operationId: Param, signal?: Signal) => request<AnswerOf<"activity", "capsule">>("GET", pathOf("workspaces", w, "operations", operationId, "capsule"), { signal }),
  },
  stats: {
    get: (w: Param, query: QueryOf<"stats", "get"> = {}, signal?: Signal) => request<AnswerOf<"stats", "get">>("GET", pathOf("workspaces", w, "stats"), { query, signal }),
    reasons: (w: Param, signal?: Signal) => request<AnswerOf<"stats", "reasons">>("GET", pathOf("workspaces", w, "stats", "reasons"), { signal }),
  },
  types: {
    list: (w: Param, query: QueryOf<"types", "list"> = {}, signal?: Signal) => request<AnswerOf<"types", "list">>("GET", pathOf("workspaces", w, "event-types"), { query, signal }),
    get: (w: Param, kind: Param, name: Param, signal?: Signal) => request<AnswerOf<"types", "get">>("GET", pathOf("workspaces", w, "event-types", kind, name), { signal }),
    drift: (w: Param, query: QueryOf<"types", "drift"> = {}, signal?: Signal) => request<AnswerOf<"types", "drift">>("GET", pathOf("workspaces", w, "drift"), { query, signal }),
    causes: (w: Param, query: QueryOf<"types", "causes"> = {}, signal?: Signal) => request<AnswerOf<"types", "causes">>("GET", pathOf("workspaces", w, "causes"), { query, signal }),
  },
  plans: {
    list: (w: Param, signal?: Signal) => request<AnswerOf<"plans", "list">>("GET", pathOf("workspaces", w, "plan"), { signal }),
    replace: (w: Param, body: BodyOf<"plans", "replace">, query: QueryOf<"plans", "replace">, signal?: Signal) => request<AnswerOf<"plans", "replace">>("PUT", pathOf("workspaces", w, "plan"), { body, query, signal }),
    get: (w: Param, kind: Param, name: Param, signal?: Signal) => request<AnswerOf<"plans", "get">>("GET", pathOf("workspaces", w, "plan", kind, name), { signal }),
    put: (w: Param, kind: Param, name: Param, body: BodyOf<"plans", "put">, query: QueryOf<"plans", "put">, signal?: Signal) => request<AnswerOf<"plans", "put">>("PUT", pathOf("workspaces", w, "plan", kind, name), { body, query, signal }),
    delete: (w: Param, kind: Param, name: Param, signal?: Signal) => submit("DELETE", pathOf("workspaces", w, "plan", kind, name), { signal }),
  },
  alerts: {
    list: (w: Param, query: QueryOf<"alerts", "list"> = {}, signal?: Signal) => request<AnswerOf<"alerts", "list">>("GET", pathOf("workspaces", w, "alerts"), { query, signal }),
  },
  views: {
    list: (w: Param, query: QueryOf<"views", "list"> = {}, signal?: Signal) => request<AnswerOf<"views", "list">>("GET", pathOf("workspaces", w, "views"), { query, signal }),
    create: (w: Param, body: BodyOf<"views", "create">, signal?: Signal) => request<AnswerOf<"views", "create">>("POST", pathOf("workspaces", w, "views"), { body, signal }),
    delete: (w: Param, viewId: Param, signal?: Signal) => submit("DELETE", pathOf("workspaces", w, "views", viewId), { signal }),
    update: (w: Param, viewId: Param, body: BodyOf<"views", "update">, signal?: Signal) => request<AnswerOf<"views", "update">>("PATCH", pathOf("workspaces", w, "views", viewId), { body, signal }),
  },
  whatIf: {
    start: (w: Param, body: BodyOf<"whatIf", "start">, signal?: Signal) => request<AnswerOf<"whatIf", "start">>("POST", pathOf("workspaces", w, "what-if"), { body, signal }),
    get: (w: Param, whatIfId: Param, signal?: Signal) => request<AnswerOf<"whatIf", "get">>("GET", pathOf("workspaces", w, "what-if", whatIfId), { signal }),
    stop: (w: Param, whatIfId: Param, signal?: Signal) => request<AnswerOf<"whatIf", "stop">>("POST", pathOf("workspaces", w, "what-if", whatIfId, "stop"), { signal }),
  },
  search: {
    find: (w: Param, query: QueryOf<"search", "find">, signal?: Signal) => request<AnswerOf<"search", "find">>("GET", pathOf("workspaces", w, "search"), { query, signal }),
    everywhere: (query: QueryOf<"search", "everywhere">, signal?: Signal) => request<AnswerOf<"search", "everywhere">>("GET", pathOf("search"), { query, signal }),
  },
  objects: {
    list: (w: Param, query: QueryOf<"objects", "list"> = {}, signal?: Signal) => request<AnswerOf<"objects", "list">>("GET", pathOf("workspaces", w, "objects"), { query, signal }),
    get: (w: Param, objectTypeId: Param, objectId: Param, query: QueryOf<"objects", "get"> = {}, signal?: Signal) => request<AnswerOf<"objects", "get">>("GET", pathOf("workspaces", w, "objects", objectTypeId, objectId), { query, signal }),
    people: (w: Param, objectTypeId: Param, objectId: Param, query: QueryOf<"objects", "people"> = {}, signal?: Signal) => request<AnswerOf<"objects", "people">>("GET", pathOf("workspaces", w, "objects", objectTypeId, objectId, "people"), { query, signal }),
  },
  segments: {
    list: (w: Param, query: QueryOf<"segments", "list"> = {}, signal?: Signal) => request<AnswerOf<"segments", "list">>("GET", pathOf("workspaces", w, "segments"), { query, signal }),
    create: (w: Param, body: BodyOf<"segments", "create">, signal?: Signal) => request<AnswerOf<"segments", "create">>("POST", pathOf("workspaces", w, "segments"), { body, signal }),
    get: (w: Param, segmentId: Param, signal?: Signal) => request<AnswerOf<"segments", "get">>("GET", pathOf("workspaces", w, "segments", segmentId), { signal }),
    delete: (w: Param, segmentId: Param, signal?: Signal) => submit("DELETE", pathOf("workspaces", w, "segments", segmentId), { signal }),
    update: (w: Param, segmentId: Param, body: BodyOf<"segments", "update">, signal?: Signal) => request<AnswerOf<"segments", "update">>("PATCH", pathOf("workspaces", w, "segments", segmentId), { body, signal }),
    sizes: (w: Param, segmentId: Param, query: QueryOf<"segments", "sizes"> = {}, signal?: Signal) => request<AnswerOf<"segments", "sizes">>("GET", pathOf("workspaces", w, "segments", segmentId, "sizes"), { query, signal }),
    people: (w: Param, segmentId: Param, query: QueryOf<"segments", "people"> = {}, signal?: Signal) => request<AnswerOf<"segments", "people">>("GET", pathOf("workspaces", w, "segments", segmentId, "people"), { query, signal }),
    addPerson: (w: Param, segmentId: Param, svcId: Param, signal?: Signal) => submit("PUT", pathOf("workspaces", w, "segments", segmentId, "people", svcId), { signal }),
    removePerson: (w: Param, segmentId: Param, svcId: Param, signal?: Signal) => submit("DELETE", pathOf("workspaces", w, "segments", segmentId, "people", svcId), { signal }),
  },
  segmentRules: {
    explain: (w: Param, segmentId: Param, query: QueryOf<"segmentRules", "explain">, signal?: Signal) => request<AnswerOf<"segmentRules", "explain">>("GET", pathOf("workspaces", w, "segments", segmentId, "explain"), { query, signal }),
    preview: (w: Param, body: BodyOf<"segmentRules", "preview">, signal?: Signal) => request<AnswerOf<"segmentRules", "preview">>("POST", pathOf("workspaces", w, "segments", "preview"), { body, signal }),
    backtest: (w: Param, body: BodyOf<"segmentRules", "backtest">, signal?: Signal) => request<AnswerOf<"segmentRules", "backtest">>("POST", pathOf("workspaces", w, "segments", "backtest"), { body, signal }),
    ofPerson: (w: Param, svcId: Param, signal?: Signal) => request<AnswerOf<"segmentRules", "ofPerson">>("GET", pathOf("workspaces", w, "people", svcId, "segments"), { signal }),
  },
  suppressions: {
    get: (w: Param, query: QueryOf<"suppressions", "get"> = {}, signal?: Signal) => request<AnswerOf<"suppressions", "get">>("GET", pathOf("workspaces", w, "suppressions"), { query, signal }),
  },
  erasures: {
    list: (w: Param, query: QueryOf<"erasures", "list"> = {}, signal?: Signal) => request<AnswerOf<"erasures", "list">>("GET", pathOf("workspaces", w, "erasures"), { query, signal }),
    get: (w: Param, erasureId: Param, signal?: Signal) => request<AnswerOf<"erasures", "get">>("GET", pathOf("workspaces", w, "erasures", erasureId), { signal }),
    key: (signal?: Signal) => request<AnswerOf<"erasures", "key">>("GET", pathOf("erasure-key"), { signal }),
    ledger: () => addressOf(pathOf("erasure-ledger")),
  },
  forms: {
    list: (w: Param, query: QueryOf<"forms", "list"> = {}, signal?: Signal) => request<AnswerOf<"forms", "list">>("GET", pathOf("workspaces", w, "forms"), { query, signal }),
    get: (w: Param, formId: Param, signal?: Signal) => request<AnswerOf<"forms", "get">>("GET", pathOf("workspaces", w, "forms", formId), { signal }),
    update: (w: Param, formId: Param, body: BodyOf<"forms", "update">, signal?: Signal) => request<AnswerOf<"forms", "update">>("PATCH", pathOf("workspaces", w, "forms", formId), { body, signal }),
  },
  deliveries: {
    list: (w: Param, query: QueryOf<"deliveries", "list"> = {}, signal?: Signal) => request<AnswerOf<"deliveries", "list">>("GET", pathOf("workspaces", w, "deliveries"), { query, signal }),
    get: (w: Param, deliveryId: Param, signal?: Signal) => request<AnswerOf<"deliveries", "get">>("GET", pathOf("workspaces", w, "deliveries", deliveryId), { signal }),
    register: (w: Param, deliveryId: Param, body: BodyOf<"deliveries", "register">, signal?: Signal) => request<AnswerOf<"deliveries", "register">>("PUT", pathOf("workspaces", w, "deliveries", deliveryId), { body, signal }),
  },
  webhooks: {
    list: (w: Param, query: QueryOf<"webhooks", "list"> = {}, signal?: Signal) => request<AnswerOf<"webhooks", "list">>("GET", pathOf("workspaces", w, "webhooks"), { query, signal }),
    create: (w: Param, body: BodyOf<"webhooks", "create">, signal?: Signal) => request<AnswerOf<"webhooks", "create">>("POST", pathOf("workspaces", w, "webhooks"), { body, signal }),
    get: (w: Param, webhookId: Param, signal?: Signal) => request<AnswerOf<"webhooks", "get">>("GET", pathOf("workspaces", w, "webhooks", webhookId), { signal }),
    delete: (w: Param, webhookId: Param, signal?: Signal) => submit("DELETE", pathOf("workspaces", w, "webhooks", webhookId), { signal }),
    update: (w: Param, webhookId: Param, body: BodyOf<"webhooks", "update">, signal?: Signal) => request<AnswerOf<"webhooks", "update">>("PATCH", pathOf("workspaces", w, "webhooks", webhookId), { body, signal }),
    rotateSecret: (w: Param, webhookId: Param, body: BodyOf<"webhooks", "rotateSecret">, signal?: Signal) => request<AnswerOf<"webhooks", "rotateSecret">>("POST", pathOf("workspaces", w, "webhooks", webhookId, "rotate-secret"), { body, signal }),
  },
  webhookAttempts: {
    test: (w: Param, webhookId: Param, signal?: Signal) => request<AnswerOf<"webhookAttempts", "test">>("POST", pathOf("workspaces", w, "webhooks", webhookId, "test"), { signal }),
    list: (w: Param, webhookId: Param, query: QueryOf<"webhookAttempts", "list"> = {}, signal?: Signal) => request<AnswerOf<"webhookAttempts", "list">>("GET", pathOf("workspaces", w, "webhooks", webhookId, "attempts"), { query, signal }),
    request: (w: Param, webhookId: Param, attemptId: Param, signal?: Signal) => request<AnswerOf<"webhookAttempts", "request">>("GET", pathOf("workspaces", w, "webhooks", webhookId, "attempts", attemptId, "request"), { signal }),
    resend: (w: Param, webhookId: Param, attemptId: Param, signal?: Signal) => submit("POST", pathOf("workspaces", w, "webhooks", webhookId, "attempts", attemptId, "resend"), { signal }),
    skip: (w: Param, webhookId: Param, attemptId: Param, signal?: Signal) => submit("POST", pathOf("workspaces", w, "webhooks", webhookId, "attempts", attemptId, "skip"), { signal }),
    recover: (w: Param, webhookId: Param, body: BodyOf<"webhookAttempts", "recover">, signal?: Signal) => request<AnswerOf<"webhookAttempts", "recover">>("POST", pathOf("workspaces", w, "webhooks", webhookId, "recover"), { body, signal }),
  },
  forwards: {
    list: (w: Param, query: QueryOf<"forwards", "list"> = {}, signal?: Signal) => request<AnswerOf<"forwards", "list">>("GET", pathOf("workspaces", w, "forwards"), { query, signal }),
    create: (w: Param, body: BodyOf<"forwards", "create">, signal?: Signal) => request<AnswerOf<"forwards", "create">>("POST", pathOf("workspaces", w, "forwards"), { body, signal }),
    get: (w: Param, forwardId: Param, signal?: Signal) => request<AnswerOf<"forwards", "get">>("GET", pathOf("workspaces", w, "forwards", forwardId), { signal }),
    delete: (w: Param, forwardId: Param, signal?: Signal) => submit("DELETE", pathOf("workspaces", w, "forwards", forwardId), { signal }),
    update: (w: Param, forwardId: Param, body: BodyOf<"forwards", "update">, signal?: Signal) => request<AnswerOf<"forwards", "update">>("PATCH", pathOf("workspaces", w, "forwards", forwardId), { body, signal }),
  },
  forwardAttempts: {
    test: (w: Param, forwardId: Param, signal?: Signal) => request<AnswerOf<"forwardAttempts", "test">>("POST", pathOf("workspaces", w, "forwards", forwardId, "test"), { signal }),
    list: (w: Param, forwardId: Param, query: QueryOf<"forwardAttempts", "list"> = {}, signal?: Signal) => request<AnswerOf<"forwardAttempts", "list">>("GET", pathOf("workspaces", w, "forwards", forwardId, "attempts"), { query, signal }),
    resend: (w: Param, forwardId: Param, attemptId: Param, signal?: Signal) => submit("POST", pathOf("workspaces", w, "forwards", forwardId, "attempts", attemptId, "resend"), { signal }),
    skip: (w: Param, forwardId: Param, attemptId: Param, signal?: Signal) => submit("POST", pathOf("workspaces", w, "forwards", forwardId, "attempts", attemptId, "skip"), { signal }),
    recover: (w: Param, forwardId: Param, body: BodyOf<"forwardAttempts", "recover">, signal?: Signal) => request<AnswerOf<"forwardAttempts", "recover">>("POST", pathOf("workspaces", w, "forwards", forwardId, "recover"), { body, signal }),
  },
  destinations: {
    list: (w: Param, query: QueryOf<"destinations", "list"> = {}, signal?: Signal) => request<AnswerOf<"destinations", "list">>("GET", pathOf("workspaces", w, "destinations"), { query, signal }),
  },
  imports: {
    people: (w: Param, query: QueryOf<"imports", "people"> = {}) => addressOf(pathOf("workspaces", w, "imports", "people"), query),
    events: (w: Param, query: QueryOf<"imports", "events"> = {}) => addressOf(pathOf("workspaces", w, "imports", "events"), query),
    exported: (w: Param, body: BodyOf<"imports", "exported">, signal?: Signal) => request<AnswerOf<"imports", "exported">>("POST", pathOf("workspaces", w, "import"), { body, signal }),
  },
  importJobs: {
    list: (w: Param, query: QueryOf<"importJobs", "list"> = {}, signal?: Signal) => request<AnswerOf<"importJobs", "list">>("GET", pathOf("workspaces", w, "imports"), { query, signal }),
    create: (w: Param, query: QueryOf<"importJobs", "create">) => addressOf(pathOf("workspaces", w, "imports"), query),
    get: (w: Param, importId: Param, signal?: Signal) => request<AnswerOf<"importJobs", "get">>("GET", pathOf("workspaces", w, "imports", importId), { signal }),
    errors: (w: Param, importId: Param, query: QueryOf<"importJobs", "errors"> = {}, signal?: Signal) => request<AnswerOf<"importJobs", "errors">>("GET", pathOf("workspaces", w, "imports", importId, "errors"), { query, signal }),
    cancel: (w: Param, importId: Param, signal?: Signal) => request<AnswerOf<"importJobs", "cancel">>("POST", pathOf("workspaces", w, "imports", importId, "cancel"), { signal }),
  },
  exports: {
    people: (w: Param) => addressOf(pathOf("workspaces", w, "export", "people")),
    events: (w: Param, query: QueryOf<"exports", "events"> = {}) => addressOf(pathOf("workspaces", w, "export", "events"), query),
    objects: (w: Param) => addressOf(pathOf("workspaces", w, "export", "objects")),
    segments: (w: Param) => addressOf(pathOf("workspaces", w, "export", "segments")),
    deliveries: (w: Param) => addressOf(pathOf("workspaces", w, "export", "deliveries")),
    activity: (w: Param, query: QueryOf<"exports", "activity"> = {}) => addressOf(pathOf("workspaces", w, "export", "activity"), query),
    replay: (w: Param, query: QueryOf<"exports", "replay"> = {}) => addressOf(pathOf("workspaces", w, "export", "replay"), query),
    person: (w: Param, svcId: Param) => addressOf(pathOf("workspaces", w, "people", svcId, "export")),
  },
  lake: {
    get: (w: Param, signal?: Signal) => request<AnswerOf<"lake", "get">>("GET", pathOf("workspaces", w, "lake"), { signal }),
    files: (w: Param, query: QueryOf<"lake", "files"> = {}, signal?: Signal) => request<AnswerOf<"lake", "files">>("GET", pathOf("workspaces", w, "lake", "files"), { query, signal }),
    sql: (w: Param, query: QueryOf<"lake", "sql">, signal?: Signal) => request<AnswerOf<"lake", "sql">>("GET", pathOf("workspaces", w, "lake", "sql"), { query, signal }),
    verify: (w: Param, query: QueryOf<"lake", "verify"> = {}, signal?: Signal) => request<AnswerOf<"lake", "verify">>("POST", pathOf("workspaces", w, "lake", "verify"), { query, signal }),
    rewrite: (w: Param, signal?: Signal) => request<AnswerOf<"lake", "rewrite">>("POST", pathOf("workspaces", w, "lake", "rewrite"), { signal }),
    flush: (w: Param, signal?: Signal) => request<AnswerOf<"lake", "flush">>("POST", pathOf("workspaces", w, "lake", "flush"), { signal }),
  },
  rules: {
    get: (rule: Param, signal?: Signal) => request<AnswerOf<"rules", "get">>("GET", pathOf("rules", rule), { signal }),
  },
  tokens: {
    list: (query: QueryOf<"tokens", "list"> = {}, signal?: Signal) => request<AnswerOf<"tokens", "list">>("GET", pathOf("tokens"), { query, signal }),
    create: (body: BodyOf<"tokens", "create">, signal?: Signal) => request<AnswerOf<"tokens", "create">>("POST", pathOf("tokens"), { body, signal }),
    revoke: (tokenId: Param, signal?: Signal) => submit("DELETE", pathOf("tokens", tokenId), { signal }),
  },
  sessions: {
    list: (query: QueryOf<"sessions", "list"> = {}, signal?: Signal) => request<AnswerOf<"sessions", "list">>("GET", pathOf("sessions"), { query, signal }),
    revoke: (sessionId: Param, signal?: Signal) => submit("DELETE", pathOf("sessions", sessionId), { signal }),
  },
  signInLinks: {
    create: (signal?: Signal) => request<AnswerOf<"signInLinks", "create">>("POST", pathOf("sign-in-links"), { signal }),
  },
  audit: {
    list: (query: QueryOf<"audit", "list"> = {}, signal?: Signal) => request<AnswerOf<"audit", "list">>("GET", pathOf("audit"), { query, signal }),
    export: (query: QueryOf<"audit", "export"> = {}) => addressOf(pathOf("audit", "export"), query),
  },
  server: {
    get: (signal?: Signal) => request<AnswerOf<"server", "get">>("GET", pathOf("server"), { signal }),
    history: (signal?: Signal) => request<AnswerOf<"server", "history">>("GET", pathOf("server", "history"), { signal }),
    status: (signal?: Signal) => request<AnswerOf<"server", "status">>("GET", pathOf("status"), { signal }),
  },
} as const
