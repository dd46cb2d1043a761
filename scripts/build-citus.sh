#!/bin/sh
# Builds Citus from its repository into an installed Postgres, for `node scripts/with-citus.mjs`:
# `scripts/build-citus.sh [REPOSITORY]`. REPOSITORY is an address or a folder that git can clone. PG_CONFIG names the Postgres,
# CITUS_TAG the version. As root on Debian and Ubuntu it installs the headers that the build needs; elsewhere install them first.
set -eu

repository=${1:-https://github.com/citusdata/citus}
tag=${CITUS_TAG:-v13.2.2}
pg_config=${PG_CONFIG:-pg_config}
version=$("$pg_config" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # The headers of the server that is installed, which a newer package would replace.
  server=$(dpkg-query --show --showformat '=${Version}' "postgresql-$version" 2>/dev/null || true)
  apt-get install --yes --no-install-recommends gcc make git "postgresql-server-dev-$version$server" libcurl4-openssl-dev \
    libkrb5-dev liblz4-dev libpam0g-dev libreadline-dev libselinux1-dev libssl-dev libxml2-dev libxslt1-dev libzstd-dev
fi

sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$tag" "$repository" "$sources"
cd "$sources"

# Its own copy of a function, which later minor releases of Postgres 15 declare too, and not as static.
header=src/include/pg_version_compat.h
if grep --quiet --recursive have_createdb_privilege "$("$pg_config" --includedir-server)"; then
  sed -i -e '/^static inline bool$/{N;/have_createdb_privilege/{:body' -e 'N;/\n}$/!bbody' -e 'd}}' "$header"
fi

./configure PG_CONFIG="$(command -v "$pg_config")"
# Just-in-time compilation, which svc turns off on Citus, would need LLVM.
make --jobs "$(nproc)" with_llvm=no
make with_llvm=no install
