#!/bin/sh
# Installs and builds what running Inlet from a clone needs, as far as it is missing or older than its sources:
#
#   sh tools/build/ready.sh server    the server, the inlet command, and the console
#   sh tools/build/ready.sh command   the inlet command
#   sh tools/build/ready.sh tests     no build, but every package that checks and tests need
#
# It prints on standard error only, because the command's output is for whoever called it. File times decide whether a build is
# looked at, and the digests that the build recorded whether it is done.
set -eu
cd "$(dirname "$0")/../.."
records=node_modules/.cache/inlet
full=node_modules/.bin/turbo

# Prints a file that is newer than a record, if there is one, or if there is no record.
newer() {
  record=$1
  shift
  if [ -e "$record" ]; then find "$@" -newer "$record" 2>/dev/null | head -n 1; else echo "$record"; fi
}

# Uses the pnpm that runs this script, if it is on the PATH. Otherwise npx brings one.
pnpm12() {
  case ${npm_config_user_agent-} in
    pnpm/1[2-9].*) if command -v pnpm >/dev/null; then pnpm "$@"; else npx -y pnpm@12 "$@"; fi ;;
    *) npx -y pnpm@12 "$@" ;;
  esac
}

# Runs an installation. Its output matters only if it fails or somebody watches.
install() {
  if [ -t 2 ] || [ -n "${CI-}" ]; then pnpm12 install --frozen-lockfile "$@" >&2
  elif ! output=$(pnpm12 install --frozen-lockfile --reporter=append-only "$@" 2>&1); then
    printf '%s\n' "$output" >&2
    exit 1
  fi
  mkdir -p "$records"
  : >"$records/installed"
}

if [ "$1" = tests ] || [ -e "$full" ]; then
  if [ ! -e "$full" ] || [ -n "$(newer $records/installed pnpm-lock.yaml pnpm-workspace.yaml)" ]; then install; fi
elif [ -n "$(newer $records/installed pnpm-lock.yaml pnpm-workspace.yaml)" ]; then
  # Neither compilers, linters, browsers nor database servers. The scripts prepare packages for checks. The lockfile names digests, so
  # asking the registry for the age of each version, as every other installation does, could only distrust the clone itself.
  install --prod --ignore-scripts --filter-prod inlet... --config.minimum-release-age=0
fi
[ "$1" = tests ] && exit 0

node=node_modules/.bin/node
sources=$(ls -d packages/*/src packages/*/package.json apps/*/package.json tools/build/*.ts)
sources="$sources pnpm-lock.yaml pnpm-workspace.yaml package.json tsconfig.base.json"

# Runs a build if its result is missing, or if a source is newer than the last look.
# shellcheck disable=SC2086 # the list of files is meant to be split
build() {
  result=$1
  looked=$records/$(basename "$2").looked
  program=$2
  shift 2
  if [ -e "$result" ] && [ -z "$(newer "$looked" $sources "$@")" ]; then return; fi
  mkdir -p "$records"
  # A file that changes during the build counts as newer.
  : >"$looked.$$"
  if "$node" "$program" --if-changed >&2; then mv "$looked.$$" "$looked"; else
    rm -f "$looked" "$looked.$$"
    return 1
  fi
}

console=
if [ "$1" = server ] && [ "${INLET_CONSOLE-}" != off ]; then
  build apps/console/dist/index.html apps/console/build.ts apps/console/src apps/console/public \
    apps/console/index.html apps/console/*.ts &
  console=$!
fi
if [ "$1" = server ]; then build dist/server.js tools/build/bundleServer.ts apps/server/src; fi
build dist/command/inlet.js tools/build/bundleCommand.ts apps/cli/src
if [ -n "$console" ]; then wait "$console" || true; fi
