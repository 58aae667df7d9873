/** The installation: workspaces, their keys, and who may sign in. */
export const installation = `
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE probe (content BLOB NOT NULL) STRICT;

  CREATE TABLE workspaces (id INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
  CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    site_id TEXT UNIQUE,
    digest TEXT NOT NULL,
    prefix TEXT,
    created INTEGER NOT NULL,
    last_used INTEGER,
    expires INTEGER,
    scope TEXT
  ) STRICT;
  CREATE UNIQUE INDEX keys_digest ON keys (digest) WHERE kind = 'pipelines';
  CREATE UNIQUE INDEX keys_app_digest ON keys (digest) WHERE kind = 'app';

  CREATE TABLE management_tokens (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    created INTEGER NOT NULL,
    used INTEGER,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
  -- Sessions belong to the installation, which has the workspace 0.
  CREATE TABLE console_sessions (
    id TEXT PRIMARY KEY,
    workspace INTEGER NOT NULL DEFAULT 0,
    principal TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX console_sessions_by_age ON console_sessions (created, id);
  CREATE INDEX console_sessions_by_principal ON console_sessions (principal, created, id);
  CREATE INDEX console_sessions_expires ON console_sessions (expires);
  CREATE TABLE spent_sign_ins (
    digest TEXT PRIMARY KEY,
    workspace INTEGER NOT NULL DEFAULT 0,
    expires INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX spent_sign_ins_expires ON spent_sign_ins (expires);

  -- The rows of a workspace stay when it is deleted. Those of the installation have the workspace 0.
  CREATE TABLE audit_log (
    workspace INTEGER NOT NULL,
    position INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_log_by_position ON audit_log (position, workspace);

  CREATE TABLE uploads (
    workspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (workspace, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uploads_at ON uploads (at);

  CREATE TABLE imports (
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    ended INTEGER NOT NULL,
    version INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX imports_ended ON imports (ended, id);

  CREATE TABLE import_errors (
    workspace INTEGER NOT NULL,
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    line INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (workspace, job, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE import_error_names (
    workspace INTEGER NOT NULL,
    digest TEXT NOT NULL,
    job TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (workspace, digest, job, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX import_error_names_by_job ON import_error_names (workspace, job, number);
`
