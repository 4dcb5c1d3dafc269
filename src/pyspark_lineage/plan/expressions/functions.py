# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Functions that treat their arguments unlike the others: casts, conditions, structs, lambdas, foreign functions."""

from __future__ import annotations

from typing import Any

from ..tree import SQL, Expression
from ..types import DataType
from ..values import JvmObject
from .named import ExprId

OBJECTS = f"{SQL}.catalyst.expressions.objects"


class Cast(Expression):
    """`CAST(a AS t)`, also `try_cast`; `child_type` where the child does not tell its own."""

    child: Expression
    data_type: DataType
    time_zone_id: str | None = None
    eval_mode: JvmObject | None = None
    child_type: DataType | None = None


class UpCast(Expression):
    """A cast that may not lose anything, of a typed Dataset."""

    child: Expression
    target: Any
    walked_type_path: Any = None


class CaseWhen(Expression):
    """`CASE WHEN p THEN a … ELSE b END`, `F.when`: pairs of predicate and value."""

    branches: tuple[tuple[Expression, Expression], ...]
    else_value: Expression | None = None


class If(Expression):
    """`IF(p, a, b)`."""

    predicate: Expression
    true_value: Expression
    false_value: Expression


class Coalesce(Expression):
    """`coalesce(a, b)`."""

    children: tuple[Expression, ...]


class Nvl(Expression):
    """`nvl(a, b)`, `ifnull`."""

    left: Expression
    right: Expression
    replacement: Expression


class Nvl2(Expression):
    """`nvl2(a, b, c)`."""

    expr1: Expression
    expr2: Expression
    expr3: Expression
    replacement: Expression


class NullIf(Expression):
    """`nullif(a, b)`."""

    left: Expression
    right: Expression
    replacement: Expression


class In(Expression):
    """`a IN (1, 2)`."""

    value: Expression
    list: tuple[Expression, ...]


class CreateNamedStruct(Expression):
    """`named_struct`, `struct(…)`: names and values in turn."""

    children: tuple[Expression, ...]


class CreateArray(Expression):
    """`array(…)`."""

    children: tuple[Expression, ...]
    use_string_type_when_empty: bool | None = None


class CreateMap(Expression):
    """`map(k, v, …)`."""

    children: tuple[Expression, ...]
    use_string_type_when_empty: bool | None = None


class GetStructField(Expression):
    """`s.f`."""

    child: Expression
    ordinal: int
    name: str | None = None


class GetArrayStructFields(Expression):
    """`xs.f`, where `xs` is an array of structs."""

    child: Expression
    field: JvmObject | None = None
    ordinal: int
    num_fields: int | None = None
    contains_null: bool | None = None


class GetArrayItem(Expression):
    """`xs[i]`."""

    child: Expression
    ordinal: Expression
    fail_on_error: bool | None = None


class GetMapValue(Expression):
    """`m[k]`."""

    child: Expression
    key: Expression


class UpdateFields(Expression):
    """`withField`, `dropFields`."""

    struct_expr: Expression
    field_ops: tuple[JvmObject, ...]


class LambdaFunction(Expression):
    """`x -> f(x)`; `hidden` where Spark made it around a function that does not use the element."""

    function: Expression
    arguments: tuple[Expression, ...]
    hidden: bool | None = None


class NamedLambdaVariable(Expression):
    """`x` in `x -> f(x)`."""

    name: str
    data_type: DataType
    nullable: bool | None = None
    expr_id: ExprId


class PythonUDF(Expression):
    """A Python or pandas UDF over its arguments."""

    name: str
    data_type: DataType
    children: tuple[Expression, ...]
    eval_type: int | None = None
    udf_deterministic: bool | None = None
    result_id: ExprId | None = None


class PythonUDAF(Expression):
    """A pandas UDF that aggregates."""

    name: str
    data_type: DataType
    children: tuple[Expression, ...]
    udf_deterministic: bool | None = None
    eval_type: int | None = None
    result_id: ExprId | None = None


class PythonUDTF(Expression):
    """A Python table function."""

    name: str
    element_schema: DataType | None = None
    children: tuple[Expression, ...]
    eval_type: int | None = None
    udf_deterministic: bool | None = None
    result_id: ExprId | None = None
    python_udtf_partition_column_indexes: Any = None
    table_arguments: Any = None


class ScalaUDF(Expression):
    """A UDF of the JVM."""

    data_type: DataType
    children: tuple[Expression, ...]
    udf_name: str | None = None
    nullable: bool | None = None
    udf_deterministic: bool | None = None


class SQLScalarFunction(Expression, package=f"{SQL}.catalyst.analysis"):
    """A SQL function of the user's own, with its body in place (Spark 4.0 and later)."""

    function: JvmObject
    inputs: tuple[Expression, ...]
    child: Expression


class Explode(Expression):
    """`explode(xs)`."""

    child: Expression


class PosExplode(Expression):
    """`posexplode(xs)`."""

    child: Expression


class Inline(Expression):
    """`inline(array of structs)`."""

    child: Expression


class Stack(Expression):
    """`stack(n, …)`."""

    children: tuple[Expression, ...]


class GeneratorOuter(Expression):
    """`explode_outer` and its kin, before the analyzer has read them."""

    child: Expression


class ExpressionProxy(Expression):
    """A common subexpression that is computed once."""

    child: Expression
    id: int | None = None


class MapObjects(Expression, package=OBJECTS):
    """A function over each element, of a typed Dataset."""

    loop_var: Expression
    lambda_function: Expression
    input_data: Expression
