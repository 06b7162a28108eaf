# Sourced by test-servers: the folders and processes of one server. A server NAME lives in $work/NAME: www/ is what it
# serves, run/ and tmp/ are its own, PROGRAM.pid holds the leader of each of its process groups, port* its ports.
# shellcheck shell=bash
# shellcheck disable=SC2154  # state and root are set by test-servers and lib.sh

umask 022
server_user=()
if ((EUID == 0)); then
    server_user=(setpriv --reuid=www-data --regid=www-data --clear-groups --)
fi

# Sets `work`, the folder of all servers: $state/servers, or where that points.
find_work() {
    work=$(realpath -m -- "$state/servers")
}

# Makes `work`. Root's checkout may lie where www-data cannot reach it (/root, a mktemp folder): then work is elsewhere.
make_work() {
    [[ -d $state/servers ]] || { rm -f -- "$state/servers"; mkdir -p -- "$state/servers"; }
    if ! "${server_user[@]}" test -x "$state/servers"; then
        work=$(mktemp -d /var/tmp/fp-test-servers.XXXXXX)
        chmod 755 -- "$work"
        rmdir -- "$state/servers"
        ln -s -- "$work" "$state/servers"
    fi
    find_work
}

# Makes the folders of server NAME, among them www/small/files on a file system of 16 MiB, if we may mount one.
prepare() {
    local dir=$work/$1 small=$work/$1/www/small port options
    mkdir -p -- "$dir"/{run,tmp,www/dav,www/small}
    for port in "$dir"/port*; do
        if [[ -e $port ]] && busy "$(<"$port")"; then rm -- "$port"; fi
    done
    options=size=16m,mode=755,uid=$(server_id -u),gid=$(server_id -g)
    mountpoint -q -- "$small" || as_root mount -t tmpfs -o "$options" fp-test "$small" 2>/dev/null || true
    mkdir -p -- "$small"/{files,tmp}
}

# Removes what server NAME served.
wipe() {
    local dir=$work/$1
    if mountpoint -q -- "$dir/www/small"; then
        as_root umount -- "$dir/www/small"
    fi
    # A test that was killed may have left what it made undeletable.
    [[ ! -d $dir/www ]] || as_root chattr -R -f -i -- "$dir/www" 2>/dev/null || true
    rm -rf -- "$dir"/{www,run,tmp}
}

server_id() {
    "${server_user[@]}" id "$1"
}

# Starts COMMAND in the background for server NAME, as leader of its own process group, with a clean environment.
launch() {
    local program=${2##*/} dir=$work/$1
    shift
    : >>"$dir/log"
    ((EUID)) || chown -R -h www-data: -- "$dir"
    env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$dir/tmp" TMPDIR="$dir/tmp" LANG=C.UTF-8 \
        "${server_user[@]}" setsid "$@" </dev/null >>"$dir/log" 2>&1 8>&- 9>&- &
    printf '%s\n' "$!" >"$dir/$program.pid"
    disown
}

# Prints the processes of the group that the file PROGRAM.pid names, if they are of that program: the system may have
# given the number away again.
members() {
    local leader program=${1##*/} stat
    leader=$(<"$1")
    for stat in /proc/[0-9]*/stat; do
        if read -r stat 2>/dev/null <"$stat" &&
            [[ $stat =~ ^([0-9]+)\ \((.*)\)\ ([A-Z])\ [0-9]+\ ([0-9]+)\  ]] &&
            [[ ${BASH_REMATCH[2]} == "${program%.pid}" && ${BASH_REMATCH[4]} == "$leader" && ${BASH_REMATCH[3]} != Z ]]
        then
            printf '%s\n' "${BASH_REMATCH[1]}"
        fi
    done
}

# Whether each process group of server NAME still has its leader.
running() {
    local file
    for file in "$work/$1"/*.pid; do
        [[ -e $file ]] || return 1
        grep -qx -- "$(<"$file")" <<<"$(members "$file")" || return 1
    done
}

# Sends SIGNAL to all processes of server NAME and waits up to five seconds. Fails if one is left.
signal() {
    local file pids attempt
    for file in "$work/$2"/*.pid; do
        [[ -e $file ]] || continue
        for ((attempt = 0; attempt < 50; attempt++)); do
            pids=$(members "$file")
            [[ -n $pids ]] || break
            # shellcheck disable=SC2086  # one word per process
            ((attempt)) || kill "-$1" $pids 2>/dev/null || true
            sleep 0.1
        done
        [[ -z $pids ]] || return 1
    done
}

end() {
    signal TERM "$1" || signal KILL "$1" || die "$1 does not stop"
    rm -f -- "$work/$1"/*.pid
}

# Waits up to 30 seconds until server NAME answers.
await() {
    local attempt
    for ((attempt = 0; attempt < 150; attempt++)); do
        ! answers "$1" || return 0
        ((attempt < 10)) || running "$1" || break
        sleep 0.2
    done
    say "$1 did not start; the end of $work/$1/log:"
    tail -n 15 -- "$work/$1/log" >&2 || true
    exit 1
}

answers() {
    local code
    if [[ $(url "$1") == sftp:* ]]; then
        busy "$(port "$1")"
    else
        code=$(curl -s -o /dev/null -w '%{http_code}' --noproxy '*' --max-time 2 -X OPTIONS "$(url "$1")" || true)
        ((10#$code != 0 && 10#$code < 500))
    fi
}

busy() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Prints the port of server NAME, of KIND if it has several; picked when first asked for. Below the range that the
# kernel hands out to clients, so that it is still free when a killed server comes back.
port() {
    local file=$work/$1/port${2:+-$2} port
    if [[ ! -e $file ]]; then
        port=$((20000 + RANDOM % 12000))
        while busy "$port" || grep -qsx -- "$port" "$work"/*/port*; do
            port=$((20000 + RANDOM % 12000))
        done
        printf '%s\n' "$port" >"$file"
    fi
    printf '%s' "$(<"$file")"
}
