/**
 * The installation: its nodes and leases, workspaces, their keys, and who may sign in. `workspace` is 0 for rows of the
 * installation.
 */
export const installation: ReadonlyArray<string> = [
  // A writer runs one transaction at a time and numbers its transactions. `number` is the number of its last
  // committed transaction (see commitOutcome.ts).
  `CREATE TABLE writers (
    writer BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    workspace INTEGER NOT NULL,
    PRIMARY KEY (workspace, writer)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE installation (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    token BIGINT NOT NULL,
    until TIMESTAMPTZ NOT NULL
  )`,
  `CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen TIMESTAMPTZ NOT NULL,
    clock_ahead_ms BIGINT NOT NULL,
    format BIGINT NOT NULL
  )`,

  `CREATE TABLE workspaces (id INTEGER PRIMARY KEY, doc TEXT NOT NULL)`,
  `CREATE TABLE keys (
    number BIGINT GENERATED ALWAYS AS IDENTITY,
    created BIGINT NOT NULL,
    last_used BIGINT,
    expires BIGINT,
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    site_id TEXT UNIQUE,
    digest TEXT NOT NULL,
    prefix TEXT,
    scope TEXT,
    PRIMARY KEY (workspace, number)
  )`,
  `CREATE UNIQUE INDEX keys_digest ON keys (digest) WHERE kind = 'pipelines'`,
  `CREATE UNIQUE INDEX keys_app_digest ON keys (digest) WHERE kind = 'app'`,
  `CREATE TABLE management_tokens (
    created BIGINT NOT NULL,
    used BIGINT,
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  )`,
  `CREATE TABLE console_sessions (
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    workspace INTEGER NOT NULL DEFAULT 0,
    id TEXT COLLATE "C" PRIMARY KEY,
    principal TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL
  )`,
  `CREATE INDEX console_sessions_by_age ON console_sessions (created, id)`,
  `CREATE INDEX console_sessions_by_principal ON console_sessions (principal, created, id)`,
  `CREATE INDEX console_sessions_expires ON console_sessions (expires)`,
  `CREATE TABLE spent_sign_ins (
    expires BIGINT NOT NULL,
    workspace INTEGER NOT NULL DEFAULT 0,
    digest TEXT PRIMARY KEY
  )`,
  `CREATE INDEX spent_sign_ins_expires ON spent_sign_ins (expires)`,
  // The rows of a workspace stay when it is deleted.
  `CREATE TABLE audit_log (
    position BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, position)
  )`,
  `CREATE INDEX audit_log_by_position ON audit_log (position, workspace)`,
  `CREATE TABLE uploads (
    at BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (workspace, name)
  )`,
  `CREATE INDEX uploads_at ON uploads (workspace, at)`,

  `CREATE TABLE imports (
    ended BIGINT NOT NULL,
    version BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  )`,
  `CREATE INDEX imports_ended ON imports (ended, id)`,

  `CREATE TABLE import_errors (
    number BIGINT NOT NULL,
    line BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    job TEXT COLLATE "C" NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (workspace, job, number)
  )`,
  `CREATE TABLE import_error_names (
    number BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    job TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, digest, job, number)
  )`,
  `CREATE INDEX import_error_names_by_job ON import_error_names (workspace, job, number)`,

  // The files of imports that have not ended, in Base64.
  `CREATE TABLE import_parts (
    part BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    job TEXT COLLATE "C" NOT NULL,
    bytes TEXT NOT NULL,
    PRIMARY KEY (workspace, job, part)
  )`,
  // The files of exports, which are there for a day.
  `CREATE TABLE export_parts (
    part BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    job TEXT COLLATE "C" NOT NULL,
    bytes TEXT NOT NULL,
    PRIMARY KEY (workspace, job, part)
  )`,
]
