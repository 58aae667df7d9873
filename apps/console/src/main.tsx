import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { ApiFailure } from "./api/request.ts"
import { keepKeysBeforeFrame } from "./frame/earlyKeys.ts"
import { featuresKey } from "./frame/useFeatures.ts"
import { mendLanguage } from "./frame/language.ts"
import { showStoredTheme } from "./frame/theme.ts"
import { makeRouter } from "./router.tsx"
import { goToSignIn, isSignedOut } from "./session/goToSignIn.ts"
import { keepLoginProblem } from "./session/loginProblem.ts"
import { signInWithCode, takeLoginCode } from "./session/session.ts"
import "./styles.css"

/** The largest number of times that a failed read is repeated. A read that the server refused is not repeated. */
const retriesMax = 2

const code = takeLoginCode()
keepKeysBeforeFrame()
mendLanguage()
showStoredTheme()

const signIn = code === undefined ? Promise.resolve() : signInWithCode(code).catch(keepLoginProblem)

const onError = (problem: unknown): void => {
  if (isSignedOut(problem)) goToSignIn(router)
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({
    onError,
    onSuccess: () => void queries.invalidateQueries({ queryKey: featuresKey }),
  }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, problem) =>
        failures < retriesMax &&
        !(problem instanceof ApiFailure && problem.status >= 400 && problem.status < 500),
    },
  },
})

const router = makeRouter({ queries, signIn })

const root = document.getElementById("root")
if (root === null) throw new Error("index.html must contain an element with the id root")
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
