import { Link } from "@tanstack/react-router"

interface OperationLinkProps {
  readonly w: string
  readonly id: string
}

export const OperationLink = ({ id, w }: OperationLinkProps) => (
  <Link
    className="font-mono text-xs text-accent hover:underline"
    params={{ w, operationId: id }}
    to="/w/$w/operations/$operationId"
  >
    {id}
  </Link>
)
