#!/bin/sh
# Makes the passwords of a site, once, each in the one file that a program reads it from; none is ever typed or shown.
#
#   secrets.sh FOLDER POSTGRES REDIS CA     POSTGRES and REDIS as HOST:PORT, CA as the programs find it on their machines
#
#   owner-url  service-url  auditor-url     Postgres as each of the three roles
#   redis-url  table-redis-url              Redis as the server, and as a table, which can read only
#   passwords.psql                          for roles.sql, once; remove it afterwards
#   users.acl                               for Redis; holds digests, not passwords
set -eu
umask 077
[ $# -eq 4 ] || { echo "usage: $0 FOLDER POSTGRES REDIS CA" >&2; exit 2; }
folder=$1 postgres=$2 redis=$3 ca=$4
mkdir -p "$folder"
if [ -e "$folder/owner-url" ]; then
    echo "$folder holds the passwords of a site already: nothing was changed" >&2
    exit 1
fi
password() { openssl rand -hex 24; }
digest() { printf %s "$1" | openssl dgst -sha256 -r | cut -d ' ' -f 1; }

: > "$folder/passwords.psql"
for role in service auditor owner; do # owner last: its file says that all are there
    secret=$(password)
    echo "\\set ${role}_password '$secret'" >> "$folder/passwords.psql"
    echo "postgresql://$role:$secret@$postgres/jackpot?sslmode=verify-full&sslrootcert=$ca" > "$folder/$role-url"
done

server=$(password) table=$(password)
echo "rediss://server:$server@$redis/0?ssl_ca_certs=$ca" > "$folder/redis-url"
echo "rediss://table:$table@$redis/0?ssl_ca_certs=$ca" > "$folder/table-redis-url"
connect="+auth +hello +client|setname +select +ping +subscribe +unsubscribe +get"
cat > "$folder/users.acl" <<END
user default off
user server on #$(digest "$server") resetchannels &jackpot:* ~jackpot:* -@all $connect +mget +set +publish
user table on #$(digest "$table") resetchannels &jackpot:* %R~jackpot:* -@all $connect
END
