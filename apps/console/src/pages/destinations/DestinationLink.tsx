import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { Link } from "@tanstack/react-router"
import { kindText, nameText } from "./destinationTexts.ts"

interface DestinationLinkProps {
  readonly w: string
  readonly of: DestinationDocument
}

const style = "hover:underline pointer-coarse:py-3"

/** The name of a destination, as a link to the page about it. */
export const DestinationLink = ({ of, w }: DestinationLinkProps) => {
  const id = of.destination_id ?? ""
  const name = of.kind === "lake" ? nameText(of) : `${kindText[of.kind]} ${nameText(of)}`
  switch (of.kind) {
    case "webhook":
      return (
        <Link className={style} params={{ w, webhookId: id }} to="/w/$w/webhooks/$webhookId">
          {name}
        </Link>
      )
    case "forward":
      return (
        <Link className={style} params={{ w, forwardId: id }} to="/w/$w/destinations/$forwardId">
          {name}
        </Link>
      )
    case "kafka":
    case "lake":
      return (
        <Link className={style} params={{ w }} to={of.kind === "lake" ? "/w/$w/lake" : "/w/$w/destinations"}>
          {name}
        </Link>
      )
  }
}
