import { useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { FindingLink } from "../home/FindingLink.tsx"
import { alertPage } from "../home/FindingPage.ts"

interface AttemptAlertProps {
  readonly w: string
  readonly alertId: string
}

/** What an alert says, with a link to what it is about. */
export const AttemptAlert = ({ alertId, w }: AttemptAlertProps) => {
  const alerts = useQuery({
    queryKey: [w, "alerts"],
    queryFn: ({ signal }) => api.alerts.list(w, {}, signal),
  })
  if (alerts.isPending) return alertId
  const alert = alerts.data?.items.find((one) => one.alert_id === alertId)
  if (alert === undefined) return `${alertId}, which is no longer kept`
  return (
    <>
      {alert.summary} <FindingLink link={alertPage(alert)} w={w} />
    </>
  )
}
