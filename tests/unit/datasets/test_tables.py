# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Names of session catalog tables: their location first, `db.table` as the symlink."""

import pytest

from pyspark_lineage.datasets.tables import TableDataset, hive_metastore, table_dataset
from pyspark_lineage.datasets.value import Symlink
from pyspark_lineage.plan.values import CatalogStorageFormat, CatalogTable, TableIdentifier

WAREHOUSE = {"spark.sql.warehouse.dir": "file:/wh"}
HIVE = {
    **WAREHOUSE,
    "spark.sql.catalogImplementation": "hive",
    "spark.hadoop.hive.metastore.uris": "thrift://ms1:9083,thrift://ms2:9083",
}


def table(location: str | None = None, *, database: str | None = "sales") -> CatalogTable:
    return CatalogTable(
        identifier=TableIdentifier(table="orders", database=database, catalog="spark_catalog"),
        storage=CatalogStorageFormat(location_uri=location),
    )


def test_a_table_in_the_warehouse_has_the_warehouse_as_the_namespace_of_its_name() -> None:
    found = table_dataset(table("file:/wh/sales.db/orders"), conf=WAREHOUSE)
    assert found == TableDataset("file", "/wh/sales.db/orders", (Symlink("file:/wh", "sales.orders"),), "sales.orders")


@pytest.mark.parametrize(
    ("database", "path"), [("sales", "/wh/sales.db/orders"), ("default", "/wh/orders"), (None, "/wh/orders")]
)
def test_a_table_without_location_lies_where_spark_will_put_it(database: str | None, path: str) -> None:
    found = table_dataset(table(database=database), conf=WAREHOUSE)
    # Without a database it is the current one, which is not known: then the name would be a guess.
    name, symlinks = (
        (f"{database}.orders", (Symlink("file:/wh", f"{database}.orders"),)) if database else ("orders", ())
    )
    assert found == TableDataset("file", path, symlinks, name, provisional=True)


def test_a_table_elsewhere_cannot_be_found_through_the_warehouse() -> None:
    found = table_dataset(table("s3a://b/orders"), conf=WAREHOUSE)
    assert found == TableDataset("s3://b", "orders", table="sales.orders")


def test_hive_knows_every_table_by_name() -> None:
    found = table_dataset(table("s3a://b/my%20orders"), conf=HIVE)
    assert found == TableDataset("s3://b", "my orders", (Symlink("hive://ms1:9083", "sales.orders"),), "sales.orders")


def test_the_path_that_is_written_wins_over_the_location() -> None:
    found = table_dataset(table("file:/wh/orders"), conf=WAREHOUSE, location="file:/wh/orders2")
    assert found is not None
    assert (found.name, found.provisional) == ("/wh/orders2", False)


def test_nothing_is_invented_where_nothing_says_where_a_table_lies() -> None:
    assert table_dataset(table(), conf={}) is None
    assert table_dataset(CatalogTable(), conf=WAREHOUSE) is None


@pytest.mark.parametrize(
    "conf",
    [
        {**HIVE, "spark.sql.catalogImplementation": "in-memory"},
        {"spark.sql.catalogImplementation": "hive"},
        {"spark.sql.catalogImplementation": "hive", "hive.metastore.uris": "nonsense"},
    ],
)
def test_no_metastore(conf: dict[str, str]) -> None:
    assert hive_metastore(conf) is None
