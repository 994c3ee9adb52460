#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make.sh page|npm: builds the page into build/page, or packs the npm package into build/npm. Does only what has changed since the
# last time, and is silent about the rest.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=harness/page

build_modules() {
    cmake/make_wasm_sysroot.sh build/wasm-sysroot
    local preset
    for preset in wasm wasm-threads; do
        [[ -e build/$preset/build.ninja ]] || cmake --preset "$preset" -DDUNLIN_BUILD_TESTS=OFF >/dev/null
        cmake --build "build/$preset" --target dunlin_page -- --quiet | sed "/no work to do/d"
    done
}

install_npm_packages() {
    local installed=$page/node_modules/.package-lock.json
    [[ $installed -nt $page/package-lock.json ]] && return
    echo "Installing the npm packages of harness/page/package-lock.json"
    (cd "$page" && npm ci --silent --no-progress) ||
        { echo "The page needs these packages, and npm could not get them: is there a network?" >&2; exit 1; }
    touch "$installed"
}

# is_new FILE SOURCE ...: whether the file is there and newer than all files of the sources.
is_new() {
    [[ -e $1 && -z $(find "${@:2}" -type f -newer "$1" -print -quit) ]]
}

modules=(build/wasm build/wasm-threads)
files=(build/wasm/dunlin.js build/wasm/dunlin.wasm build/wasm-threads/dunlin-threads.{js,wasm,worker.js})
build_modules
install_npm_packages
case $1 in
    page)
        is_new build/page/page.js "$page"/{src,build.mjs,inside.mjs,lessons.yaml,shrink.mjs,licences.mjs,hashes.mjs,offline.mjs,scenarios.mjs,package-lock.json} harness/scenarios docs/{gallery,scenarios}.md "${files[@]}" ||
            { node "$page/build.mjs" build/page "${modules[@]}" && node "$page/hashes.mjs" build/page build/dunlin && node "$page/offline.mjs" build/page; }
        ;;
    npm)
        packed=(build/npm/dunlin-*.tgz)
        is_new "${packed[0]}" "$page"/{npm,src,inside.mjs,shrink.mjs,licences.mjs} harness/scenarios docs/scenarios.md engine/include "${files[@]}" ||
            node "$page/npm/build.mjs" build/npm "${modules[@]}"
        ;;
esac
