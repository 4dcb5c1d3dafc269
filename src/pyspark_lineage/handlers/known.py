# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Which plan nodes need no handler: nobody has to be told that they were not handled."""

from __future__ import annotations

from pyspark_lineage.plan import LogicalPlan, Unknown
from pyspark_lineage.plan.commands import Command

# Leaves that bring no data from outside the program: rows out of it, names of things, results already told.
_NO_DATA = frozenset(
    {
        "CTERelationRef",
        "CommandResult",
        "EmptyRelation",
        "LocalRelation",
        "OneRowRelation",
        "Range",
        "ResolvedIdentifier",
        "ResolvedNamespace",
        "ResolvedPersistentView",
        "ResolvedTable",
        "ResolvedTempView",
        "UnionLoopRef",
    }
)

# Commands that neither read nor write data: settings, names, descriptions.
_NO_DATA_COMMANDS = frozenset(
    {
        "AddArchivesCommand",
        "AddFilesCommand",
        "AddJarsCommand",
        "AlterDatabasePropertiesCommand",
        "AlterDatabaseSetLocationCommand",
        "AlterViewAs",
        "AlterViewAsCommand",
        "ClearCacheCommand",
        "CommentOnNamespace",
        "CreateDatabaseCommand",
        "CreateFunctionCommand",
        "CreateNamespace",
        "CreateTempViewUsing",
        "CreateUserDefinedFunctionCommand",
        "CreateVariable",
        "CreateView",
        "CreateViewCommand",
        "DescribeColumn",
        "DescribeColumnCommand",
        "DescribeDatabaseCommand",
        "DescribeFunctionCommand",
        "DescribeNamespace",
        "DescribeQueryCommand",
        "DescribeRelation",
        "DescribeTableCommand",
        "DropDatabaseCommand",
        "DropFunctionCommand",
        "DropNamespace",
        "DropTempViewCommand",
        "DropVariable",
        "DropView",
        "ExplainCommand",
        "ListArchivesCommand",
        "ListFilesCommand",
        "ListJarsCommand",
        "NoopCommand",
        "RefreshFunctionCommand",
        "RefreshResource",
        "RefreshTable",
        "RefreshTableCommand",
        "ResetCommand",
        "SetCatalogAndNamespace",
        "SetCatalogCommand",
        "SetCommand",
        "SetNamespaceCommand",
        "SetNamespaceLocation",
        "SetNamespaceProperties",
        "SetVariable",
        "ShowCatalogsCommand",
        "ShowColumns",
        "ShowColumnsCommand",
        "ShowCreateTable",
        "ShowCreateTableAsSerdeCommand",
        "ShowCreateTableCommand",
        "ShowCurrentNamespaceCommand",
        "ShowFunctions",
        "ShowFunctionsCommand",
        "ShowNamespaces",
        "ShowNamespacesCommand",
        "ShowPartitions",
        "ShowPartitionsCommand",
        "ShowTableProperties",
        "ShowTablePropertiesCommand",
        "ShowTables",
        "ShowTablesCommand",
        "ShowTablesExtended",
        "ShowViews",
        "ShowViewsCommand",
        "StreamingExplainCommand",
        "UncacheTable",
        "UncacheTableCommand",
    }
)


def is_silent(node: LogicalPlan, /) -> bool:
    """Operators are walked through, data-free leaves say nothing; relations, commands, unknown nodes are reported."""
    name = node.simple_name
    if is_data_free(name):
        return True
    if isinstance(node, Unknown) or is_command(node):
        return False
    return any(isinstance(child, LogicalPlan) for child in node.children)


def is_data_free(simple_name: str, /) -> bool:
    """Whether a class is known to concern no data, modelled or not: `SET`, `SHOW TABLES`, `VALUES`."""
    return simple_name in _NO_DATA_COMMANDS or simple_name in _NO_DATA


def is_command(node: LogicalPlan, /) -> bool:
    """Whether the node does something rather than computes rows."""
    return isinstance(node, Command) or node.simple_name.startswith("WriteTo")
