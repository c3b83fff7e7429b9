#!/bin/sh
# Run once by the image of Postgres, when the cluster is new.
set -eu
cat /run/secrets/passwords.psql /etc/jackpot/roles.sql | psql --quiet --username postgres
