# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Names of tables in Spark's session catalog: where they lie first, what they are called as a symlink."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark_lineage.datasets.naming import Name, is_below, location_dataset, location_namespace, path_dataset
from pyspark_lineage.datasets.value import Symlink

if TYPE_CHECKING:
    from pyspark_lineage.plan.values import CatalogTable, TableIdentifier

# Where a metastore's address may stand, in the order in which Spark's Hive client looks.
_METASTORE_KEYS = ("spark.sql.hive.metastore.uris", "hive.metastore.uris", "spark.hadoop.hive.metastore.uris")
_WAREHOUSE_KEYS = (
    "spark.sql.warehouse.dir",
    "hive.metastore.warehouse.dir",
    "spark.hadoop.hive.metastore.warehouse.dir",
)
_DEFAULT_FS_KEYS = ("fs.defaultFS", "spark.hadoop.fs.defaultFS")


def default_fs(conf: Mapping[str, str], /) -> str:
    """The file system of paths that name none."""
    return _first(conf, _DEFAULT_FS_KEYS) or "file:///"


@dataclass(frozen=True, slots=True)
class TableDataset:
    """What a table is called: by its place, by its symlinks, and in its catalog (`db.table`).

    `provisional` where its place is only the default one, since the catalog does not know it yet.
    """

    namespace: str
    name: str
    symlinks: tuple[Symlink, ...] = ()
    table: str = ""
    provisional: bool = False


def table_dataset(
    table: CatalogTable, /, *, conf: Mapping[str, str], location: str | None = None
) -> TableDataset | None:
    """A table of the session catalog by the name of its location; None where nothing says where it lies.

    `location` is a path that is known better than the catalog knows it: the one a command writes to.
    """
    fs = default_fs(conf)
    identifier = table.identifier
    provisional = False
    if location is not None:
        name = path_dataset(location, default_fs=fs)
    elif table.storage is not None and table.storage.location_uri:
        name = location_dataset(table.storage.location_uri, default_fs=fs)
    else:
        warehouse = _warehouse(conf)
        if warehouse is None or identifier is None:
            return None
        name = path_dataset(default_table_path(warehouse, identifier), default_fs=fs)
        provisional = True
    if identifier is None:
        return TableDataset(*name)
    # A new table without a database is meant in the current one, which the plan does not tell (`saveAsTable` on 4.x).
    symlink = _symlink(identifier, name, conf, fs) if identifier.database or not provisional else None
    return TableDataset(*name, (symlink,) if symlink is not None else (), table_name(identifier), provisional)


def default_table_path(warehouse: str, identifier: TableIdentifier, /) -> str:
    """Where Spark puts a managed table: `warehouse/t` in the database `default`, else `warehouse/db.db/t`."""
    root = warehouse.rstrip("/")
    database = identifier.database
    if not database or database == "default":
        return f"{root}/{identifier.table}"
    return f"{root}/{database}.db/{identifier.table}"


def table_name(identifier: TableIdentifier, /) -> str:
    """`db.table`: without `spark_catalog`, which says nothing."""
    return f"{identifier.database}.{identifier.table}" if identifier.database else identifier.table


def _symlink(identifier: TableIdentifier, location: Name, conf: Mapping[str, str], fs: str) -> Symlink | None:
    name = table_name(identifier)
    metastore = hive_metastore(conf)
    if metastore is not None:
        return Symlink(metastore, name)
    warehouse = _warehouse(conf)
    # A table elsewhere cannot be reached through the warehouse: the name would point nowhere.
    if warehouse is None or not is_below(location, path_dataset(warehouse, default_fs=fs)):
        return None
    return Symlink(location_namespace(warehouse, default_fs=fs), name)


def hive_metastore(conf: Mapping[str, str], /) -> str | None:
    """`hive://host:port` of the first metastore of the list, when Hive is the session's catalog."""
    if conf.get("spark.sql.catalogImplementation") != "hive":
        return None
    uris = _first(conf, _METASTORE_KEYS)
    if not uris:
        return None
    first = uris.split(",")[0].strip()
    authority = first.partition("://")[2].partition("/")[0].rpartition("@")[2]
    return f"hive://{authority}" if authority else None


def _warehouse(conf: Mapping[str, str]) -> str | None:
    return _first(conf, _WAREHOUSE_KEYS)


def _first(conf: Mapping[str, str], keys: tuple[str, ...]) -> str | None:
    return next((conf[key] for key in keys if conf.get(key)), None)
