#!/usr/bin/env bash
# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: scripts/venv.sh SPARK_VERSION runtime|dev COMMAND [ARGUMENT...]
#
# Runs a command in .venv/spark-SPARK_VERSION, which it makes first where it is missing or out of date: that pyspark,
# this package as it would be installed from an index (a wheel, not the source tree), and for `dev` the development tools.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/setup.sh
. scripts/setup.sh

spark=$1 kind=$2
shift 2
venv=.venv/spark-$spark

# What the caller's shell points at must not leak in: another Spark, another Python, an active environment.
unset PYTHONPATH PYTHONHOME SPARK_HOME PYSPARK_PYTHON PYSPARK_DRIVER_PYTHON PYSPARK_SUBMIT_ARGS VIRTUAL_ENV

pip_install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "$@"; }

# True where the stamp file $1 is missing, or older than any of the other arguments.
outdated() {
  local stamp=$1
  shift
  [ ! -e "$stamp" ] || [ -n "$(find "$@" -type f -newer "$stamp" -not -name '*.pyc' -print -quit)" ]
}

need_java
if ! "$venv/bin/python" -c '' >/dev/null 2>&1 || [ ! -e "$venv/.made" ]; then
  find_python
  need_venv_module
  printf 'make: new environment %s (%s)\n' "$venv" "$("$PYTHON" --version)" >&2
  rm -rf "$venv"
  "$PYTHON" -m venv "$venv"
  touch "$venv/.made"
fi
if outdated "$venv/.runtime" pyproject.toml constraints.txt; then
  printf 'make: installing pyspark %s into %s (once; some minutes on a slow line)\n' "$spark" "$venv" >&2
  pip_install "pyspark==$spark" .
  touch "$venv/.runtime" "$venv/.package"
fi
if [ "$kind" = dev ] && outdated "$venv/.dev" pyproject.toml constraints.txt; then
  printf 'make: installing the development tools into %s\n' "$venv" >&2
  pip_install "pyspark==$spark" ".[dev]"
  touch "$venv/.dev"
fi
if outdated "$venv/.package" src; then
  pip_install --no-deps --force-reinstall .
  touch "$venv/.package"
fi

export PATH="$PWD/$venv/bin:$PATH"
exec "$@"
