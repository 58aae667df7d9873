import { Toast } from "@base-ui/react/toast"
import { Link } from "@tanstack/react-router"
import { useEffect } from "react"
import { Icon } from "../shared/buttons/Icon.tsx"
import { showNotices, type Notice, type NoticeLink } from "../shared/dialogs/notices.ts"

/** The longest time, in milliseconds, that a notice stays without being pointed at or focused. */
const shownMs = 8_000

const notices = Toast.createToastManager<{ readonly link?: NoticeLink | undefined }>()

const show = ({ failure, link, title }: Notice): void =>
  void (failure === undefined
    ? notices.add({ title, data: { link } })
    : notices.add({ title, description: failure, type: "failure", priority: "high", timeout: 0 }))

/** The notices about what the operator did, newest in front, at the end of the page. F6 moves the focus to them. */
export const Notices = () => (
  <Toast.Provider timeout={shownMs} toastManager={notices}>
    <Toast.Portal>
      <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(384px,calc(100vw-32px))] flex-col gap-2 outline-none">
        <NoticeList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

const NoticeList = () => {
  useEffect(() => showNotices(show), [])
  const { toasts } = Toast.useToastManager<{ readonly link?: NoticeLink | undefined }>()
  return toasts.map((toast) => (
    <Toast.Root
      className="flex items-start gap-2 rounded-md border border-line-strong bg-raised p-3 text-sm shadow-lg data-limited:hidden"
      data-notice=""
      key={toast.id}
      swipeDirection={["right", "down"]}
      toast={toast}
    >
      <Icon
        className={`mt-0.5 ${toast.type === "failure" ? "text-red" : "text-green"}`}
        name={toast.type === "failure" ? "rejected" : "check"}
      />
      <div className="min-w-0 flex-1 space-y-1">
        <Toast.Title className="break-words" render={<p />} />
        <Toast.Description className="break-words text-muted" />
        {toast.data?.link === undefined ? null : <OperationLink link={toast.data.link} />}
      </div>
      <Toast.Close
        aria-label="Close the notice"
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  ))
}

const OperationLink = ({ link: { operationId, w } }: { readonly link: NoticeLink }) => (
  <Link
    className="inline-block leading-6 text-accent hover:underline"
    params={{ w, operationId }}
    to="/w/$w/operations/$operationId"
  >
    Show the operation
  </Link>
)
