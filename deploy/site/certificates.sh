#!/bin/sh
# Makes an authority of the site's own and certificates for its servers, where the site has no authority yet.
#
#   certificates.sh FOLDER NAME...          a name is a host's; `localhost` also gets 127.0.0.1
#
#   ca.pem                                  for every machine that connects; NAME.pem, NAME.key: for that server alone
#   ca.key                                  signs further ones and renewals: keep it off these machines
#
# Run again, it renews the certificates of the names given under the same authority.
set -eu
umask 077
[ $# -ge 2 ] || { echo "usage: $0 FOLDER NAME..." >&2; exit 2; }
folder=$1
shift
mkdir -p "$folder"
if [ ! -e "$folder/ca.key" ]; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 3650 -subj "/CN=Casino jackpot CA" \
        -addext "basicConstraints=critical,CA:TRUE,pathlen:0" -addext "keyUsage=critical,keyCertSign,cRLSign" \
        -keyout "$folder/ca.key" -out "$folder/ca.pem" 2> /dev/null
fi
for name in "$@"; do
    names="DNS:$name"
    [ "$name" != localhost ] || names="$names,IP:127.0.0.1"
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj "/CN=$name" \
        -addext "subjectAltName=$names" -addext "extendedKeyUsage=serverAuth" \
        -addext "basicConstraints=critical,CA:FALSE" \
        -keyout "$folder/$name.key.new" -out "$folder/$name.csr" 2> /dev/null
    openssl x509 -req -in "$folder/$name.csr" -CA "$folder/ca.pem" -CAkey "$folder/ca.key" -days 397 \
        -copy_extensions copy -out "$folder/$name.pem.new" 2> /dev/null
    mv "$folder/$name.key.new" "$folder/$name.key"
    mv "$folder/$name.pem.new" "$folder/$name.pem"
    rm "$folder/$name.csr"
    chmod 0644 "$folder/$name.pem"
done
chmod 0644 "$folder/ca.pem"
