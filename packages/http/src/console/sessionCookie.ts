/** The options of the session cookie. It is `Secure` if the browser uses https. */
export const sessionCookie = (secure: boolean) => ({
  httpOnly: true,
  sameSite: "strict" as const,
  path: "/",
  secure,
})
