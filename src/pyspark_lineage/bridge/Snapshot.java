// Copyright 2026 The pyspark-lineage authors
// SPDX-License-Identifier: Apache-2.0
package pyspark_lineage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCRelation;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;

/** How the nodes of one class are told: the names of its constructor's parameters, in order. */
class Shape {
  static final HashMap shapes = new HashMap();
  String className;
  char kind;
  String[] names;
  boolean[] skipped;
  /** 1 to 5: a class told in its own way; 6 + i: a command whose parameter i is the query that it writes. */
  int special;
  /** How each value is written: `T` a bare type, `x` a bare expression id, `l` a literal; `v` says itself what it is. */
  String kinds;

  static synchronized Shape of(TreeNode node) {
    Class c = node.getClass();
    Shape s = (Shape) shapes.get(c);
    if (s == null) {
      s = new Shape();
      s.className = Json.className(c);
      s.kind = node instanceof LogicalPlan ? 'p' : 'e';
      s.names = names((scala.Product) node);
      s.skipped = new boolean[s.names.length];
      String simple = s.className.substring(s.className.lastIndexOf('.') + 1);
      for (int i = 0; i < s.names.length; i++) {
        // rows, collected results, hash sets of values and cached plans: the user's data stays home
        s.skipped[i] = simple.equals("CommandResult") && !s.names[i].equals("output")
            || simple.equals("LocalRelation") && s.names[i].equals("data")
            || simple.equals("InSet") && s.names[i].equals("hset")
            || s.names[i].equals("cacheBuilder") || s.names[i].equals("evalContext");
      }
      if (node instanceof AttributeReference) s.special = 1;
      else if (node instanceof Alias) s.special = 2;
      else if (node instanceof Literal) s.special = 3;
      else if (simple.equals("Cast")) s.special = 4;
      else if (simple.equals("CommandResult")) s.special = 5;
      if (s.special == 1) s.names = plus(s.names, "exprId", "qualifier", null);
      if (s.special == 2) s.names = plus(s.names, "exprId", "qualifier", "metadata");
      if (s.special == 4) s.names = plus(s.names, "childType", null, null);
      if (s.kind == 'p') {
        for (int i = 0; i < s.skipped.length; i++) if (s.names[i].equals("query")) s.special = 6 + i;
      }
      if (s.special >= 6) s.names = plus(s.names, "querySchema", null, null);
      StringBuilder kinds = new StringBuilder();
      for (int i = 0; i < s.names.length; i++) {
        boolean typed = s.special >= 1 && s.special <= 4;
        if (typed && (s.names[i].equals("dataType") || s.names[i].equals("childType"))) kinds.append('T');
        else if (typed && s.names[i].equals("exprId")) kinds.append('x');
        else if (s.special == 3 && i == 0) kinds.append('l');
        else kinds.append('v');
      }
      s.kinds = kinds.toString();
      shapes.put(c, s);
    }
    return s;
  }

  static String[] plus(String[] names, String a, String b, String c) {
    ArrayList all = new ArrayList(Arrays.asList(names));
    all.add(a);
    if (b != null) all.add(b);
    if (c != null) all.add(c);
    return (String[]) all.toArray(new String[0]);
  }

  static final HashMap productNames = new HashMap();

  static synchronized String[] names(scala.Product p) {
    String[] known = (String[]) productNames.get(p.getClass());
    if (known != null) return known;
    int n = p.productArity();
    String[] names = new String[n];
    try {
      // Scala 2.13 knows the names
      java.lang.reflect.Method m = p.getClass().getMethod("productElementName", new Class[] {Integer.TYPE});
      for (int i = 0; i < n; i++) names[i] = (String) m.invoke(p, new Object[] {Integer.valueOf(i)});
    } catch (Exception scala212) {
      // Scala 2.12 keeps the constructor's parameter names in the class file; trusted only where the getters agree
      String[] found = null;
      for (Class c = p.getClass(); c != null && found == null; c = c.getSuperclass()) found = parameters(c, p, n);
      for (int i = 0; i < n; i++) names[i] = found == null ? "_" + i : found[i];
    }
    productNames.put(p.getClass(), names);
    return names;
  }

