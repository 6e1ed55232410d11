# shellcheck shell=sh
# What the shell scripts of bench share: the help, and what must be there before anything is measured. To be sourced.
#
# The comment at the head of a script is its help.

bench_help() {
  awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
}

# Ends the script with a complaint about its arguments.
bench_refuse() {
  echo "$0: $1; --help tells more" >&2
  exit 2
}

# Answers --help; refuses every other flag, and more than $1 arguments.
bench_arguments() {
  most=$1
  shift
  for it in "$@"; do
    case $it in
      -h | --help) bench_help; exit 0 ;;
      -*) bench_refuse "unknown flag $it" ;;
    esac
  done
  [ $# -le "$most" ] || bench_refuse "too many arguments"
}

# Notes that the program $1 is missing, and how it is had: $2.
bench_missing=
bench_need() {
  command -v "$1" >/dev/null || bench_missing="$bench_missing$0: $1 is missing: $2
"
}

# Sets EFFIGY, the command that is measured, to what the environment says or to what cargo builds, whatever the folder in
# which the script goes on; notes where it is missing.
bench_need_effigy() {
  EFFIGY=${EFFIGY:-$(cd "$(dirname "$0")/.." && pwd)/target/release/effigy}
  case $EFFIGY in /*) ;; */*) EFFIGY=$PWD/$EFFIGY ;; esac
  export EFFIGY
  bench_need "$EFFIGY" "run 'cargo build --release', or name another by EFFIGY"
}

# Ends the script with code 2 and all that is missing, if anything is.
bench_require() {
  [ -z "$bench_missing" ] || { printf %s "$bench_missing" >&2; exit 2; }
}
