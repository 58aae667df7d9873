import { Link } from "@tanstack/react-router"
import type { FindingPage } from "./FindingPage.ts"

const linkTexts: Readonly<Record<FindingPage["page"], string>> = {
  health: "Health",
  destinations: "Destinations",
  lake: "Lake",
  imports: "Imports",
  events: "Events",
  live: "Live",
  errors: "Errors",
  cause: "Errors",
  webhook: "Webhook",
  forward: "Destinations",
}

const style = "text-accent underline"

interface FindingLinkProps {
  readonly w: string
  readonly link: FindingPage
}

/** A link to the page that says more about a finding. */
export const FindingLink = ({ link, w }: FindingLinkProps) => {
  const text = linkTexts[link.page]
  switch (link.page) {
    case "errors":
      return (
        <Link
          className={style}
          params={{ w }}
          search={link.isOnlyNew ? { only: "new" } : {}}
          to="/w/$w/errors"
        >
          {text}
        </Link>
      )
    case "cause":
      return (
        <Link className={style} params={{ w, causeId: link.causeId }} to="/w/$w/errors/$causeId">
          {text}
        </Link>
      )
    case "webhook":
      return (
        <Link className={style} params={{ w, webhookId: link.webhookId }} to="/w/$w/webhooks/$webhookId">
          {text}
        </Link>
      )
    case "forward":
      return (
        <Link className={style} params={{ w, forwardId: link.forwardId }} to="/w/$w/destinations/$forwardId">
          {text}
        </Link>
      )
    case "health":
    case "destinations":
    case "lake":
    case "imports":
    case "events":
    case "live":
      return (
        <Link className={style} params={{ w }} to={`/w/$w/${link.page}`}>
          {text}
        </Link>
      )
  }
}
