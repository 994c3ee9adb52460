#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install_packages.sh PACKAGE ...: sees to it that what these Debian packages bring is there, whether or not it came as a
# package, and installs only what is missing. When nothing is, it takes some milliseconds, needs no network and says nothing.
set -euo pipefail

includes() { echo "#include <$1>" | "${@:2}" -E - >/dev/null 2>&1; }
links() { echo 'int main(void) { return 0; }' | "$@" -x c -o /dev/null - >/dev/null 2>&1; }
has() { command -v "$1" >/dev/null; }

# For systems that got it another way than from a Debian package.
works() {
    local name
    case $1 in
        gcc) has cc && includes omp.h cc -fopenmp ;;
        g++) has c++ ;;
        ninja-build) has ninja ;;
        binutils) has nm && has objdump && has readelf ;;
        libc6-dev) includes stdlib.h cc ;;
        libsimde-dev) includes simde/x86/sse4.1.h cc ;;
        libxxhash-dev) includes xxhash.h cc ;;
        libcmocka-dev) pkg-config --exists cmocka ;;
        libyaml-dev) pkg-config --exists yaml-0.1 ;;
        libpng-dev) pkg-config --exists libpng ;;
        libcairo2-dev) pkg-config --exists cairo ;;
        libbenchmark-dev) pkg-config --exists benchmark ;;
        libpopt-dev) pkg-config --exists popt ;;
        libhwloc-dev) pkg-config --exists hwloc ;;
        gnuplot-nox) has gnuplot ;;
        xvfb) has xvfb-run ;;
        libjansson-dev) pkg-config --exists jansson ;;
        libhdf5-dev) pkg-config --exists hdf5 ;;
        zlib1g-dev) pkg-config --exists zlib ;;
        libsdl2-dev) pkg-config --exists sdl2 ;;
        mono-mcs) has mcs ;;
        mono-runtime) has mono ;;
        r-base-core) has Rscript ;;
        gcc-aarch64-linux-gnu) has aarch64-linux-gnu-gcc ;;
        libc6-dev-arm64-cross) includes stdlib.h aarch64-linux-gnu-gcc ;;
        qemu-user) has qemu-aarch64 ;;
        emscripten) has emcc ;;
        nodejs) (($(node --print 'parseInt(process.versions.node)') >= 18)) ;;
        locales) has localedef && [[ -e /usr/share/i18n/locales/de_DE ]] ;;
        libomp-dev) includes omp.h clang -fopenmp ;;
        llvm) has llvm-profdata && has llvm-cov ;;
        libclang-rt-14-dev) links clang -fsanitize=thread ;;
        clang-format-14) has clang-format-14 || clang-format --version | grep -q 'version 14\.' ;;
        hdf5-tools) has h5dump ;;
        debhelper) has dh ;;
        dh-python) has pybuild ;;
        build-essential) has dpkg-buildpackage && has c++ && has make ;;
        abigail-tools) has abidiff ;;
        lammps) has lmp ;;
        python3-paraview) has pvpython ;;
        python3-jsonschema) python3 -c 'import jsonschema' ;;
        python3-yaml) python3 -c 'import yaml' ;;
        python3-dev) includes Python.h cc $(pkg-config --cflags python3) ;;
        python3-cffi|python3-numpy|python3-setuptools|python3-wheel|python3-pip|python3-venv|python3-pytest|python3-matplotlib|python3-pandas|\
        python3-scipy|python3-numba|python3-nbclient|python3-nbformat|python3-ipykernel|python3-sphinx|\
        python3-breathe|python3-pycparser) /usr/bin/python3 -c "import ${1#python3-}" ;;
        furo|python3-myst-parser) name=${1#python3-}; /usr/bin/python3 -c "import ${name//-/_}" ;;
        *) has "$1" ;;
    esac 2>/dev/null
}

find_missing() {
    missing=()
    local package
    for package in "$@"; do
        [[ $installed == *" $package "* ]] || works "$package" || missing+=("$package")
    done
}

list_installed() {
    installed=" $(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
        awk '$1 == "installed" { printf "%s ", $2 }')" || true
}

as_root() {
    if [[ $(id -u) == 0 ]]; then "$@"
    elif ! has sudo; then return 1
    elif [[ -t 0 ]]; then sudo "$@"
    else sudo -n "$@"; fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@" \
        </dev/null >/dev/null
}

list_installed "$@"
find_missing "$@"
[[ ${#missing[@]} == 0 ]] && exit 0

if has apt-get && has dpkg-query; then
    echo "Installing ${missing[*]}"
    # A broken third-party source makes `update` fail, and need not matter.
    apt_get update || true
    apt_get install --yes --no-install-recommends "${missing[@]}" || true
    list_installed "$@"
    find_missing "$@"
    [[ ${#missing[@]} == 0 ]] && exit 0
    echo "These packages are missing and could not be installed: ${missing[*]}" >&2
    echo "Install them as root: apt-get update && apt-get install ${missing[*]}" >&2
else
    echo "Packages can only be installed on Debian and its like. Missing here, by Debian's names: ${missing[*]}" >&2
    echo "Install what your system calls them, then try again." >&2
fi
exit 1
