#!/bin/sh
# Tests Fluglog behind Debian's nginx and Caddy, configured with the files of packaging/https. Needs root: runs in a
# network namespace with its own hosts file, in which fluglog.example.org is this machine and port 443 is free.
#
#   tests/packaging/proxies.sh NODE
set -eu
cd "$(dirname "$0")/../.."

if [ -z "${FLUGLOG_PROXY_TEST:-}" ]; then
    tests/need.sh nginx-light nginx >/dev/null
    tests/need.sh caddy caddy >/dev/null
    tests/need.sh openssl openssl >/dev/null
    FLUGLOG_PROXY_TEST=$(mktemp -d)
    export FLUGLOG_PROXY_TEST
    status=0
    unshare --net --mount -- "$0" "$@" || status=$?
    rm -r "$FLUGLOG_PROXY_TEST"
    exit $status
fi

node=$1
fluglog=${FLUGLOG_BIN:-target/debug/fluglog}
folder=$FLUGLOG_PROXY_TEST
unset FLUGLOG_PROXY_TEST FLUGLOG_BIN
pids=
# Each by its own id: other programs with that name may be running.
# shellcheck disable=SC2086
trap 'kill $pids; wait' EXIT

ip link set lo up
echo '127.0.0.1 localhost fluglog.example.org' >"$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts

wait_for() {
    tries=100
    until "$@" 2>/dev/null; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || {
            echo "still not so after 10 s: $*" >&2
            cat "$folder"/*.log >&2
            exit 1
        }
        sleep 0.1
    done
}

"$fluglog" serve --config packaging/https/fluglog.toml --data-dir "$folder/data" >"$folder/fluglog.out" 2>"$folder/fluglog.log" &
pids="$pids $!"
wait_for grep -q https://fluglog.example.org "$folder/fluglog.out"

try_proxy() {
    name=$1
    authority=$2
    NODE_EXTRA_CA_CERTS=$authority FLUGLOG_BIN=$fluglog FLUGLOG_DATA_DIR=$folder/data "$node" tests/packaging/proxies.mts "$name"
}

openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=fluglog.example.org -addext subjectAltName=DNS:fluglog.example.org \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>"$folder/openssl.log"
sed "s#/etc/letsencrypt/live/fluglog.example.org/fullchain.pem#$folder/certificate.pem#
     s#/etc/letsencrypt/live/fluglog.example.org/privkey.pem#$folder/key.pem#" packaging/https/nginx.conf >"$folder/site.conf"
# The nginx configuration with another site beside it.
{
    sed '/^    # The default of nginx/,$d' "$folder/site.conf"
    printf '    location / {\n        default_type text/plain;\n        return 200 "Die andere Seite";\n    }\n'
    cat packaging/https/nginx-shared.conf
    printf '}\n'
} >"$folder/shared.conf"
cat >"$folder/nginx.conf" <<CONFIGURATION
pid $folder/nginx.pid;
error_log $folder/nginx.log;
events {}
http {
    access_log off;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    scgi_temp_path $folder/scgi;
    uwsgi_temp_path $folder/uwsgi;
    include $folder/used.conf;
}
CONFIGURATION
chmod 755 "$folder"
for site in site shared; do
    cp "$folder/$site.conf" "$folder/used.conf"
    rm -f "$folder/nginx.pid"
    nginx -c "$folder/nginx.conf" -g 'daemon off;' 2>>"$folder/nginx.log" &
    nginx=$!
    pids="$pids $nginx"
    wait_for test -s "$folder/nginx.pid"
    try_proxy "nginx-$site" "$folder/certificate.pem"
    kill "$nginx"
    wait "$nginx" || true
    pids=${pids% *}
done

# Uses Caddy's own authority instead of a public one, which this network can't reach.
for site in Caddyfile Caddyfile-shared; do
    {
        printf '{\n    local_certs\n    skip_install_trust\n    admin off\n}\n'
        printf 'import %s/packaging/https/%s\n' "$PWD" "$site"
    } >"$folder/Caddyfile"
    HOME=$folder XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder caddy run --config "$folder/Caddyfile" --adapter caddyfile 2>"$folder/caddy.log" &
    caddy=$!
    pids="$pids $caddy"
    authority=$folder/caddy/pki/authorities/local/root.crt
    wait_for test -s "$authority"
    wait_for openssl s_client -connect 127.0.0.1:443 -servername fluglog.example.org -brief </dev/null
    try_proxy "$site" "$authority"
    kill "$caddy"
    wait "$caddy" || true
    pids=${pids% *}
done
