// Copyright 2026 The pyspark-lineage authors
// SPDX-License-Identifier: Apache-2.0
package pyspark_lineage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.spark.sql.connector.catalog.Table;

/** Getters declared by plug-ins, found by the classes that an object is; only classes that were named are ever called. */
class Getters {
  final ArrayList declared = new ArrayList();
  final HashMap byClass = new HashMap();
  boolean any;
  boolean physical;

  void declare(String className, String where, String name, String path, int bound) {
    declared.add(new Getter(className, where, name, path, bound));
    any = true;
    if (where.equals("physical")) physical = true;
    byClass.clear();
  }

  synchronized List of(Object o, String where) {
    String key = where + ' ' + o.getClass().getName();
    List found = (List) byClass.get(key);
    if (found == null) {
      LinkedHashSet names = new LinkedHashSet();
      collect(o.getClass(), names);
      found = new ArrayList();
      for (int i = 0; i < declared.size(); i++) {
        Getter g = (Getter) declared.get(i);
        if (g.where.equals(where) && names.contains(g.className)) found.add(g);
      }
      byClass.put(key, found);
    }
    return found;
  }

  static void collect(Class c, LinkedHashSet names) {
    for (Class k = c; k != null; k = k.getSuperclass()) {
      if (!names.add(k.getName())) return;
      Class[] interfaces = k.getInterfaces();
      for (int i = 0; i < interfaces.length; i++) collect(interfaces[i], names);
    }
  }
}

class Getter {
  final String className;
  final String where;
  final String name;
  final String[] path;
  final int bound;
  boolean off;
  Getter(String className, String where, String name, String path, int bound) {
    this.className = className;
    this.where = where;
    this.name = name;
    this.path = path.split("\\.");
    this.bound = bound;
  }
}

/** A call into classes that are not Spark's: on a thread of its own, given up after its time. */
class Limited {
  static final long MILLIS = 1000;
  static final ArrayList hanging = new ArrayList();

  static synchronized boolean full() {
    for (int i = hanging.size() - 1; i >= 0; i--) {
      if (!((Thread) hanging.get(i)).isAlive()) hanging.remove(i);
    }
    return hanging.size() >= 4;
  }

  static synchronized void hangs(Thread t) {
    hanging.add(t);
  }

  static Object call(Callable work) throws Exception {
    if (full()) throw new TimeoutException("too many calls hang");
    FutureTask task = new FutureTask(work);
    Thread t = new Thread(task, "pyspark-lineage-getter");
    t.setDaemon(true);
    t.start();
    try {
      return task.get(MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      hangs(t);
      task.cancel(true);
      throw e;
    }
  }
}

class Chain implements Callable {
  final Object start;
  final Getter getter;
  Chain(Object start, Getter getter) {
    this.start = start;
    this.getter = getter;
  }
  public Object call() throws Exception {
    Object at = start;
    for (int i = 0; i < getter.path.length && at != null; i++) {
      if (at instanceof scala.Option) at = ((scala.Option) at).isDefined() ? ((scala.Option) at).get() : null;
      if (at == null) return null;
      java.lang.reflect.Method m = Reflect.method(at.getClass(), getter.path[i]);
      if (m == null) return null;
      at = m.invoke(at, new Object[0]);
    }
    return at;
  }
}

/** Facts of a V2 table that its own class tells; connectors' code runs here, so within `Limited`. */
class TableFacts implements Callable {
  final Table table;
  String name;
  Object properties;
  TableFacts(Table table) {
    this.table = table;
  }
  public Object call() {
    name = table.name();
    properties = table.properties();
    return this;
  }
}

class Reflect {
  static final HashMap methods = new HashMap();
  static final Object NONE = new Object();

  /** The public no-argument method of that name, called through a public class or interface where there is one. */
  static synchronized java.lang.reflect.Method method(Class c, String name) {
    String key = c.getName() + '.' + name;
    Object m = methods.get(key);
    if (m == null) {
      m = NONE;
      LinkedHashSet seen = new LinkedHashSet();
      for (Class k = c; k != null && m == NONE; k = k.getSuperclass()) {
        m = declared(k, name, seen);
      }
      methods.put(key, m);
    }
    return m == NONE ? null : (java.lang.reflect.Method) m;
  }

  static Object declared(Class k, String name, LinkedHashSet seen) {
    try {
      java.lang.reflect.Method m = k.getDeclaredMethod(name, new Class[0]);
      try {
        m.setAccessible(true);
      } catch (RuntimeException closedModule) {
        if (!java.lang.reflect.Modifier.isPublic(k.getModifiers())) return NONE;
      }
      return m;
    } catch (NoSuchMethodException e) {
      Class[] is = k.getInterfaces();
      for (int i = 0; i < is.length; i++) {
        if (!seen.add(is[i])) continue;
        Object m = declared(is[i], name, seen);
        if (m != NONE) return m;
      }
      return NONE;
    }
  }

  /** A private field, wherever in the hierarchy it is declared; null where there is none. */
  static Object field(Object o, String name) {
    for (Class k = o.getClass(); k != null; k = k.getSuperclass()) {
      try {
        java.lang.reflect.Field f = k.getDeclaredField(name);
        f.setAccessible(true);
        return f.get(o);
      } catch (NoSuchFieldException further) {
        continue;
      } catch (Exception closed) {
        return null;
      }
    }
    return null;
  }

  static Object get(Object o, String name) {
    try {
      java.lang.reflect.Method m = method(o.getClass(), name);
      return m == null ? null : m.invoke(o, new Object[0]);
    } catch (Exception e) {
      return null;
    }
  }
}
