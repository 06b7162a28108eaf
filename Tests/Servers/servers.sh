# Sourced by Scripts/test-servers: how each server is configured and started, and where it is then found.
# shellcheck shell=bash
# shellcheck disable=SC2154  # state, work, user and password are set by test-servers

wsgidav_packages="wsgidav==4.4.0 cheroot==11.1.2"

launch_apache() {
    local dir=$work/apache realm
    mkdir -p -- "$dir"/www/{basic,digest,share,guarded,lenient} "$work/lighttpd"
    [[ -e $dir/certificate.pem ]] || certificate "$dir"
    [[ -e $dir/www/svn ]] || quietly svnadmin create "$dir/www/svn"
    printf '%s:%s\n' "$user" "$(openssl passwd -apr1 "$password")" >"$dir/basic.users"
    for realm in "fp digest" "fp share"; do
        printf '%s:%s:%s\n' "$user" "$realm" "$(printf '%s:%s:%s' "$user" "$realm" "$password" | md5sum | cut -c 1-32)"
    done >"$dir/digest.users"
    fill apache.conf "$dir/httpd.conf" DIR="$dir" PORT="$(port apache)" TLS_PORT="$(port apache tls)" \
        PROXIED_PORT="$(port apache proxied)" HIDING_PORT="$(port apache hiding)" \
        HIDING_LIGHTTPD_PORT="$(port apache hiding-lighttpd)" LIGHTTPD_PORT="$(port lighttpd)"
    launch_httpd apache
}

launch_sabre() {
    local dir=$work/sabre fpm
    mkdir -p -- "$dir/www/dav/submit"
    fpm=$(find /usr/sbin -name 'php-fpm[0-9]*' | sort -V | tail -n 1)
    fill sabre.php "$dir/sabre.php"
    fill sabre-fpm.conf "$dir/fpm.conf" DIR="$dir" FPM_PORT="$(port sabre fpm)" WORKERS=4
    fill sabre-apache.conf "$dir/httpd.conf" DIR="$dir" PORT="$(port sabre)" FPM_PORT="$(port sabre fpm)"
    launch sabre "$fpm" -d realpath_cache_size=0 --fpm-config "$dir/fpm.conf"
    launch_httpd sabre
}

launch_owncloud() { launch_cloud owncloud ownCloud 4; }
launch_nextcloud() { launch_cloud nextcloud Nextcloud 4; }
# Each listener for events keeps a worker.
launch_opencloud() { launch_cloud opencloud OpenCloud 24; }

# sabre/dav as server NAME that behaves like PRODUCT, with so many workers; the code is copied to where www-data can read it.
launch_cloud() {
    local dir=$work/$1 fpm
    fpm=$(find /usr/sbin -name 'php-fpm[0-9]*' | sort -V | tail -n 1)
    mkdir -p -- "$dir"/www/dav/{blobs,tmp,uploads,tus}
    rm -rf -- "$dir/cloud"
    cp -R -- "$root/Tests/Servers/cloud" "$dir/cloud"
    printf "<?php\nconst FACE = '%s';\nconst FOLDER = '%s';\nrequire '%s';\n" \
        "$2" "$dir/www/dav" "$dir/cloud/server.php" >"$dir/sabre.php"
    fill sabre-fpm.conf "$dir/fpm.conf" DIR="$dir" FPM_PORT="$(port "$1" fpm)" WORKERS="$3"
    fill sabre-apache.conf "$dir/httpd.conf" DIR="$dir" PORT="$(port "$1")" FPM_PORT="$(port "$1" fpm)"
    launch "$1" "$fpm" -d realpath_cache_size=0 --fpm-config "$dir/fpm.conf"
    launch_httpd "$1"
}

launch_nginx() {
    local dir=$work/nginx
    mkdir -p -- "$dir"/www/{bare,single,limited,tight,dotless,unseen,copyless,page}
    fill nginx.conf "$dir/nginx.conf" DIR="$dir" PORT="$(port nginx)"
    launch nginx /usr/sbin/nginx -p "$dir" -e "$dir/log" -c "$dir/nginx.conf"
}

launch_lighttpd() {
    local dir=$work/lighttpd
    mkdir -p -- "$dir/www/dotless"
    fill lighttpd.conf "$dir/lighttpd.conf" DIR="$dir" PORT="$(port lighttpd)"
    launch lighttpd /usr/sbin/lighttpd -D -f "$dir/lighttpd.conf"
}

launch_wsgidav() {
    local dir=$work/wsgidav
    install_wsgidav
    fill wsgidav.yaml "$dir/wsgidav.yaml" DIR="$dir" PORT="$(port wsgidav)"
    launch wsgidav "$work/venv/bin/wsgidav" --config "$dir/wsgidav.yaml"
}

