/**
 * All names with a brand prefix (`svc` or `cio`) in requests and answers, in the spelling that `packages/core` uses
 * (contract §1).
 */
export const brandedNames = [
  "svc_id",
  "svc_object_id",
  "svc_relationships",
  "svc_subscription_preferences",
  "svc_sdk_version",
  "_svc_name",
  "_svc_customer_id",
  "_svc_timestamp",
] as const
export type BrandedName = (typeof brandedNames)[number]