  static String[] parameters(Class c, scala.Product p, int n) {
    java.lang.reflect.Constructor[] all = c.getDeclaredConstructors();
    for (int k = 0; k < all.length; k++) {
      java.lang.reflect.Parameter[] params = all[k].getParameters();
      if (params.length < n) continue;
      String[] names = new String[n];
      boolean agrees = true;
      for (int i = 0; i < n && agrees; i++) {
        names[i] = params[i].getName();
        Object got = Reflect.get(p, names[i]);
        Object want = p.productElement(i);
        agrees = params[i].isNamePresent() && (got == want || got != null && got.equals(want));
      }
      if (agrees) return names;
    }
    return null;
  }
}

/** One tree as one JSON object: each node once, numbered as it is first met; no recursion over the tree. */
class Snapshot {
  static final int MAX_DEPTH = 10;
  static final int MAX_LIST = 10000;
  static final int MAX_TEXT = 65536;
  static final int MAX_RDDS = 64;
  static final java.lang.reflect.Method PYSPARK_CONTEXT = pysparkContext();

  final Bridge bridge;
  final StringBuilder out;
  final long deadline;
  final IdentityHashMap ids = new IdentityHashMap();
  final ArrayList nodes = new ArrayList();
  final HashMap classIds = new HashMap();
  final ArrayList classes = new ArrayList();
  final IdentityHashMap typeIds = new IdentityHashMap();
  final HashMap typeTexts = new HashMap();
  final ArrayList types = new ArrayList();
  final IdentityHashMap originIds = new IdentityHashMap();
  final HashMap originTexts = new HashMap();
  final ArrayList origins = new ArrayList();
  final HashMap sqlIds = new HashMap();
  final ArrayList sql = new ArrayList();
  final LinkedHashSet cut = new LinkedHashSet();
  boolean late;

  Snapshot(Bridge bridge, StringBuilder out) {
    this.bridge = bridge;
    this.out = out;
    this.deadline = System.nanoTime() + bridge.maxSnapshotMillis * 1000000L;
  }

  static java.lang.reflect.Method pysparkContext() {
    try {
      return Origin.class.getMethod("pysparkErrorContext", new Class[0]);
    } catch (NoSuchMethodException before4) {
      return null;
    }
  }

  void write(LogicalPlan root) {
    out.append("{\"root\":").append(ref(root)).append(",\"nodes\":[");
    for (int i = 0; i < nodes.size(); i++) {
      if (i > 0) out.append(',');
      if ((i & 255) == 0 && !late && System.nanoTime() > deadline) {
        late = true;
        cut.add("time");
      }
      node((TreeNode) nodes.get(i));
    }
    out.append("],\"classes\":[");
    for (int i = 0; i < classes.size(); i++) {
      if (i > 0) out.append(',');
      out.append((String) classes.get(i));
    }
    out.append("],\"types\":[");
    for (int i = 0; i < types.size(); i++) {
      if (i > 0) out.append(',');
      out.append((String) types.get(i));
    }
    out.append("],\"origins\":[");
    for (int i = 0; i < origins.size(); i++) {
      if (i > 0) out.append(',');
      out.append((String) origins.get(i));
    }
    out.append("],\"sql\":[");
    for (int i = 0; i < sql.size(); i++) {
      if (i > 0) out.append(',');
      text((String) sql.get(i));
    }
    out.append("],\"cut\":[");
    Iterator it = cut.iterator();
    for (int i = 0; it.hasNext(); i++) {
      if (i > 0) out.append(',');
      text((String) it.next());
    }
    out.append("]}");
  }

  int ref(Object node) {
    Integer id = (Integer) ids.get(node);
    if (id != null) return id.intValue();
    if (late) return -1;
    int n = nodes.size();
    if (n >= bridge.maxNodes) {
      cut.add("nodes");
      return -1;
    }
    ids.put(node, Integer.valueOf(n));
    nodes.add(node);
    return n;
  }

