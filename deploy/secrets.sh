#!/bin/sh
# Makes the secrets of the served profile of compose.yaml, once, in the folder deploy/secrets.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo 'deploy/secrets exists: keep it, since the stores were made with its passwords.' >&2
  exit 1
fi

random() { od -A n -t x1 -N 32 /dev/urandom | tr -d ' \n'; }
write() { cat > "secrets/$1"; }

# The folder keeps others out. Its files are readable, because each container has a user of its own.
umask 022
mkdir -m 700 secrets
postgres=$(random)
clickhouse=$(random)
reader=$(random)
redis=$(random)
random | write secret
random | write operator-token
echo "$postgres" | write postgres-password
echo "postgres://vitrine:$postgres@postgres:5432/vitrine" | write database-url
echo "http://vitrine:$clickhouse@clickhouse:8123/default" | write clickhouse-url
echo "http://reader:$reader@clickhouse:8123/default" | write clickhouse-reader-url
echo "redis://:$redis@redis:6379" | write redis-url
write redis.conf <<CONF
requirepass $redis
maxmemory-policy noeviction
save ""
CONF
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
# Questions are asked by a user who may only read.
write clickhouse-users.xml <<XML
<clickhouse>
  <profiles>
    <reader><readonly>2</readonly></reader>
  </profiles>
  <users>
    <default remove="remove"/>
    <vitrine>
      <password_sha256_hex>$(digest "$clickhouse")</password_sha256_hex>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </vitrine>
    <reader>
      <password_sha256_hex>$(digest "$reader")</password_sha256_hex>
      <networks><ip>::/0</ip></networks>
      <profile>reader</profile>
      <quota>default</quota>
    </reader>
  </users>
</clickhouse>
XML
echo 'Made deploy/secrets. Back it up apart from the stores.'
