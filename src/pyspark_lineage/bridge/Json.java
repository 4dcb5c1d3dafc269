// Copyright 2026 The pyspark-lineage authors
// SPDX-License-Identifier: Apache-2.0
package pyspark_lineage;

import java.util.ArrayDeque;

import org.apache.spark.sql.execution.SparkPlanInfo;
import org.apache.spark.sql.execution.metric.SQLMetricInfo;

class Json {
  static String className(Class c) {
    String name = c.getName();
    return name.endsWith("$") ? name.substring(0, name.length() - 1) : name;
  }

  static String bounded(String s, int bound) {
    return s == null || s.length() <= bound ? s : s.substring(0, bound) + "…";
  }

  static void field(StringBuilder out, String name, String value) {
    out.append(",\"").append(name).append("\":");
    text(out, value);
  }

  static void text(StringBuilder out, String s) {
    if (s == null) {
      out.append("null");
      return;
    }
    out.append('"');
    int n = s.length();
    int from = 0;
    for (int i = 0; i < n; i++) {
      char c = s.charAt(i);
      if (c >= 32 && c != '"' && c != '\\' && (c < 0xD800 || c > 0xDFFF)) continue;
      if (c >= 0xD800 && c <= 0xDBFF && i + 1 < n && Character.isLowSurrogate(s.charAt(i + 1))) {
        i++;
        continue;
      }
      out.append(s, from, i);
      from = i + 1;
      if (c == '"') out.append("\\\"");
      else if (c == '\\') out.append("\\\\");
      else if (c == '\n') out.append("\\n");
      else {
        String hex = Integer.toHexString(c);
        out.append("\\u0000", 0, 6 - hex.length()).append(hex);
      }
    }
    out.append(s, from, n).append('"');
  }

  static void throwable(StringBuilder out, Throwable t) {
    out.append("{\"class\":");
    text(out, t.getClass().getName());
    field(out, "message", bounded(t.getMessage(), 65536));
    Object condition = Reflect.get(t, "getCondition");
    if (condition == null) condition = Reflect.get(t, "getErrorClass");
    field(out, "condition", condition instanceof String ? (String) condition : null);
    java.io.StringWriter stack = new java.io.StringWriter();
    t.printStackTrace(new java.io.PrintWriter(stack));
    field(out, "stack", bounded(stack.toString(), 32768));
    out.append(",\"causes\":[");
    Throwable c = t.getCause();
    for (int i = 0; c != null && i < 8; i++) {
      if (i > 0) out.append(',');
      out.append("{\"class\":");
      text(out, c.getClass().getName());
      field(out, "message", bounded(c.getMessage(), 65536));
      out.append('}');
      c = c.getCause() == c ? null : c.getCause();
    }
    out.append("]}");
  }

  /** What scans read and writes wrote, by the driver's own accumulators: the tasks' updates are merged there already. */
  static void sqlMetrics(StringBuilder out, SparkPlanInfo root) {
    out.append('[');
    boolean first = true;
    ArrayDeque todo = new ArrayDeque();
    if (root != null) todo.add(root);
    for (int n = 0; !todo.isEmpty() && n < 20000; n++) {
      SparkPlanInfo at = (SparkPlanInfo) todo.poll();
      scala.collection.Iterator kids = at.children().iterator();
      boolean leaf = !kids.hasNext();
      while (kids.hasNext()) todo.add(kids.next());
      if (!leaf && !at.nodeName().startsWith("Execute ") && !writes(at.nodeName())) continue;
      scala.collection.Iterator metrics = at.metrics().iterator();
      while (metrics.hasNext()) {
        SQLMetricInfo m = (SQLMetricInfo) metrics.next();
        scala.Option acc = org.apache.spark.util.AccumulatorContext.get(m.accumulatorId());
        if (!acc.isDefined()) continue;
        Object v = ((org.apache.spark.util.AccumulatorV2) acc.get()).value();
        if (!(v instanceof Long) || ((Long) v).longValue() <= 0) continue;
        if (!first) out.append(',');
        first = false;
        out.append('[');
        text(out, bounded(at.nodeName(), 500));
        out.append(',');
        text(out, m.name());
        out.append(',');
        text(out, m.metricType());
        out.append(',').append(v).append(']');
      }
    }
    out.append(']');
  }

  static boolean writes(String node) {
    return node.startsWith("Append") || node.startsWith("Overwrite") || node.startsWith("Write") || node.startsWith("Replace")
        || node.startsWith("AtomicCreate") || node.startsWith("AtomicReplace") || node.startsWith("Create") || node.startsWith("Merge");
  }
}