  void node(TreeNode node) {
    Shape shape = Shape.of(node);
    List wanted = bridge.getters.any ? bridge.getters.of(node, "plan") : null;
    boolean read = wanted != null && !wanted.isEmpty();
    out.append('[').append(classId(shape, read));
    if (late) {
      out.append(",[],[]]");
      return;
    }
    out.append(",[");
    if (shape.special != 5) {
      scala.collection.Iterator kids = node.children().iterator();
      boolean first = true;
      while (kids.hasNext()) {
        if (!first) out.append(',');
        first = false;
        out.append(ref(kids.next()));
      }
    }
    out.append("],[");
    scala.Product product = (scala.Product) node;
    int n = shape.skipped.length;
    for (int i = 0; i < n; i++) {
      if (i > 0) out.append(',');
      if (shape.skipped[i]) out.append("null");
      else if (shape.special == 3 && i == 0) literal((Literal) node);
      else if (shape.kinds.charAt(i) == 'T') out.append(typeId((DataType) product.productElement(i)));
      else value(product.productElement(i), 0);
    }
    if (shape.special == 1 || shape.special == 2) {
      NamedExpression named = (NamedExpression) node;
      out.append(',');
      bareExprId(named.exprId());
      out.append(',');
      value(named.qualifier(), 0);
      if (shape.special == 2) {
        out.append(',');
        scala.Option own = ((Alias) node).explicitMetadata();
        value(own, 0);
      }
    } else if (shape.special == 4) {
      out.append(',');
      typeOf((Expression) node.children().head());
    } else if (shape.special >= 6) {
      out.append(',');
      schema(product.productElement(shape.special - 6));
    }
    if (read) {
      out.append(',');
      getterObject(node, wanted);
    }
    out.append(']');
    int origin = origin(node.origin());
    if (origin >= 0) out.append(',').append(origin);
    out.append(']');
  }

  int classId(Shape shape, boolean read) {
    Integer id = (Integer) classIds.get(shape.className);
    if (id == null) {
      id = Integer.valueOf(classes.size());
      classIds.put(shape.className, id);
      StringBuilder b = new StringBuilder("[");
      Json.text(b, shape.className);
      b.append(",\"").append(shape.kind).append("\",[");
      for (int i = 0; i < shape.names.length; i++) {
        if (i > 0) b.append(',');
        Json.text(b, shape.names[i]);
      }
      if (read) b.append(shape.names.length > 0 ? ",\"$getters\"" : "\"$getters\"");
      classes.add(b.append("],\"").append(shape.kinds).append(read ? "v\"]" : "\"]").toString());
    }
    return id.intValue();
  }

  /** The type of an expression whose class alone does not tell it; attributes and literals carry their own. */
  void typeOf(Expression child) {
    if (child instanceof AttributeReference || child instanceof Literal) {
      out.append("null");
      return;
    }
    try {
      out.append(typeId(child.dataType()));
    } catch (Throwable unresolved) {
      out.append("null");
    }
  }

  /** The columns of the query that a command writes. */
  void schema(Object query) {
    if (!(query instanceof LogicalPlan)) {
      out.append("null");
      return;
    }
    try {
      value(((LogicalPlan) query).schema(), 0);
    } catch (Throwable unresolved) {
      out.append("null");
    }
  }

  void literal(Literal l) {
    Object v = l.value();
    String told = null;
    if (v == null) {
      out.append("null");
      return;
    }
    try {
      if (v instanceof org.apache.spark.unsafe.types.UTF8String) {
        if (((org.apache.spark.unsafe.types.UTF8String) v).numBytes() <= bridge.maxLiteral) told = v.toString();
      } else if (v instanceof Number || v instanceof Boolean || v instanceof org.apache.spark.sql.types.Decimal) {
        told = l.toString();
      }
    } catch (Throwable t) {
      told = null;
    }
    if (told == null || told.length() > bridge.maxLiteral) out.append('0');
    else text(told);
  }

  void exprId(ExprId id) {
    out.append("{\"x\":");
    bareExprId(id);
    out.append('}');
  }

  void bareExprId(ExprId id) {
    if (id.jvmId().equals(NamedExpression$.MODULE$.jvmId())) out.append(id.id());
    else text(id.id() + "@" + id.jvmId());
  }

  int origin(Origin o) {
    if (o == null) return -1;
    Integer known = (Integer) originIds.get(o);
    if (known != null) return known.intValue();
    int id = -1;
    scala.Tuple2 py = null;
    if (PYSPARK_CONTEXT != null) {
      try {
        scala.Option c = (scala.Option) PYSPARK_CONTEXT.invoke(o, new Object[0]);
        if (c.isDefined()) py = (scala.Tuple2) c.get();
      } catch (Exception e) {
        py = null;
      }
    }
    if (o.line().isDefined() || o.sqlText().isDefined() || py != null) {
      StringBuilder b = new StringBuilder("[");
      b.append(number(o.line())).append(',').append(number(o.startPosition())).append(',');
      b.append(number(o.startIndex())).append(',').append(number(o.stopIndex())).append(',');
      if (o.sqlText().isDefined()) b.append(sqlId((String) o.sqlText().get()));
      else b.append("null");
      b.append(',');
      Json.text(b, py == null ? null : Json.bounded((String) py._1(), 200));
      b.append(',');
      Json.text(b, py == null ? null : Json.bounded((String) py._2(), 500));
      String told = b.append(']').toString();
      Integer same = (Integer) originTexts.get(told);
      if (same == null) {
        same = Integer.valueOf(origins.size());
        origins.add(told);
        originTexts.put(told, same);
      }
      id = same.intValue();
    }
    originIds.put(o, Integer.valueOf(id));
    return id;
  }

