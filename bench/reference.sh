#!/bin/sh
# The yardstick: what a plain script makes of a patch. No sandbox, no defence, no cache: trusted patches only.
# usage: bench/reference.sh TASK_DIR PATCH    prints the token; exit 0 PASS, 2 FAIL_BOTH, 3 FAIL_VISIBLE, 4 OVERFIT
[ $# -eq 2 ] || { echo "usage: $0 TASK_DIR PATCH" >&2; exit 64; }
[ -d "$1" ] && [ -r "$2" ] || { echo "$0: no such task or patch" >&2; exit 66; }
work=$(mktemp -d) || exit 75
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cp -R "$1" "$work/tree" || exit 75
patch -s -p1 -d "$work/tree" <"$2" >&2 || { echo "$0: the patch does not apply" >&2; exit 5; }
cd "$work/tree" || exit 75

# judge NAME TEST [FLAG…]: build the test with the patched sources and run it
judge() {
  name=$1 test=$2
  shift 2
  ${CXX:-g++} -std=c++17 -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all \
    "$@" -Iinclude src/*.cpp "$test" -o "$work/$name" >&2 && "$work/$name" >&2
}
seam=
grep -qs -e -fno-access-control manifest.json && seam=-fno-access-control
judge visible tests/visible.cpp; visible=$?
judge hidden oracles/hidden.cpp $seam; hidden=$?
case $((visible != 0))$((hidden != 0)) in
  00) echo PASS; exit 0 ;;
  01) echo OVERFIT; exit 4 ;;
  10) echo FAIL_VISIBLE; exit 3 ;;
  *) echo FAIL_BOTH; exit 2 ;;
esac
