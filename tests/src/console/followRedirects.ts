/** A browser without scripts: it keeps cookies, and follows redirects. */
export class CookieJar {
  private readonly cookies = new Map<string, string>()

  /** The cookies as a header. */
  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  /** Returns a cookie whose name begins so. */
  startingWith(prefix: string): string {
    const found = [...this.cookies].find(([name]) => name.startsWith(prefix))
    return found === undefined ? "" : `${found[0]}=${found[1]}`
  }

  /** Visits an address and follows redirects, until a path is there or an answer is no redirect. Returns where it ended. */
  async visit(
    address: string,
    until?: string,
  ): Promise<{ readonly url: URL; readonly status: number; readonly text: string }> {
    let url = new URL(address)
    for (;;) {
      if (until !== undefined && url.pathname === until) return { url, status: 0, text: "" }
      const response = await fetch(url, { headers: { cookie: this.header }, redirect: "manual" })
      for (const cookie of response.headers.getSetCookie()) this.take(cookie)
      const location = response.headers.get("location")
      if (location === null) return { url, status: response.status, text: await response.text() }
      await response.body?.cancel()
      url = new URL(location, url)
    }
  }

  private take(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === "") this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
