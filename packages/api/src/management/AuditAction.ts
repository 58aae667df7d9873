import { Schema } from "effect"

/**
 * What the audit log records: every change, every export, and what was refused. A read is only recorded if it was
 * refused, as `access.read`.
 */
export const AuditAction = Schema.Literals([
  "workspace.create",
  "workspace.update",
  "workspace.delete",
  "key.create",
  "key.revoke",
  "token.create",
  "token.revoke",
  "webhook.create",
  "webhook.update",
  "webhook.delete",
  "webhook.rotate_secret",
  "webhook.test",
  "webhook.resend",
  "webhook.skip",
  "webhook.recover",
  "operation.apply",
  "segment.create",
  "segment.update",
  "segment.delete",
  "segment.add_person",
  "segment.remove_person",
  "form.update",
  "delivery.register",
  "import.people",
  "import.events",
  "import.exported",
  "export.people",
  "export.events",
  "export.objects",
  "export.segments",
  "export.deliveries",
  "export.activity",
  "export.audit",
  "lake.verify",
  "lake.rewrite",
  "session.link",
  "session.sign_in",
  "session.sign_out",
  "access.read",
  "access.unknown_token",
])
export type AuditAction = typeof AuditAction.Type
