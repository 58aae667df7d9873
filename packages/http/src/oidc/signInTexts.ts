import { errorText } from "@inlethq/core/log/ErrorText"

/** What the page says when a sign-in at an issuer fails. */
export const signInTexts = {
  away: errorText(
    "{issuer} does not answer, so nobody can sign in there now",
    "Try again in a minute. Sessions that have begun go on meanwhile. `inlet doctor` shows whether the server reaches the issuer.",
  ),
  wrongAnswer: errorText(
    "{issuer} did not answer as an issuer of OpenID Connect does ({code})",
    "Compare `INLET_OIDC_ISSUER` with the field `issuer` of the document at `/.well-known/openid-configuration` below it. The two must be the same.",
  ),
  tooLarge: errorText(
    "{issuer} sent an answer of more than {kb} KB",
    "Have the issuer put fewer groups into the token, for example only those that are assigned to this application.",
  ),
  client: errorText(
    "{issuer} refused the client of this server ({code})",
    "Compare `INLET_OIDC_CLIENT_ID` and `INLET_OIDC_CLIENT_SECRET` with the client at the issuer. Its redirect URI must be the address of the console with `/console/oidc/callback`.",
  ),
  code: errorText(
    "{issuer} did not accept the code of this sign-in ({code})",
    "Sign in again. A code is good for one sign-in, within a minute or so.",
  ),
  refused: errorText(
    "{issuer} did not sign you in ({code})",
    "Ask whoever runs the issuer whether you may use this application.",
  ),
  token: errorText(
    "the token of {issuer} was not accepted: {problem}",
    "Compare the clocks of the server and the issuer, `INLET_OIDC_ISSUER` and `INLET_OIDC_CLIENT_ID`. If all agree, somebody may have changed the token on its way.",
  ),
  otherIssuer: errorText(
    "the answer to this sign-in did not come from {issuer}",
    "Sign in again. If `INLET_OIDC_ISSUER` was changed meanwhile, that is all. Otherwise somebody may have tried to mix up two issuers.",
  ),
  foreign: errorText(
    "this sign-in was not begun in this browser within the last {minutes} minutes",
    "Sign in again. If it happens each time, open the console at the address that the server has as `INLET_PUBLIC_URL` or `INLET_OPERATOR_URL`, and allow cookies.",
  ),
  used: errorText("this sign-in was used before", "Sign in again."),
  busy: errorText("too many people sign in at the moment", "Try again in a minute."),
  store: errorText(
    "the server cannot write to its store now, so nobody can sign in",
    "Try again in a minute. The log of the server says why.",
  ),
  nobody: errorText(
    "no rule lets {name} in: the claim `{claim}` has {values}",
    "Add a rule for one of the values to `INLET_OIDC_ACCESS`, or have the issuer give the person a value that a rule names.",
  ),
  overage: errorText(
    "{name} is in so many groups that {issuer} left the claim `{claim}` out of the token",
    'In Microsoft Entra, set the groups claim of the application to the groups that are assigned to it, or use application roles with `"claim": "roles"`.',
  ),
  unverified: errorText(
    "{issuer} has not verified the email address of {name}, so no rule about addresses counts",
    "Have the issuer send `email_verified: true`, or write the rules about another claim, such as groups.",
  ),
}