  static String number(scala.Option o) {
    return o.isDefined() ? o.get().toString() : "null";
  }

  int sqlId(String s) {
    Integer id = (Integer) sqlIds.get(s);
    if (id == null) {
      id = Integer.valueOf(sql.size());
      sqlIds.put(s, id);
      sql.add(s);
    }
    return id.intValue();
  }

  void type(DataType t) {
    out.append("{\"T\":").append(typeId(t)).append('}');
  }

  int typeId(DataType t) {
    Integer id = (Integer) typeIds.get(t);
    if (id == null) {
      String json;
      try {
        json = t.json();
      } catch (Throwable odd) {
        json = "\"unknown\"";
      }
      id = (Integer) typeTexts.get(json);
      if (id == null) {
        id = Integer.valueOf(types.size());
        types.add(json);
        typeTexts.put(json, id);
      }
      typeIds.put(t, id);
    }
    return id.intValue();
  }

  void text(String s) {
    if (s != null && s.length() > MAX_TEXT) {
      cut.add("text");
      s = s.substring(0, MAX_TEXT);
    }
    Json.text(out, s);
  }

  void value(Object v, int depth) {
    if (v instanceof scala.Option) v = ((scala.Option) v).isDefined() ? ((scala.Option) v).get() : null;
    if (v == null) out.append("null");
    else if (v instanceof TreeNode) {
      if (v instanceof LogicalPlan || v instanceof Expression) out.append(ref(v));
      else object(v, depth);
    } else if (v instanceof String) text((String) v);
    else if (v instanceof Boolean) out.append(((Boolean) v).booleanValue());
    else if (v instanceof Number) number((Number) v);
    else if (v instanceof DataType) type((DataType) v);
    else if (v instanceof ExprId) exprId((ExprId) v);
    else if (v instanceof scala.collection.Map) scalaMap((scala.collection.Map) v, depth);
    else if (v instanceof scala.collection.Iterable && !(v instanceof scala.Product && !(v instanceof scala.collection.Seq))) {
      scalaList((scala.collection.Iterable) v, depth);
    } else if (v instanceof Map) javaMap((Map) v, depth);
    else if (v instanceof Collection) javaList(((Collection) v).iterator(), depth);
    else if (v instanceof Object[]) javaList(Arrays.asList((Object[]) v).iterator(), depth);
    else if (v instanceof Path || v instanceof java.net.URI || v instanceof java.util.UUID) text(v.toString());
    else if (v instanceof Metadata) metadata((Metadata) v);
    else object(v, depth);
  }

  void number(Number n) {
    String s = n.toString();
    if (s.indexOf('N') >= 0 || s.indexOf('I') >= 0) text(s);
    else out.append("{\"#\":").append(s).append('}');
  }

  void metadata(Metadata m) {
    if (m == Metadata.empty()) {
      out.append("null");
      return;
    }
    String json = m.json();
    if (json.length() <= 2) out.append("null");
    else if (json.length() > 8192) {
      cut.add("metadata");
      out.append("null");
    } else out.append("{\"md\":").append(json).append('}');
  }

  /** Only what a plan is made of is listed; rows, bytes and other values are told by their class alone. */
  static boolean listed(Object o) {
    if (o instanceof scala.Option) return !((scala.Option) o).isDefined() || listed(((scala.Option) o).get());
    return o == null || o instanceof TreeNode || o instanceof String || o instanceof DataType || o instanceof Boolean
        || o instanceof Integer || o instanceof Long || o instanceof scala.collection.Seq || o instanceof Path
        || o instanceof ExprId || o instanceof Identifier || o instanceof Transform || o instanceof Enum
        || o instanceof scala.Product && product(o);
  }

