# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The demo's pipeline: an ordinary PySpark program that knows nothing of lineage.

    python demo_pipeline.py FOLDER

reads orders (CSV), customers (JSON) and products (parquet) from FOLDER/data, writes what was sold per day to
FOLDER/out/revenue_by_day, partitioned by day, and the best customers of each country to the table top_customers.
"""

import csv
import json
import random
import sys
from datetime import date, timedelta
from pathlib import Path

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 - what everybody calls it
from pyspark.sql.types import StringType

COUNTRIES = ("DE", "FR", "PL", "SE")
CATEGORIES = ("books", "garden", "music")


def make_sources(data: Path) -> None:
    """What other systems would have left there: a thousand orders and whom they came from."""
    dice = random.Random(7)  # the same shop every time
    (data / "orders").mkdir(parents=True)
    with (data / "orders" / "2026-03.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["order_id", "customer_id", "product_id", "quantity", "ordered_on"])
        for order in range(1000):
            day = date(2026, 3, 1) + timedelta(days=dice.randrange(5))
            rows.writerow([order, dice.randrange(60), dice.randrange(12), dice.randint(1, 5), day.isoformat()])
    with (data / "customers.json").open("w") as file:
        for customer in range(60):
            address = {"city": f"City {customer % 9}", "country": dice.choice(COUNTRIES)}
            email = f"customer{customer}@example.com"
            file.write(json.dumps({"customer_id": customer, "email": email, "address": address}) + "\n")
    with (data / "products.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["product_id", "category", "price"])
        for product in range(12):
            rows.writerow([product, CATEGORIES[product % 3], f"{dice.randint(500, 9000) / 100:.2f}"])


def mask(email: str) -> str:
    name, _, domain = email.partition("@")
    return f"{name[:1]}***@{domain}"


def pipeline(spark: SparkSession, folder: Path) -> None:
    data, out = folder / "data", folder / "out"

    products_csv = spark.read.csv(
        str(data / "products.csv"), header=True, schema="product_id INT, category STRING, price DECIMAL(10,2)"
    )
    products_csv.write.parquet(str(data / "products"))

    orders = spark.read.csv(
        str(data / "orders"),
        header=True,
        schema="order_id BIGINT, customer_id INT, product_id INT, quantity INT, ordered_on DATE",
    )
    customers = spark.read.json(
        str(data / "customers.json"),
        schema="customer_id INT, email STRING, address STRUCT<city: STRING, country: STRING>",
    )
    products = spark.read.parquet(str(data / "products"))
    sales = (
        orders.join(products, "product_id")
        .join(customers, "customer_id")
        .withColumn("amount", F.col("quantity") * F.col("price"))
        .withColumn("country", F.col("address.country"))
    )

    revenue = sales.groupBy("ordered_on", "country", "category").agg(
        F.sum("amount").alias("revenue"),
        F.countDistinct("customer_id").alias("customers"),
    )
    revenue.write.mode("overwrite").partitionBy("ordered_on").parquet(str(out / "revenue_by_day"))

    masked = F.udf(mask, StringType(), useArrow=False)
    by_spending = Window.partitionBy("country").orderBy(F.desc("spent"))
    sales.groupBy("country", "customer_id", "email").agg(F.sum("amount").alias("spent")).createOrReplaceTempView(
        "spending"
    )
    (
        spark.table("spending")
        .withColumn("rank", F.row_number().over(by_spending))
        .where("rank <= 3")
        .select("country", "rank", masked("email").alias("customer"), "spent")
        .write.mode("overwrite")
        .saveAsTable("top_customers")
    )
    spark.table("top_customers").orderBy("country", "rank").show()


if __name__ == "__main__":
    home = Path(sys.argv[1])
    make_sources(home / "data")
    session = SparkSession.builder.appName("shop_report").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    pipeline(session, home)
    session.stop()