# Without --dir-cache-time, rclone would not see for five minutes what a test writes into the folder itself.
launch_rclone() {
    local dir=$work/rclone
    launch rclone /usr/bin/rclone serve webdav "$dir/www" --addr "127.0.0.1:$(port rclone)" \
        --config /dev/null --dir-cache-time 0
}

launch_chezdav() {
    launch chezdav /usr/bin/chezdav --port "$(port chezdav)" --local --no-mdns --path "$work/chezdav/www"
}

# Compiled with the library as Debian has it, without asking the network for modules.
launch_godav() {
    local dir=$work/godav
    [[ -e $dir/godav ]] ||
        quietly env GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$dir/cache" \
            /usr/bin/go build -o "$dir/godav" "$root/Tests/Servers/godav/main.go"
    launch godav "$dir/godav" "127.0.0.1:$(port godav)" "$dir/www"
}

launch_pywebdav() {
    launch pywebdav /usr/bin/davserver3 --directory "$work/pywebdav/www" --host 127.0.0.1 --port "$(port pywebdav)" --noauth
}

# The usual one; one whose only host key is RSA and that has no extensions; one without the sftp subsystem; one without REALPATH; one
# that has a single person at the door at a time and lets a connection have a single session. sshd keeps to a setting's first value.
launch_sshd() { launch_openssh sshd 'ed25519 ecdsa rsa' 'Subsystem sftp internal-sftp'; }
launch_sshrsa() {
    local extensions=posix-rename,statvfs,fstatvfs,hardlink,fsync,lsetstat,limits,expand-path,copy-data,home-directory
    launch_openssh sshrsa rsa "Subsystem sftp internal-sftp -P $extensions,users-groups-by-id@openssh.com"
}
launch_sshbare() { launch_openssh sshbare 'ed25519 ecdsa rsa' ''; }

# Who may add files and do nothing else with them.
launch_sshsubmit() {
    local refused=rename,posix-rename,hardlink,remove,setstat,fsetstat
    launch_openssh sshsubmit ed25519 "Subsystem sftp internal-sftp -P $refused"
}

launch_sshhomeless() { launch_openssh sshhomeless ed25519 'Subsystem sftp internal-sftp -P realpath'; }

launch_sshnarrow() {
    launch_openssh sshnarrow 'ed25519 ecdsa rsa' $'MaxStartups 1\nMaxSessions 1\nSubsystem sftp internal-sftp'
}

launch_openssh() {
    local dir=$work/$1 kind keys=''
    ssh_keys "$1"
    for kind in $2; do
        keys+="HostKey $dir/keys/host_$kind"$'\n'
    done
    fill sshd.conf "$dir/sshd.conf" DIR="$dir" PORT="$(port "$1")" HOST_KEYS="$keys" SUBSYSTEM="$3"
    launch "$1" /usr/sbin/sshd -D -e -f "$dir/sshd.conf"
}

launch_sshproftpd() {
    local dir=$work/sshproftpd name id
    ssh_keys sshproftpd
    ssh-keygen -e -m RFC4716 -f "$dir/keys/id_ed25519.pub" >"$dir/keys/authorized_rfc4716"
    name=$(server_id -un)
    id=$(server_id -u):$(server_id -g)
    (umask 077 && printf '%s:x:%s::%s:/bin/sh\n' "$name" "$id" "$dir/www" >"$dir/users")
    printf '%s:x:%s:\n' "$(server_id -gn)" "${id#*:}" >"$dir/groups"
    fill proftpd.conf "$dir/proftpd.conf" DIR="$dir" PORT="$(port sshproftpd)" USER="$name" GROUP="$(server_id -gn)"
    launch sshproftpd /usr/sbin/proftpd --nodaemon --config "$dir/proftpd.conf"
}

launch_sshasking() { launch_asyncssh sshasking asking.py; }
launch_sshsteps() { launch_python sshsteps steps.py; }
launch_sshodd() { launch_asyncssh sshodd odd.py; }
launch_sshlexical() { launch_asyncssh sshlexical lexical.py; }
launch_sshechoing() { launch_asyncssh sshechoing echoing.py; }
launch_sshgreen() { launch_asyncssh sshgreen green.py; }
launch_sshconch() { launch_python sshconch conch.py; }

# The program is named as its process will be.
launch_ssherlang() {
    local dir=$work/ssherlang
    ssh_keys ssherlang
    mkdir -p -- "$dir/host"
    cp -- "$dir/keys/host_ed25519" "$dir/host/ssh_host_ed25519_key"
    fill erlang.sh "$dir/beam.smp" DIR="$dir" PORT="$(port ssherlang)" USER="$user" PASSWORD="$password"
    chmod +x -- "$dir/beam.smp"
    launch ssherlang "$dir/beam.smp"
}