  static boolean product(Object o) {
    String name = o.getClass().getName();
    return name.startsWith("org.apache.spark.sql.") && !name.startsWith("org.apache.spark.sql.catalyst.InternalRow")
        && !(o instanceof org.apache.spark.sql.Row) && !(o instanceof org.apache.spark.sql.catalyst.InternalRow)
        || name.startsWith("scala.Tuple") || name.startsWith("scala.util.Either") || name.startsWith("scala.util.Left")
        || name.startsWith("scala.util.Right");
  }

  void scalaList(scala.collection.Iterable list, int depth) {
    scala.collection.Iterator it = list.iterator();
    out.append('[');
    for (int i = 0; it.hasNext() && depth < MAX_DEPTH; i++) {
      Object o = it.next();
      if (i == 0 && !listed(o)) break;
      if (i >= MAX_LIST && !(o instanceof TreeNode)) {
        cut.add("list");
        break;
      }
      if (i > 0) out.append(',');
      value(o, depth + 1);
    }
    out.append(']');
  }

  void javaList(Iterator it, int depth) {
    out.append('[');
    for (int i = 0; it.hasNext() && i < MAX_LIST && depth < MAX_DEPTH; i++) {
      Object o = it.next();
      if (i == 0 && !listed(o)) break;
      if (i > 0) out.append(',');
      value(o, depth + 1);
    }
    out.append(']');
  }

  void scalaMap(scala.collection.Map map, int depth) {
    HashMap copy = new java.util.LinkedHashMap();
    scala.collection.Iterator it = map.iterator();
    for (int i = 0; it.hasNext() && i < MAX_LIST; i++) {
      scala.Tuple2 kv = (scala.Tuple2) it.next();
      copy.put(kv._1(), kv._2());
    }
    javaMap(copy, depth);
  }

  void javaMap(Map map, int depth) {
    if (depth >= MAX_DEPTH) {
      out.append("null");
      return;
    }
    boolean texts = true;
    for (Iterator it = map.keySet().iterator(); it.hasNext() && texts; ) texts = it.next() instanceof String;
    out.append(texts ? "{\"m\":{" : "{\"M\":[");
    boolean first = true;
    int n = 0;
    for (Iterator it = map.entrySet().iterator(); it.hasNext() && n < MAX_LIST; n++) {
      Object entry = it.next();
      Object key = ((Map.Entry) entry).getKey();
      Object v = ((Map.Entry) entry).getValue();
      if (!first) out.append(',');
      first = false;
      if (texts) {
        Json.text(out, (String) key);
        out.append(':');
        if (bridge.secret.matcher((String) key).find()) out.append("\"[redacted]\"");
        else value(v, depth + 1);
      } else {
        out.append('[');
        value(key, depth + 1);
        out.append(',');
        value(v, depth + 1);
        out.append(']');
      }
    }
    out.append(texts ? "}}" : "]}");
  }

  void object(Object o, int depth) {
    String name = Json.className(o.getClass());
    List wanted = bridge.getters.any ? bridge.getters.of(o, "plan") : null;
    boolean read = wanted != null && !wanted.isEmpty();
    if (name.startsWith("scala.Tuple") && o instanceof scala.Product) {
      scala.Product p = (scala.Product) o;
      out.append('[');
      for (int i = 0; i < p.productArity(); i++) {
        if (i > 0) out.append(',');
        value(p.productElement(i), depth + 1);
      }
      out.append(']');
      return;
    }
    out.append("{\"$\":");
    Json.text(out, name);
    int mark = out.length();
    out.append(",\"f\":{");
    int body = out.length();
    if (depth < MAX_DEPTH) {
      if (o instanceof Enum) field("name", ((Enum) o).name(), depth);
      else if (o instanceof HadoopFsRelation) files((HadoopFsRelation) o, depth);
      else if (o instanceof JDBCRelation) {
        field("schema", ((JDBCRelation) o).schema(), depth);
        jdbc(((JDBCRelation) o).jdbcOptions(), depth);
      } else if (o instanceof JDBCOptions) jdbc((JDBCOptions) o, depth);
      else if (o instanceof BaseRelation) field("schema", ((BaseRelation) o).schema(), depth);
      else if (o instanceof Table) table((Table) o, depth);
      else if (o instanceof CatalogPlugin) field("name", safeName((CatalogPlugin) o), depth);
      else if (o instanceof Identifier) {
        field("namespace", ((Identifier) o).namespace(), depth);
        field("name", ((Identifier) o).name(), depth);
      } else if (o instanceof Transform) field("describe", o.toString(), depth);
      else if (o instanceof org.apache.spark.rdd.RDD) rdd((org.apache.spark.rdd.RDD) o, depth);
      else if (o instanceof FileFormat || o instanceof FileIndex) out.append("");
      else if (o instanceof scala.Product && product(o)) fields((scala.Product) o, depth);
    }
    if (out.length() == body) out.setLength(mark);
    else out.append('}');
    if (read) {
      out.append(",\"g\":");
      getterObject(o, wanted);
    }
    out.append('}');
  }

