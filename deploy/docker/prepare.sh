#!/bin/sh
# Makes what compose.yaml reads from ./site: certificates, passwords, terms. As root, because a container's account must
# own what only it may read (a file given as a secret keeps its owner). Run again, it changes nothing.
set -eu
umask 077
cd "$(dirname "$0")"
site=${1:-site}
[ ! -e "$site/grafana-password" ] || { echo "$site is there already: nothing was changed" >&2; exit 0; }
../site/certificates.sh "$site" jackpot postgres redis
../site/secrets.sh "$site" postgres:5432 redis:6379 /run/secrets/ca.pem
openssl rand -hex 24 > "$site/administrator-password"
install -m 0644 ../../jackpot/demo_terms.json "$site/terms.json"
openssl rand -hex 24 > "$site/grafana-password"
chmod 0755 "$site" # the files in it are closed, each to all but its own account
if [ "$(id -u)" = 0 ]; then
    (cd "$site" && chown 10001 jackpot.key owner-url service-url redis-url table-redis-url \
        && chown 999 postgres.key redis.key users.acl passwords.psql administrator-password && chown 472 grafana-password)
else
    echo "not root: the containers will not be able to read their keys and passwords" >&2
fi
