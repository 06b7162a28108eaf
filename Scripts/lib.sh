# Sourced by the other scripts: messages, root rights, Debian packages, builds.
# shellcheck shell=bash

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")

# What the package links to or loads, in Debian's names. Of libvips-dev only the library is used: that package's name is
# the same in all releases.
# shellcheck disable=SC2034  # used by the scripts that source this file
library_packages=(
    libcurl4-openssl-dev libxml2-dev libssh2-1-dev libsqlite3-dev libvips-dev libtagc0-dev pkg-config
)
# Thumbnails and properties of local files, which need the last two libraries, and the desktop's keyring.
# shellcheck disable=SC2034
traits=(--traits "Thumbnails,SecretService")

say() { printf '%s\n' "$*" >&2; }
die() { say "${0##*/}: $*"; exit 1; }

# Runs COMMAND as root: directly, or through sudo, which may ask only where a person can answer.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif [[ -t 2 ]]; then
        sudo -- "$@"
    else
        sudo -n -- "$@"
    fi
}

# Installs those of PACKAGES that are missing. Silent when none is.
ensure_packages() {
    local missing
    if ! command -v dpkg-query >/dev/null; then
        ensure_without_debian "$@"
        return
    fi
    missing=$(missing_packages "$@")
    [[ -n $missing ]] || return 0
    ((EUID == 0)) || command -v sudo >/dev/null || die "not installed, and neither root nor sudo here: $missing"
    say "Installing Debian packages: $missing"
    # shellcheck disable=SC2086  # one word per package
    as_root "$root/Scripts/install-packages" $missing </dev/null >&2 || die "could not install: $missing"
}

# Prints those of PACKAGES that dpkg does not have, on one line.
missing_packages() {
    local installed package missing=()
    installed=$(dpkg-query -W -f ' ${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for package; do
        [[ $installed == *" $package installed"* ]] || missing+=("$package")
    done
    printf '%s' "${missing[*]}"
}

# Other distributions: the libraries are looked up by pkg-config, and nothing is installed.
ensure_without_debian() {
    local package missing=()
    for package; do
        case $package in
            libcurl4-openssl-dev) pkg-config --exists libcurl ;;
            libvips-dev) pkg-config --exists vips ;;
            libtagc0-dev) pkg-config --exists taglib_c ;;
            libxml2-dev) pkg-config --exists libxml-2.0 ;;
            libssh2-1-dev) pkg-config --exists libssh2 ;;
            libsqlite3-dev) pkg-config --exists sqlite3 ;;
            *) command -v "$package" >/dev/null ;;
        esac 2>/dev/null || missing+=("$package")
    done
    ((${#missing[@]} == 0)) || die "no apt here; install what your system calls these Debian packages: ${missing[*]}"
    say "No apt here: using the libraries that pkg-config finds."
}

# Runs COMMAND silently; its output appears, on standard error, only if it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" </dev/null >"$log" 2>&1 || status=$?
    ((status == 0)) || cat -- "$log" >&2
    rm -f -- "$log"
    return "$status"
}

require_swift() {
    command -v swift >/dev/null || die "no swift in PATH; install Swift 6.2 or later from swift.org"
}

# Builds fp as it is used and measured, silently: optimised, with Swift's own libraries inside where the toolchain has them
# for that. Loading them one by one would take half of the time in which fp starts.
build_fp() {
    local toolchain options=(--configuration release "${traits[@]}" --explicit-target-dependency-import-check error)
    toolchain=$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v swift)")")")
    [[ ! -d $toolchain/lib/swift_static ]] || options+=(--static-swift-stdlib)
    quietly swift build --package-path "$root" --product fp "${options[@]}" || die "fp does not build"
}
