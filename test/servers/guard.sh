alive() { kill -0 "$server" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$server/status"; }
server=
while read -r line; do server=$line; done
if [ -n "$server" ]; then
  kill -s "$2" "$server" 2>/dev/null
  tries=0
  while alive; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ]; then kill -s KILL "$server"; break; fi
    sleep 0.05
  done
fi
if [ -n "$1" ]; then rm -rf "$1"; fi
