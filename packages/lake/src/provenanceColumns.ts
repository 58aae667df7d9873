/**
 * The columns that say where a call came from, with the path in its context from which each is read. The first path that has a
 * text counts. The country is that of `geo`.
 */
export const provenanceColumns = [
  { id: 101, name: "page_url", paths: [["page", "url"]] },
  { id: 102, name: "page_path", paths: [["page", "path"]] },
  { id: 103, name: "page_title", paths: [["page", "title"]] },
  { id: 104, name: "referrer", paths: [["page", "referrer"], ["referrer", "url"], ["referrer"]] },
  { id: 105, name: "utm_source", paths: [["campaign", "source"]] },
  { id: 106, name: "utm_medium", paths: [["campaign", "medium"]] },
  { id: 107, name: "utm_campaign", paths: [["campaign", "name"]] },
  { id: 108, name: "utm_term", paths: [["campaign", "term"]] },
  { id: 109, name: "utm_content", paths: [["campaign", "content"]] },
  { id: 110, name: "ip", paths: [["ip"]] },
  { id: 111, name: "country", paths: [] },
  { id: 112, name: "user_agent", paths: [["userAgent"]] },
  { id: 113, name: "locale", paths: [["locale"]] },
  { id: 114, name: "timezone", paths: [["timezone"]] },
  { id: 115, name: "library", paths: [["library", "name"]] },
  { id: 116, name: "library_version", paths: [["library", "version"]] },
  { id: 117, name: "app", paths: [["app", "name"]] },
  { id: 118, name: "app_version", paths: [["app", "version"]] },
  { id: 119, name: "os", paths: [["os", "name"]] },
] as const
