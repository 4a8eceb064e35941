# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the scripts beside this file share. It is sourced, never run.

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# One module cache for all scratch paths: builds of many packages from nothing take a third of the time.
# shellcheck disable=SC2034  # used by the scripts that source this file
cache_flags=(
  -Xswiftc -module-cache-path -Xswiftc "$root/.build/module-cache"
  -Xswiftc -index-ignore-system-modules
)

# fail MESSAGE [STATUS]: ends the script.
fail() {
  echo "${0##*/}: $1" >&2
  exit "${2:-1}"
}

# Prints the comment at the head of the running script, which is its help.
show_help() {
  awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
}

# Packages are found, never listed: a folder with a manifest in one of these places is a package.
manifests() {
  local manifest
  for manifest in "$root"/{Packages,Apps}/*/Package.swift "$root"/{Benchmarks,Tests}/Package.swift; do
    if [[ -f $manifest ]]; then echo "$manifest"; fi
  done
}

# manifest_text FILE…: what the manifests say, on one line, without line comments.
manifest_text() {
  sed '/^[[:space:]]*\/\//d' "$@" | tr '\n' ' '
}

packages=()           # the names of all packages, each after those that it depends on
declare -A folder_of  # name → folder
declare -A needs      # name → names of the packages that it depends on directly

# Fills the three variables above.
find_packages() {
  local manifest name path names=()
  local -A visited
  while read -r manifest; do
    name=$(basename "${manifest%/Package.swift}")
    names+=("$name")
    folder_of[$name]=${manifest%/Package.swift}
    needs[$name]=""
    while read -r path; do
      needs[$name]+=" ${path##*/}"
    done < <(manifest_text "$manifest" | grep -o '\.package([^)]*)' |
      sed -n 's/.*path: *"\([^"]*\)".*/\1/p')
  done < <(manifests)
  for name in ${names[@]+"${names[@]}"}; do visit_package "$name"; done
}

# Depth first; uses the local variables of find_packages.
visit_package() {
  local dependency
  [[ -z ${visited[$1]:-} && -n ${folder_of[$1]:-} ]] || return 0
  visited[$1]=yes
  for dependency in ${needs[$1]}; do visit_package "$dependency"; done
  packages+=("$1")
}

# require_packages NAME…: ends the script if one of the names is not a package.
require_packages() {
  local name
  for name in "$@"; do
    [[ -n ${folder_of[$name]:-} ]] || fail "no package \"$name\"; there are: ${packages[*]}" 2
  done
}

# build_release FOLDER PRODUCT SCRATCH [FLAG…]: builds an executable, unless it is newer than all sources.
# Prints nothing on standard output. The program is then SCRATCH/release/PRODUCT.
build_release() {
  local folder=$1 product=$2 scratch=$3 stamp=$3/$2.stamp
  shift 3
  [[ -f $root/$folder/Package.swift ]] || fail "there is no package in $folder"
  if [[ -x $scratch/release/$product && -f $stamp ]] && ! changed_since "$stamp" "$folder"; then
    return
  fi
  "$root/scripts/setup" >&2
  echo "Building $product for release ..." >&2
  mkdir -p "$scratch"
  # The stamp's time is the start of the build: what is edited during it counts as newer.
  : >"$stamp.$$"
  if ! swift build --quiet -c release --product "$product" --package-path "$root/$folder" \
    --scratch-path "$scratch" "${cache_flags[@]}" "$@" </dev/null >&2; then
    rm -f "$stamp.$$"
    fail "$product does not build"
  fi
  mv "$stamp.$$" "$stamp"
}

# changed_since FILE FOLDER: whether a source of the packages, or of FOLDER, is newer than FILE.
changed_since() {
  local folders=("$root/$2")
  if [[ -d $root/Packages ]]; then folders+=("$root/Packages"); fi
  [[ -n $(find "${folders[@]}" \( -name '.?*' -o -name Tests \) -prune -o -newer "$1" -print -quit) ]]
}

# sources PATTERN…: the files of the repository that match, each ended by a zero byte; relative to the root,
# which must be the working directory.
sources() {
  local place pattern places=() match=()
  for place in Packages Apps Benchmarks Tests Package.swift; do
    if [[ -e $place ]]; then places+=("$place"); fi
  done
  ((${#places[@]})) || return 0
  for pattern in "$@"; do match+=(-o -name "$pattern"); done
  find "${places[@]}" -name '.?*' -prune -o -type f \( "${match[@]:1}" \) -print0
}
