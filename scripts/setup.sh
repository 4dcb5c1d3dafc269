# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Finds what has to be on the machine, Python and Java, or says in one line what to install. Sourced by venv.sh.
# Sets PYTHON and JAVA_HOME. On Debian and Ubuntu, as root, a missing package is installed.

die() {
  printf 'make: %s\n' "$*" >&2
  exit 1
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

install_package() {
  printf 'make: installing %s with apt-get\n' "$1" >&2
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$1"; } >&2
}

python_is_new_enough() {
  "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 10))' >/dev/null 2>&1
}

find_python() {
  local name
  for name in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.10}; do
    if command -v "$name" >/dev/null 2>&1 && python_is_new_enough "$name"; then
      PYTHON=$(command -v "$name")
      return
    fi
  done
  die "no Python 3.10 or newer on the PATH (looked for: ${PYTHON:-python3, python3.13 ... python3.10}). Install one, or say where it is: make PYTHON=/path/to/python3 ..."
}

need_venv_module() {
  if "$PYTHON" -c 'import ensurepip, venv' >/dev/null 2>&1; then return; fi
  local package
  case $(basename "$PYTHON") in
    python3) package=python3-venv ;;
    *) package="$(basename "$PYTHON")-venv" ;;
  esac
  if can_install; then install_package "$package" || true; fi
  "$PYTHON" -c 'import ensurepip, venv' >/dev/null 2>&1 || die "$PYTHON has no venv module. Install the package $package."
}

# The major version of the Java in the directory $1: 8, 17, 21 ...; nothing where there is none.
java_version() {
  { [ -n "$1" ] && [ -x "$1/bin/java" ]; } || return 0
  "$1/bin/java" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
}

# Java 17 and 21 are what Spark 3.5 to 4.3 all run on: older is too old for Spark 4, newer has no Security Manager.
find_java() {
  local home version
  FOUND_JAVA=""
  for home in "${JAVA_HOME:-}" "$(dirname "$(dirname "$(readlink -f "$(command -v java || true)")")")" \
    /usr/lib/jvm/*17* /usr/lib/jvm/*21*; do
    version=$(java_version "$home")
    case $version in
      17 | 18 | 19 | 20 | 21)
        export JAVA_HOME=$home
        return 0
        ;;
      "") ;;
      *) FOUND_JAVA="$FOUND_JAVA $version" ;;
    esac
  done
  return 1
}

need_java() {
  if find_java; then return; fi
  if can_install && install_package openjdk-17-jre-headless && find_java; then return; fi
  die "no Java 17 to 21 found${FOUND_JAVA:+ (only:$FOUND_JAVA)}. Install the package openjdk-17-jre-headless, or set JAVA_HOME."
}
