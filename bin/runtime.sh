# Read by the launchers: which Node starts the programs of this app.
# splunkd's own libraries and OpenSSL settings would disturb it.
unset LD_LIBRARY_PATH OPENSSL_CONF
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
least=24
# Empty on a platform that has no such folder: then nothing is kept.
kept=${SPLUNK_HOME:+$SPLUNK_HOME/var/run/splunk}
[ -d "$kept" ] && kept=$kept/ml_extension || kept=

# Sets `node` to the first of these that starts and is new enough: the runtime that ships with the app, $ML_EXTENSION_NODE,
# node of the PATH. Where there is none, `problem` says what is wrong with each, and `remedy` what can be done. `broken` is
# what is wrong with the first alone.
find_node() {
  problem=
  remedy=
  broken=
  if starts_since_boot; then
    cache_code
    return 0
  fi
  machine=$(uname -m 2>/dev/null) || machine=unknown
  case $machine in arm64) machine=aarch64 ;; amd64) machine=x86_64 ;; esac
  node=$here/runtime/linux_$machine/node
  if [ -e "$node" ]; then
    if fits "$node"; then
      keep_note
      cache_code
      return 0
    fi
    broken=$problem
  else
    problem="this package has no runtime for Linux on $machine"
    remedy="install the variant of the package that has one (the one without a suffix: x86_64 and aarch64), or "
  fi
  node=${ML_EXTENSION_NODE:-}
  if [ -n "$node" ]; then
    fits "$node" && return 0
  fi
  node=$(command -v node) || node=
  if [ -n "$node" ]; then
    fits "$node" && return 0
  fi
  node=
  problem="no Node runtime: $problem"
  remedy="${remedy}install Node $least or newer and name it in ML_EXTENSION_NODE (etc/splunk-launch.conf)"
  return 1
}

# To ask a runtime whether it starts takes as long as its own start. One that ships with the app and has started since the
# machine did is not asked again, as long as neither it nor the system's libraries have changed since. Nothing but the shell
# itself is needed for that. Sets `node`, and `here_and_now`: what the note says.
starts_since_boot() {
  here_and_now=
  [ -n "$kept" ] && [ -r "$here/../default/app.conf" ] && [ -r /proc/sys/kernel/random/boot_id ] || return 1
  read -r boot </proc/sys/kernel/random/boot_id
  while read -r key _ version; do
    [ "$key" != version ] || break
  done <"$here/../default/app.conf"
  here_and_now="$boot $version $here"
  [ -r "$kept/runtime" ] || return 1
  { read -r noted && read -r machine; } <"$kept/runtime" || return 1
  node=$here/runtime/linux_$machine/node
  [ "$noted" = "$here_and_now" ] && [ -x "$node" ] && [ "$kept/runtime" -nt "$node" ] || return 1
  [ ! -e /etc/ld.so.cache ] || [ "$kept/runtime" -nt /etc/ld.so.cache ]
}

# Where it cannot be written, the next start asks again.
keep_note() {
  [ -n "$here_and_now" ] || return 0
  {
    [ -d "$kept" ] || mkdir -m 700 "$kept"
    printf '%s\n' "$here_and_now" "$machine" >"$kept/runtime"
  } 2>/dev/null || :
}

# Compiled code is kept between starts; the runtime compares the source before it uses that.
cache_code() {
  [ -z "$kept" ] || export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$kept/code}"
}

# Whether a program is a Node that starts and is new enough; `problem` and `remedy` grow where it is not.
fits() {
  said=$("$1" --version 2>&1)
  code=$?
  case $said in
    v[0-9]*.*)
      major=${said#v}
      [ "${major%%.*}" -ge $least ] 2>/dev/null && return 0
      why="is version ${said#v}, older than $least"
      ;;
    *GLIBC*) why="needs a newer system: glibc 2.28 and libstdc++ of GCC 8 or later" ;;
    *"cannot open shared object file"*)
      why=${said##*loading shared libraries: }
      why="needs the system library ${why%%:*}"
      ;;
    *)
      if [ ! -e "$1" ]; then why="does not exist"
      elif [ ! -x "$1" ]; then why="may not be executed by this user" remedy="make it executable (chmod 755), or "
      else why="does not start on this machine ($machine; exit code $code)"; fi
      ;;
  esac
  problem="$problem${problem:+; }$1 $why"
  return 1
}

# A text as it may stand inside a JSON string; made by the shell alone, since the PATH may be what is wrong.
quoted() {
  rest=$1
  made=
  while [ -n "$rest" ]; do
    part=${rest%%[\\\"[:cntrl:]]*}
    made=$made$part
    rest=${rest#"$part"}
    case $rest in
      '') break ;;
      [\\\"]*) made="$made\\${rest%"${rest#?}"}" ;;
      *) made="$made " ;;
    esac
    rest=${rest#?}
  done
  printf %s "$made"
}