  void field(String name, Object v, int depth) {
    if (out.charAt(out.length() - 1) != '{') out.append(',');
    Json.text(out, name);
    out.append(':');
    value(v, depth + 1);
  }

  void fields(scala.Product p, int depth) {
    String[] names = Shape.names(p);
    for (int i = 0; i < names.length; i++) {
      Object v = p.productElement(i);
      if (v == null || v instanceof scala.None$ || names[i].equals("colStats") || names[i].equals("sparkSession")) continue;
      field(names[i], v, depth);
    }
  }

  void files(HadoopFsRelation r, int depth) {
    FileIndex location = r.location();
    scala.collection.Iterator it = location.rootPaths().iterator();
    scala.collection.Map leaves = null;
    if (location instanceof PartitioningAwareFileIndex) {
      // already listed when the relation was made; never lists by itself
      Object known = Reflect.get(location, "leafFiles");
      if (known instanceof scala.collection.Map) leaves = (scala.collection.Map) known;
    }
    LinkedHashSet roots = new LinkedHashSet();
    int count = 0;
    Path only = null;
    while (it.hasNext()) {
      Path p = (Path) it.next();
      count++;
      only = p;
      boolean file = leaves != null && leaves.contains(p);
      if (roots.size() < MAX_LIST) roots.add((file && p.getParent() != null ? p.getParent() : p).toString());
      else cut.add("roots");
    }
    if (count == 1) {
      roots.clear();
      roots.add(only.toString());
    }
    field("roots", roots, depth);
    field("rootCount", Integer.valueOf(count), depth);
    field("partitionSchema", r.partitionSchema(), depth);
    field("dataSchema", r.dataSchema(), depth);
    field("bucketSpec", r.bucketSpec(), depth);
    field("fileFormat", r.fileFormat(), depth);
    if (r.fileFormat() instanceof DataSourceRegister) field("format", ((DataSourceRegister) r.fileFormat()).shortName(), depth);
    field("location", location, depth);
    field("options", r.options(), depth);
  }

  void jdbc(JDBCOptions options, int depth) {
    field("url", options.url(), depth);
    field("table", options.tableOrQuery(), depth);
    field("options", options.parameters(), depth);
  }

  void table(Table t, int depth) {
    if (t instanceof scala.Product && product(t)) fields((scala.Product) t, depth);
    Object v1 = t.getClass().getName().endsWith(".V1Table") ? Reflect.get(t, "v1Table") : null;
    if (v1 instanceof CatalogTable) {
      field("catalogTable", v1, depth);
      return;
    }
    try {
      TableFacts facts = (TableFacts) Limited.call(new TableFacts(t));
      if (!(t instanceof scala.Product)) field("name", facts.name, depth);
      field("properties", facts.properties, depth);
    } catch (Throwable slowOrBroken) {
      cut.add("table " + Json.className(t.getClass()));
    }
  }

  static String safeName(CatalogPlugin c) {
    try {
      return c.name();
    } catch (Throwable notInitialised) {
      return null;
    }
  }

  /** An RDD and those it comes from, as far as that is known already: asking for dependencies can list directories. */
  void rdd(org.apache.spark.rdd.RDD r, int depth) {
    field("id", Integer.valueOf(r.id()), depth);
    field("name", r.name(), depth);
    ArrayList chain = new ArrayList();
    IdentityHashMap seen = new IdentityHashMap();
    seen.put(r, r);
    ArrayDeque todo = new ArrayDeque();
    above(r, todo);
    while (!todo.isEmpty() && chain.size() < MAX_RDDS) {
      org.apache.spark.rdd.RDD at = (org.apache.spark.rdd.RDD) todo.poll();
      if (seen.put(at, at) != null) continue;
      chain.add(at);
      above(at, todo);
    }
    if (!todo.isEmpty()) cut.add("rdds");
    out.append(",\"chain\":[");
    for (int i = 0; i < chain.size(); i++) {
      org.apache.spark.rdd.RDD at = (org.apache.spark.rdd.RDD) chain.get(i);
      if (i > 0) out.append(',');
      out.append("{\"$\":");
      Json.text(out, Json.className(at.getClass()));
      out.append(",\"f\":{\"id\":{\"#\":").append(at.id()).append("},\"name\":");
      text(at.name());
      out.append("}}");
    }
    out.append(']');
  }

