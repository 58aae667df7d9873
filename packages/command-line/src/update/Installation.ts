import { Context } from "effect"

/** How the running command came to this machine. */
export type Channel = "clone" | "file" | "image" | "npm" | "npx"

/** How the running command was installed: as a clone, unless the program says otherwise. */
export const Installation = Context.Reference<Channel>("@inlethq/command-line/update/Installation", {
  defaultValue: () => "clone",
})

/** Returns the commands that install a version in the way in which the running one was installed. */
export const upgradeSteps = (channel: Channel, version: string, releases: string): ReadonlyArray<string> => {
  switch (channel) {
    case "clone":
      return [`git fetch --tags && git checkout v${version}`]
    case "file":
      return [`Replace ${process.execPath} by inlet-${platform()} of ${releases}/tag/v${version}`]
    case "image":
      return [
        `Set INLET_IMAGE to the image and digest that ${releases}/tag/v${version} names`,
        "docker compose up -d",
      ]
    case "npm":
      return [`npm install --global @inlethq/cli@${version}`]
    case "npx":
      return [`npx @inlethq/cli@${version} serve`]
  }
}

/** The platform as releases name it. */
const platform = () => `${process.platform === "darwin" ? "macos" : process.platform}-${process.arch}`
