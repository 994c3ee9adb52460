# SPDX-License-Identifier: MIT
# To be sourced: fetches packages of Debian's archive into a folder, with apt lists of our own, so that the system's sources and
# foreign architectures stay as they are. The archive's signature is checked as ever.

# open_archive FOLDER TYPE ARCHITECTURE: TYPE is deb or deb-src. Afterwards archive_apt_get ARGUMENT ... asks that archive.
open_archive() {
    archive_folder=$1
    archive_architecture=$3
    command -v apt-get >/dev/null || fail "this system has no apt-get"
    . /etc/os-release
    local archive
    archive=$(find_archive)
    if [[ -z $archive && $(id -u) == 0 ]]; then
        apt-get -qq update </dev/null || true
        archive=$(find_archive)
    fi
    [[ -n $archive ]] || fail "no apt source of this system leads there (apt-get update may help)"
    mkdir -p "$archive_folder"/{lists/partial,cache/archives/partial}
    # The release's main component alone: neither updates nor third-party sources have anything to say about our packages.
    echo "$2 [arch=$archive_architecture] $archive $VERSION_CODENAME main" >"$archive_folder/sources.list"
    archive_apt_get update || fail "apt-get update did not work"
}

find_archive() {
    apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk -v codename="${VERSION_CODENAME:-}" '$1 == "Debian" && $2 == "main" && $3 == codename && !found++ { print $4 }'
}

archive_apt_get() {
    # Its usual download user could not write into a folder of the caller's.
    apt-get -qq -o Acquire::Retries=3 -o Acquire::Languages=none -o APT::Sandbox::User= \
        -o APT::Architecture="$archive_architecture" -o APT::Architectures="$archive_architecture" \
        -o Dir::Etc::SourceList="$archive_folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$archive_folder/lists" -o Dir::Cache="$archive_folder/cache" "$@" </dev/null
}

# link_headers FOLDER: links the libraries that are headers only, SIMDe and xxHash, which a cross-compiler does not find.
link_headers() {
    local header path
    for header in simde/simde-arch.h xxhash.h; do
        path=$(echo "#include <$header>" | cc -E - | sed -n "s|^# 1 \"\(.*/$header\)\".*|\1|p" | head -1)
        [[ -n $path ]] || fail "$header is not installed"
        path=$(readlink -f "$path")
        [[ $header == */* ]] && path=$(dirname "$path")
        ln -s "$path" "$1/${header%%/*}"
    done
}