  static void above(org.apache.spark.rdd.RDD r, ArrayDeque todo) {
    Object known = Reflect.field(r, "dependencies_");
    if (known == null) known = r instanceof org.apache.spark.rdd.UnionRDD ? Reflect.get(r, "rdds") : Reflect.field(r, "deps");
    if (!(known instanceof scala.collection.Seq)) return;
    scala.collection.Iterator it = ((scala.collection.Seq) known).iterator();
    while (it.hasNext()) {
      Object one = it.next();
      if (one instanceof org.apache.spark.Dependency) one = ((org.apache.spark.Dependency) one).rdd();
      if (one instanceof org.apache.spark.rdd.RDD) todo.add(one);
    }
  }

  void getterObject(Object o, List wanted) {
    out.append("{\"m\":{");
    boolean first = true;
    for (int i = 0; i < wanted.size(); i++) {
      Getter g = (Getter) wanted.get(i);
      if (g.off) continue;
      if (!first) out.append(',');
      first = false;
      Json.text(out, g.name);
      out.append(':');
      int mark = out.length();
      try {
        Object v = Limited.call(new Chain(o, g));
        value(plain(v, g.bound), MAX_DEPTH - 3);
      } catch (Throwable t) {
        out.setLength(mark);
        out.append("null");
        Throwable why = t;
        while (why.getCause() != null && (why instanceof java.util.concurrent.ExecutionException
            || why instanceof java.lang.reflect.InvocationTargetException)) why = why.getCause();
        cut.add("getter " + g.className + "." + g.name + ": " + why.getClass().getName());
        if (t instanceof TimeoutException) g.off = true;
      }
    }
    out.append("}}");
  }

  static Object plain(Object v, int bound) {
    if (v instanceof scala.Option) v = ((scala.Option) v).isDefined() ? ((scala.Option) v).get() : null;
    if (v == null || v instanceof Number || v instanceof Boolean || v instanceof Map || v instanceof Collection
        || v instanceof scala.collection.Iterable || v instanceof Object[] || v instanceof CatalogTable) return v;
    return Json.bounded(v.toString(), bound);
  }
}

/** After an execution whose physical plan exists: what plug-ins want of its scans. Never read for lineage. */
class Physical {
  static void write(StringBuilder out, QueryExecution qe, Getters getters, Bridge bridge) {
    out.append('[');
    boolean first = true;
    ArrayDeque todo = new ArrayDeque();
    IdentityHashMap seen = new IdentityHashMap();
    try {
      todo.add(qe.executedPlan());
    } catch (Throwable noPlan) {
      out.append(']');
      return;
    }
    while (!todo.isEmpty() && seen.size() < 10000) {
      Object at = todo.poll();
      if (seen.put(at, at) != null) continue;
      Object scan = Reflect.get(at, "scan");
      Object[] asked = new Object[] {at, scan};
      for (int i = 0; i < asked.length; i++) {
        if (asked[i] == null) continue;
        List wanted = getters.of(asked[i], "physical");
        if (wanted.isEmpty()) continue;
        if (!first) out.append(',');
        first = false;
        out.append("{\"class\":");
        Json.text(out, Json.className(asked[i].getClass()));
        out.append(",\"getters\":");
        new Snapshot(bridge, out).getterObject(asked[i], wanted);
        out.append('}');
      }
      String name = at.getClass().getSimpleName();
      Object inner = name.equals("AdaptiveSparkPlanExec") ? Reflect.get(at, "executedPlan")
          : name.endsWith("QueryStageExec") ? Reflect.get(at, "plan") : null;
      if (inner != null) todo.add(inner);
      if (at instanceof TreeNode) {
        scala.collection.Iterator kids = ((TreeNode) at).children().iterator();
        while (kids.hasNext()) todo.add(kids.next());
      }
    }
    out.append(']');
  }
}