launch_asyncssh() {
    cp -- "$root/Tests/Servers/asyncssh_server.py" "$work/$1"
    launch_python "$@"
}

launch_python() {
    local dir=$work/$1
    ssh_keys "$1"
    cp -- "$root/Tests/Servers/$2" "$dir"
    launch "$1" /usr/bin/python3 "$dir/$2" "$(port "$1")" "$dir/keys/host_ed25519" "$dir/www" "$user" "$password"
}

launch_rclonesftp() {
    local dir=$work/rclonesftp
    ssh_keys rclonesftp
    launch rclonesftp /usr/bin/rclone serve sftp "$dir/www" --addr "127.0.0.1:$(port rclonesftp)" --config /dev/null \
        --key "$dir/keys/host_ed25519" --authorized-keys "$dir/keys/authorized_keys" \
        --user "$user" --pass "$password" --dir-cache-time 0 --vfs-write-wait 30s
}

# Makes the host's keys and those of two clients, one with the password as its passphrase, and the file of known hosts.
ssh_keys() {
    local keys=$work/$1/keys kind
    if [[ ! -e $keys/id_rsa ]]; then
        mkdir -p -- "$keys"
        for kind in ed25519 ecdsa rsa; do
            quietly ssh-keygen -q -t "$kind" -N '' -C "$1" -f "$keys/host_$kind"
        done
        quietly ssh-keygen -q -t ed25519 -N '' -C client -f "$keys/id_ed25519"
        quietly ssh-keygen -q -t ed25519 -N "$password" -C locked -f "$keys/id_locked"
        quietly ssh-keygen -q -t ed25519 -N '' -C stranger -f "$keys/id_stranger"
        quietly ssh-keygen -q -t rsa -N '' -C client -f "$keys/id_rsa"
    fi
    cat -- "$keys"/id_{ed25519,locked,rsa}.pub >"$keys/authorized_keys"
    for kind in ed25519 ecdsa rsa; do
        printf '[127.0.0.1]:%s %s\n' "$(port "$1")" "$(<"$keys/host_$kind.pub")"
    done >"$keys/known_hosts"
}

launch_httpd() {
    rm -f -- "$work/$1/run/httpd.pid"
    launch "$1" /usr/sbin/apache2 -DFOREGROUND -f "$work/$1/httpd.conf"
}

install_wsgidav() {
    [[ $(cat -- "$work/venv/packages" 2>/dev/null) != "$wsgidav_packages" ]] || return 0
    say "Installing $wsgidav_packages"
    rm -rf -- "$work/venv"
    # shellcheck disable=SC2086  # one word per package
    { quietly /usr/bin/python3 -m venv "$work/venv" &&
        quietly "$work/venv/bin/pip" install --quiet --disable-pip-version-check $wsgidav_packages; } ||
        die "could not install $wsgidav_packages from PyPI"
    printf '%s\n' "$wsgidav_packages" >"$work/venv/packages"
}

certificate() {
    quietly openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$1/key.pem" -out "$1/certificate.pem"
}

# Writes Tests/Servers/TEMPLATE to FILE with each @KEY@ replaced.
fill() {
    local text pair
    text=$(<"$root/Tests/Servers/$1")
    for pair in MODULES=/usr/lib/apache2/modules "${@:3}"; do
        text=${text//"@${pair%%=*}@"/"${pair#*=}"}
    done
    printf '%s\n' "$text" >"$2"
}

url() {
    case $1 in
        sshasking | sshsteps | sshodd | sshlexical | sshechoing | ssherlang | rclonesftp)
            printf 'sftp://%s@127.0.0.1:%s/dav/' "$user" "$(port "$1")" ;;
        sshgreen | sshconch) printf 'sftp://%s@127.0.0.1:%s%s/' "$user" "$(port "$1")" "$work/$1/www/dav" ;;
        ssh*) printf 'sftp://%s@127.0.0.1:%s%s/' "$(server_id -un)" "$(port "$1")" "$work/$1/www/dav" ;;
        owncloud | nextcloud) printf 'http://127.0.0.1:%s/remote.php/dav/files/%s/' "$(port "$1")" "$user" ;;
        opencloud) printf 'http://127.0.0.1:%s/dav/spaces/storage%%24space-%s/' "$(port "$1")" "$user" ;;
        *) printf 'http://127.0.0.1:%s/dav/' "$(port "$1")" ;;
    esac
}

