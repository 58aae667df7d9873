/** The path of the console to which an issuer sends browsers back. */
export const redirectPath = "/console/oidc/callback"
