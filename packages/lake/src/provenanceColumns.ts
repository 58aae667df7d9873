/**
 * The columns that say where a call came from, with the path in its context from which each is read. The first path that has a
 * text counts. The country is that of `geo`.
 */
export const provenanceColumns = [
  { name: "page_url", paths: [["page", "url"]] },
  { name: "page_path", paths: [["page", "path"]] },
  { name: "page_title", paths: [["page", "title"]] },
  { name: "referrer", paths: [["page", "referrer"], ["referrer", "url"], ["referrer"]] },
  { name: "utm_source", paths: [["campaign", "source"]] },
  { name: "utm_medium", paths: [["campaign", "medium"]] },
  { name: "utm_campaign", paths: [["campaign", "name"]] },
  { name: "utm_term", paths: [["campaign", "term"]] },
  { name: "utm_content", paths: [["campaign", "content"]] },
  { name: "ip", paths: [["ip"]] },
  { name: "country", paths: [] },
  { name: "user_agent", paths: [["userAgent"]] },
  { name: "locale", paths: [["locale"]] },
  { name: "timezone", paths: [["timezone"]] },
  { name: "library", paths: [["library", "name"]] },
  { name: "library_version", paths: [["library", "version"]] },
  { name: "app", paths: [["app", "name"]] },
  { name: "app_version", paths: [["app", "version"]] },
  { name: "os", paths: [["os", "name"]] },
] as const