# Writes where every server is to $state/env.
write_env() {
    local name
    {
        printf '%s\n' "FP_TEST_STATE=$state" "FP_TEST_CONTROL=$root/Scripts/test-servers"
        printf '%s\n' "FP_TEST_USER=$user" "FP_TEST_PASSWORD=$password"
        for name in "${servers[@]}"; do
            [[ ! -e $work/$name/port ]] || server_env "$name" "FP_TEST_${name^^}"
        done
    } >"$state/env.new"
    mv -- "$state/env.new" "$state/env"
}

server_env() {
    local dir=$work/$1 key=$2 base
    if [[ -d $dir/keys ]]; then
        printf '%s\n' "${key}_URL=$(url "$1")" "${key}_ROOT=$dir/www/dav" "${key}_KEYS=$dir/keys"
        if mountpoint -q -- "$dir/www/small"; then
            printf '%s\n' "${key}_SMALL_ROOT=$dir/www/small/files"
        fi
        return
    fi
    base=http://127.0.0.1:$(port "$1")
    printf '%s\n' "${key}_URL=$(url "$1")" "${key}_ROOT=$dir/www/dav"
    if [[ $1 == *cloud ]]; then
        printf '%s\n' "${key}_BASE=$base/"
    elif mountpoint -q -- "$dir/www/small"; then
        printf '%s\n' "${key}_SMALL_URL=$base/small/files/" "${key}_SMALL_ROOT=$dir/www/small/files"
    fi
    if [[ -e $dir/requests.log ]]; then
        printf '%s\n' "${key}_LOG=$dir/requests.log"
    fi
    if [[ $1 == sabre ]]; then
        printf '%s\n' "${key}_SUBMIT_URL=$base/dav/submit/" "${key}_SUBMIT_ROOT=$dir/www/dav/submit"
    fi
    if [[ $1 == lighttpd ]]; then
        printf '%s\n' "${key}_DOTLESS_URL=$base/dotless/" "${key}_DOTLESS_ROOT=$dir/www/dotless"
    fi
    if [[ $1 == nginx ]]; then
        printf '%s\n' "${key}_BARE_URL=$base/bare/" "${key}_BARE_ROOT=$dir/www/bare" \
            "${key}_SINGLE_URL=$base/single/" "${key}_SINGLE_ROOT=$dir/www/single" \
            "${key}_LIMITED_URL=$base/limited/" "${key}_LIMITED_ROOT=$dir/www/limited" \
            "${key}_TIGHT_URL=$base/tight/" "${key}_TIGHT_ROOT=$dir/www/tight" \
            "${key}_DOTLESS_URL=$base/dotless/" "${key}_DOTLESS_ROOT=$dir/www/dotless" \
            "${key}_UNSEEN_URL=$base/unseen/" "${key}_UNSEEN_ROOT=$dir/www/unseen" \
            "${key}_COPYLESS_URL=$base/copyless/" "${key}_COPYLESS_ROOT=$dir/www/copyless" \
            "${key}_PAGE_URL=$base/page/" "${key}_PAGE_ROOT=$dir/www/page"
    fi
    if [[ $1 == apache ]]; then
        printf '%s\n' "${key}_BASIC_URL=$base/basic/" "${key}_DIGEST_URL=$base/digest/" "${key}_SHARE_URL=$base/share/" \
            "${key}_GUARDED_URL=$base/guarded/" "${key}_GUARDED_ROOT=$dir/www/guarded" \
            "${key}_LOGIN_URL=$base/login/" "${key}_TLS_URL=https://localhost:$(port apache tls)/dav/" \
            "${key}_PROXIED_URL=https://localhost:$(port apache proxied)/dav/" "${key}_PROXIED_ROOT=$dir/www/dav" \
            "${key}_HIDING_URL=http://127.0.0.1:$(port apache hiding)/dav/" "${key}_HIDING_ROOT=$dir/www/dav" \
            "FP_TEST_LIGHTTPD_HIDING_URL=http://127.0.0.1:$(port apache hiding-lighttpd)/dav/" \
            "FP_TEST_LIGHTTPD_HIDING_ROOT=$work/lighttpd/www/dav" \
            "${key}_LENIENT_URL=$base/lenient/" "${key}_LENIENT_ROOT=$dir/www/lenient" \
            "${key}_SVN_URL=$base/svn/" "${key}_SVN_ROOT=$dir/www/svn" \
            "${key}_PIDFILE=$dir/apache2.pid" "FP_TEST_TLS_CERT=$dir/certificate.pem" \
            "FP_TEST_TLS_FINGERPRINT=$(openssl x509 -in "$dir/certificate.pem" -outform DER | sha256sum | cut -c 1-64)"
    fi
}
