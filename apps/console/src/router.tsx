import { createRootRoute, createRouter } from "@tanstack/react-router"
import { Frame } from "./frame/Frame.tsx"

const rootRoute = createRootRoute({ component: Frame })

export const router = createRouter({ routeTree: rootRoute, basepath: "/console" })

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
