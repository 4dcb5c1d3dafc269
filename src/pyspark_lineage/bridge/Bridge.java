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
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.JobFailed;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
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
import org.apache.spark.sql.execution.SparkPlanInfo;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCRelation;
import org.apache.spark.sql.execution.metric.SQLMetricInfo;
import org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;

/**
 * The agent's ear in the driver's JVM. Spark's own Janino compiles this file, one source for every Spark that is supported,
 * so it keeps to what Janino 3.1 and Java 8 know: no lambdas, no multi-catch, no try-with-resources, raw collections.
 *
 * Three rules. (1) On the listener bus thread nothing but references are kept: O(1) an event. (2) Plans are serialised on
 * the agent's own thread, when it polls, and let go at once. (3) Nothing is computed for the user: only `analyzed` is
 * read, and values that already lie in memory.
 */
public class Bridge extends SparkListener {
  static final String QUEUE = "pyspark-lineage";
  /** Starts and ends are never dropped while an agent polls; job messages are, beyond this many waiting messages. */
  static final int MAX_SMALL_MESSAGES = 200000;
  /** Nobody has polled for this long: the agent is gone, and nothing more is kept for it. */
  static final long AGENT_GONE_NANOS = 120L * 1000000000L;

  final Object lock = new Object();
  final ArrayDeque queue = new ArrayDeque();
  final HashMap executions = new HashMap();
  final HashMap jobs = new HashMap();
  final HashMap stages = new HashMap();
  final Getters getters = new Getters();
  final ThreadLocal siteBefore = new ThreadLocal();
  volatile Object[] entered;

  volatile SparkContext context;
  volatile boolean ended;
  volatile boolean released;
  volatile long lastPoll;
  boolean woken;
  boolean serving;
  int plansHeld;
  long plansDropped;
  long smallDropped;
  long plansFailed;
  long abandoned;
  long snapshots;
  long snapshotNanos;
  Thread exitHook;

  Pattern secret = Pattern.compile("(?i)password|secret|token");
  String[] prefixes = new String[0];
  String[] hadoopKeys = new String[0];
  int maxPlans = 1000;
  int maxNodes = 1000000;
  int maxLiteral = 64;
  long maxSnapshotMillis = 10000;

  // ---------------------------------------------------------------- called from Python, at attach

  /** One setting a line, `name<TAB>value…`; values are plain text. Called before `attachTo`. */
  public void configure(String lines) {
    String[] all = lines.split("\n");
    for (int i = 0; i < all.length; i++) {
      String[] part = all[i].split("\t", -1);
      String name = part[0];
      if (name.equals("secret")) secret = Pattern.compile(part[1]);
      else if (name.equals("prefixes")) prefixes = (String[]) Arrays.copyOfRange(part, 1, part.length);
      else if (name.equals("hadoopKeys")) hadoopKeys = (String[]) Arrays.copyOfRange(part, 1, part.length);
      else if (name.equals("maxPlans")) maxPlans = Integer.parseInt(part[1]);
      else if (name.equals("maxNodes")) maxNodes = Integer.parseInt(part[1]);
      else if (name.equals("maxLiteral")) maxLiteral = Integer.parseInt(part[1]);
      else if (name.equals("maxSnapshotMillis")) maxSnapshotMillis = Long.parseLong(part[1]);
      else if (name.equals("getter")) getters.declare(part[1], part[2], part[3], part[4], Integer.parseInt(part[5]));
    }
  }

  /** Listen to this context on a queue of our own; a second call with the same context does nothing. */
  public boolean attachTo(SparkContext sc) {
    synchronized (lock) {
      if (context == sc && !ended) return false;
      context = sc;
      ended = false;
      released = false;
      lastPoll = System.nanoTime();
      executions.clear();
      jobs.clear();
      stages.clear();
    }
    sc.listenerBus().addToQueue(this, QUEUE);
    Small m = new Small("application", sc.startTime());
    m.application = sc;
    put(m);
    if (exitHook == null) {
      exitHook = new ExitHook(this);
      Runtime.getRuntime().addShutdownHook(exitHook);
    }
    return true;
  }

  /** Leave no trace: no listener, no hook, nothing held. */
  public void detach() {
    SparkContext sc = context;
    context = null;
    if (sc != null) sc.removeSparkListener(this);
    if (exitHook != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(exitHook);
      } catch (IllegalStateException shuttingDown) {
        released = true;
      }
      exitHook = null;
    }
    synchronized (lock) {
      queue.clear();
      executions.clear();
      jobs.clear();
      stages.clear();
      plansHeld = 0;
      woken = true;
      lock.notifyAll();
    }
    System.getProperties().remove("pyspark_lineage.bridge");
  }

  /** The configuration of the context below a prefix, as a JSON object: one crossing instead of one per entry. */
  public String conf(SparkContext sc, String prefix) {
    StringBuilder out = new StringBuilder("{");
    scala.Tuple2[] all = sc.getConf().getAll();
    boolean first = true;
    for (int i = 0; i < all.length; i++) {
      String key = (String) all[i]._1();
      if (!key.startsWith(prefix)) continue;
      if (!first) out.append(',');
      first = false;
      Json.text(out, key);
      out.append(':');
      Json.text(out, (String) all[i]._2());
    }
    return out.append('}').toString();
  }

  // ---------------------------------------------------------------- called from Python, around an action

  /** Until `leave`, what this thread runs carries this call site (and what `longForm` says beside it). */
  public void enter(String shortForm, String longForm) {
    SparkContext sc = context;
    if (sc == null) return;
    java.util.Properties mine = sc.getLocalProperties();
    Object[] before = (Object[]) siteBefore.get();
    // a `leave` that an interrupt swallowed: what was there before it still counts
    if (before == null || before[0] != mine) {
      before = new Object[] {mine, mine.getProperty("callSite.short"), mine.getProperty("callSite.long")};
    }
    siteBefore.set(before);
    entered = before;
    mine.setProperty("callSite.short", shortForm);
    mine.setProperty("callSite.long", longForm);
  }

  /** With unpinned threads this call may come in on another thread than `enter` did: then the last one is meant. */
  public void leave() {
    Object[] before = (Object[]) siteBefore.get();
    if (before == null) before = entered;
    siteBefore.remove();
    if (before == null) return;
    java.util.Properties mine = (java.util.Properties) before[0];
    restore(mine, "callSite.short", (String) before[1]);
    restore(mine, "callSite.long", (String) before[2]);
    if (entered == before) entered = null;
  }

  static void restore(java.util.Properties p, String key, String value) {
    if (value == null) p.remove(key);
    else p.setProperty(key, value);
  }

  // ---------------------------------------------------------------- called from the agent

  /**
   * Waits for messages, then for `lingerMillis` more so that one crossing carries many, and returns them as JSON.
   * Returns at once after `wake`, and in any case after `timeoutMillis`.
   */
  public String poll(long timeoutMillis, long lingerMillis, int maxChars) throws InterruptedException {
    long deadline = System.currentTimeMillis() + timeoutMillis;
    synchronized (lock) {
      while (queue.isEmpty() && !woken) {
        long left = deadline - System.currentTimeMillis();
        if (left <= 0) break;
        lastPoll = System.nanoTime();
        lock.wait(left);
      }
      if (!queue.isEmpty() && !woken && lingerMillis > 0) {
        long until = System.currentTimeMillis() + lingerMillis;
        while (!woken && queue.size() < 500 && plansHeld * 2 < maxPlans && !ended) {
          long left = until - System.currentTimeMillis();
          if (left <= 0) break;
          lock.wait(left);
        }
      }
      woken = false;
      serving = true;
    }
    StringBuilder out = new StringBuilder(4096);
    fill(out, maxChars);
    synchronized (lock) {
      serving = false;
      lastPoll = System.nanoTime();
      lock.notifyAll();
    }
    return out.toString();
  }

  /** Never throws: a message that cannot be written is told as lost. */
  void fill(StringBuilder out, int maxChars) {
    out.append("{\"messages\":[");
    boolean first = true;
    while (out.length() < maxChars) {
      Object next;
      synchronized (lock) {
        next = queue.pollFirst();
      }
      if (next == null) break;
      if (!first) out.append(',');
      first = false;
      int mark = out.length();
      try {
        write(out, next);
      } catch (Throwable t) {
        out.setLength(mark);
        out.append("{\"m\":\"lost\",\"why\":");
        Json.text(out, t.toString());
        out.append('}');
      }
    }
    out.append("],\"state\":").append(stats()).append('}');
  }

  public void wake() {
    synchronized (lock) {
      woken = true;
      lock.notifyAll();
    }
  }

  /** True when all that Spark had posted before this call has reached our queue. */
  public boolean flush(long timeoutMillis) throws InterruptedException {
    SparkContext sc = context;
    if (sc == null || ended || sc.isStopped()) return true;
    Marker marker = new Marker();
    sc.listenerBus().post(marker);
    return marker.seen.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /** The agent needs nothing more: the JVM may end without waiting for it. */
  public void release() {
    synchronized (lock) {
      released = true;
      lock.notifyAll();
    }
  }

  public String stats() {
    StringBuilder out = new StringBuilder("{");
    synchronized (lock) {
      out.append("\"waiting\":").append(queue.size());
      out.append(",\"plansHeld\":").append(plansHeld);
      out.append(",\"plansDropped\":").append(plansDropped);
      out.append(",\"plansFailed\":").append(plansFailed);
      out.append(",\"messagesDropped\":").append(smallDropped);
      out.append(",\"abandoned\":").append(abandoned);
      out.append(",\"snapshots\":").append(snapshots);
      out.append(",\"snapshotNanos\":").append(snapshotNanos);
      out.append(",\"executions\":").append(executions.size());
      out.append(",\"contextEnded\":").append(ended);
    }
    long lost = 0;
    try {
      SparkContext sc = context;
      if (sc != null) {
        Object counter = sc.listenerBus().metrics().metricRegistry().getCounters().get("queue." + QUEUE + ".numDroppedEvents");
        if (counter != null) lost = ((com.codahale.metrics.Counter) counter).getCount();
      }
    } catch (Throwable noMetrics) {
      lost = -1;
    }
    return out.append(",\"busDropped\":").append(lost).append('}').toString();
  }

  // ---------------------------------------------------------------- on the listener bus: references only

  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart) started((SparkListenerSQLExecutionStart) event);
    else if (event instanceof SparkListenerSQLExecutionEnd) finished((SparkListenerSQLExecutionEnd) event);
    else if (event instanceof SparkListenerSQLAdaptiveExecutionUpdate) {
      SparkListenerSQLAdaptiveExecutionUpdate update = (SparkListenerSQLAdaptiveExecutionUpdate) event;
      synchronized (lock) {
        Execution e = (Execution) executions.get(Long.valueOf(update.executionId()));
        if (e != null) e.physical = update.sparkPlanInfo();
      }
    } else if (event instanceof Marker) ((Marker) event).seen.countDown();
    else if (getters.any && !getters.of(event, "event").isEmpty()) {
      Small m = new Small("event", System.currentTimeMillis());
      m.event = event;
      put(m);
    }
  }

  void started(SparkListenerSQLExecutionStart event) {
    Execution e = new Execution();
    e.id = event.executionId();
    scala.Option root = event.rootExecutionId();
    e.root = root.isDefined() ? ((Long) root.get()).longValue() : e.id;
    e.time = event.time();
    e.description = event.description();
    e.details = event.details();
    e.tags = event.jobTags();
    e.modified = event.modifiedConfigs();
    e.physical = event.sparkPlanInfo();
    QueryExecution qe = SQLExecution.getQueryExecution(e.id);
    synchronized (lock) {
      if (unheard()) return;
      hold(e, qe);
      executions.put(Long.valueOf(e.id), e);
      e.startWaits = true;
      queue.addLast(new Start(e));
      lock.notifyAll();
    }
  }

  void finished(SparkListenerSQLExecutionEnd event) {
    synchronized (lock) {
      Execution e = (Execution) executions.get(Long.valueOf(event.executionId()));
      if (e == null) {
        // attached while it ran: there was no start for us, and there is no run to end
        return;
      }
      e.endTime = event.time();
      e.name = event.executionName();
      e.failure = event.executionFailure();
      e.errorMessage = event.errorMessage();
      e.over = true;
      QueryExecution qe = event.qe();
      if (e.qe == null && !e.planSent) hold(e, qe);
      else if (getters.physical) e.done = qe;
      queue.addLast(new End(e));
      lock.notifyAll();
    }
  }

  /** Keep a reference to a plan, within the bound and while the heap has room; else the plan is dropped and counted. */
  void hold(Execution e, QueryExecution qe) {
    if (qe == null) return;
    Runtime jvm = Runtime.getRuntime();
    long free = jvm.maxMemory() - jvm.totalMemory() + jvm.freeMemory();
    boolean tight = plansHeld > 8 && free < jvm.maxMemory() / 16;
    if (plansHeld >= maxPlans || tight) {
      if (!e.planDropped) plansDropped++;
      e.planDropped = true;
      return;
    }
    if (e.planDropped) {
      e.planDropped = false;
      plansDropped--;
    }
    e.qe = qe;
    plansHeld++;
  }

  public void onJobStart(SparkListenerJobStart event) {
    Job job = new Job();
    job.id = event.jobId();
    java.util.Properties p = event.properties();
    if (p != null) {
      job.execution = p.getProperty("spark.sql.execution.id");
      job.root = p.getProperty("spark.sql.execution.root.id");
      job.site = p.getProperty("callSite.long");
      job.group = p.getProperty("spark.jobGroup.id");
      job.tags = p.getProperty("spark.job.tags");
      job.description = p.getProperty("spark.job.description");
    }
    scala.collection.Iterator it = event.stageInfos().iterator();
    ArrayList ids = new ArrayList();
    String resultName = null;
    while (it.hasNext()) {
      StageInfo s = (StageInfo) it.next();
      ids.add(Integer.valueOf(s.stageId()));
      resultName = s.name();
    }
    job.stageName = resultName;
    job.stageIds = ids;
    Small m = new Small("jobStart", event.time());
    m.job = job;
    synchronized (lock) {
      jobs.put(Integer.valueOf(job.id), job);
      for (int i = 0; i < ids.size(); i++) stages.put(ids.get(i), job);
    }
    put(m);
  }

  public void onTaskEnd(SparkListenerTaskEnd event) {
    Job job;
    synchronized (lock) {
      job = (Job) stages.get(Integer.valueOf(event.stageId()));
    }
    if (job == null) return;
    org.apache.spark.executor.TaskMetrics t = event.taskMetrics();
    boolean ok = event.taskInfo() != null && event.taskInfo().successful();
    synchronized (job) {
      job.sums[0]++;
      if (!ok) {
        job.sums[1]++;
        return;
      }
      if (t == null) return;
      job.sums[2] += t.inputMetrics().recordsRead();
      job.sums[3] += t.inputMetrics().bytesRead();
      job.sums[4] += t.outputMetrics().recordsWritten();
      job.sums[5] += t.outputMetrics().bytesWritten();
      job.sums[6] += t.executorRunTime();
      job.sums[7] += t.executorCpuTime();
    }
  }

  public void onJobEnd(SparkListenerJobEnd event) {
    Job job;
    synchronized (lock) {
      job = (Job) jobs.remove(Integer.valueOf(event.jobId()));
      if (job == null) return;
      for (int i = 0; i < job.stageIds.size(); i++) {
        if (stages.get(job.stageIds.get(i)) == job) stages.remove(job.stageIds.get(i));
      }
    }
    Small m = new Small("jobEnd", event.time());
    m.job = job;
    m.result = event.jobResult();
    put(m);
  }

  public void onApplicationEnd(SparkListenerApplicationEnd event) {
    put(new Small("applicationEnd", event.time()));
    synchronized (lock) {
      ended = true;
      lock.notifyAll();
    }
  }

  /** With the lock held: true when the agent is gone for good. What waits for it is let go then, and counted. */
  boolean unheard() {
    if (serving || System.nanoTime() - lastPoll < AGENT_GONE_NANOS || queue.size() < 1000) return false;
    abandoned += queue.size();
    queue.clear();
    executions.clear();
    plansHeld = 0;
    return true;
  }

  void put(Small m) {
    synchronized (lock) {
      if (unheard()) return;
      boolean small = m.job != null || m.event != null;
      if (small && queue.size() >= MAX_SMALL_MESSAGES) {
        smallDropped++;
        return;
      }
      queue.addLast(m);
      lock.notifyAll();
    }
  }

  // ---------------------------------------------------------------- on the agent's thread: messages become JSON

  void write(StringBuilder out, Object message) {
    if (message instanceof Start) writeStart(out, ((Start) message).execution);
    else if (message instanceof End) writeEnd(out, ((End) message).execution);
    else writeSmall(out, (Small) message);
  }

  void writeStart(StringBuilder out, Execution e) {
    out.append("{\"m\":\"sqlStart\",\"id\":").append(e.id).append(",\"root\":").append(e.root).append(",\"time\":").append(e.time);
    Json.field(out, "description", Json.bounded(e.description, 4096));
    Json.field(out, "details", Json.bounded(e.details, 16384));
    Json.field(out, "physical", rootName((SparkPlanInfo) e.physical));
    out.append(",\"tags\":[");
    if (e.tags != null) {
      scala.collection.Iterator it = e.tags.iterator();
      boolean first = true;
      while (it.hasNext()) {
        if (!first) out.append(',');
        first = false;
        Json.text(out, (String) it.next());
      }
    }
    out.append("],\"conf\":{");
    if (e.modified != null) {
      scala.collection.Iterator it = e.modified.iterator();
      boolean first = true;
      while (it.hasNext()) {
        scala.Tuple2 kv = (scala.Tuple2) it.next();
        first = confEntry(out, (String) kv._1(), (String) kv._2(), first);
      }
    }
    out.append('}');
    QueryExecution qe;
    synchronized (lock) {
      e.startWaits = false;
      qe = takePlan(e);
    }
    writePlan(out, e, qe);
    out.append('}');
  }

  /** With the lock held: the plan of this execution, which from here on nobody holds. */
  QueryExecution takePlan(Execution e) {
    QueryExecution qe = e.qe;
    if (qe != null) {
      e.qe = null;
      plansHeld--;
      e.planSent = true;
      if (getters.physical && e.over) e.done = qe;
    }
    return qe;
  }

  void writePlan(StringBuilder out, Execution e, QueryExecution qe) {
    out.append(",\"plan\":");
    String state;
    if (qe == null) {
      state = e.planDropped ? "dropped" : e.planSent ? "sent" : e.over ? "none" : "late";
      out.append("null");
    } else {
      long t0 = System.nanoTime();
      int mark = out.length();
      LogicalPlan plan = null;
      try {
        plan = qe.analyzed();
        state = "ok";
      } catch (Throwable notAnalysed) {
        state = "unanalyzed";
        out.append("null");
      }
      if (plan != null) {
        try {
          new Snapshot(this, out).write(plan);
        } catch (Throwable t) {
          out.setLength(mark);
          out.append("null");
          state = "failed: " + t;
          synchronized (lock) {
            plansFailed++;
          }
        }
      }
      synchronized (lock) {
        snapshots++;
        snapshotNanos += System.nanoTime() - t0;
      }
    }
    Json.field(out, "planState", state);
  }

  void writeEnd(StringBuilder out, Execution e) {
    out.append("{\"m\":\"sqlEnd\",\"id\":").append(e.id).append(",\"root\":").append(e.root).append(",\"time\":").append(e.endTime);
    if (e.name != null && e.name.isDefined()) Json.field(out, "name", (String) e.name.get());
    out.append(",\"failure\":");
    if (e.failure != null && e.failure.isDefined()) Json.throwable(out, (Throwable) e.failure.get());
    else if (e.errorMessage != null && e.errorMessage.isDefined() && ((String) e.errorMessage.get()).length() > 0) {
      out.append("{\"class\":null");
      Json.field(out, "message", Json.bounded((String) e.errorMessage.get(), 65536));
      out.append('}');
    } else out.append("null");
    Json.field(out, "physical", rootName((SparkPlanInfo) e.physical));
    QueryExecution qe;
    QueryExecution done;
    synchronized (lock) {
      qe = takePlan(e);
      done = e.done;
      e.done = null;
      executions.remove(Long.valueOf(e.id));
    }
    writePlan(out, e, qe);
    out.append(",\"sqlMetrics\":");
    Json.sqlMetrics(out, (SparkPlanInfo) e.physical);
    if (done != null && e.physical != null && ((SparkPlanInfo) e.physical).nodeName().length() > 0) {
      out.append(",\"scans\":");
      Physical.write(out, done, getters, this);
    }
    out.append('}');
  }

  void writeSmall(StringBuilder out, Small m) {
    out.append("{\"m\":\"").append(m.kind).append("\",\"time\":").append(m.time);
    if (m.application != null) writeApplication(out, m.application);
    if (m.job != null) {
      Job j = m.job;
      out.append(",\"job\":").append(j.id);
      Json.field(out, "execution", j.execution);
      Json.field(out, "root", j.root);
      if (m.kind.equals("jobStart")) {
        Json.field(out, "details", Json.bounded(j.site, 16384));
        Json.field(out, "group", j.group);
        Json.field(out, "tags", j.tags);
        Json.field(out, "description", Json.bounded(j.description, 4096));
        Json.field(out, "stageName", Json.bounded(j.stageName, 4096));
        out.append(",\"stages\":").append(j.stageIds.size());
      } else {
        long[] s;
        synchronized (j) {
          s = (long[]) j.sums.clone();
        }
        out.append(",\"metrics\":{\"tasks\":").append(s[0]).append(",\"failedTasks\":").append(s[1]);
        out.append(",\"recordsRead\":").append(s[2]).append(",\"bytesRead\":").append(s[3]);
        out.append(",\"recordsWritten\":").append(s[4]).append(",\"bytesWritten\":").append(s[5]);
        out.append(",\"runMillis\":").append(s[6]).append(",\"cpuNanos\":").append(s[7]).append('}');
        out.append(",\"failure\":");
        if (m.result instanceof JobFailed) Json.throwable(out, ((JobFailed) m.result).exception());
        else out.append("null");
      }
    }
    if (m.event != null) {
      Json.field(out, "class", m.event.getClass().getName());
      out.append(",\"getters\":");
      new Snapshot(this, out).getterObject(m.event, getters.of(m.event, "event"));
    }
    out.append('}');
  }

  void writeApplication(StringBuilder out, SparkContext sc) {
    Json.field(out, "id", sc.applicationId());
    Json.field(out, "name", sc.appName());
    Json.field(out, "master", sc.master());
    Json.field(out, "user", sc.sparkUser());
    Json.field(out, "spark", sc.version());
    Json.field(out, "java", System.getProperty("java.version"));
    Json.field(out, "scala", scala.util.Properties.versionNumberString());
    scala.Option ui = sc.uiWebUrl();
    Json.field(out, "ui", ui.isDefined() ? (String) ui.get() : null);
    out.append(",\"conf\":{");
    scala.Tuple2[] all = sc.getConf().getAll();
    boolean first = true;
    for (int i = 0; i < all.length; i++) first = confEntry(out, (String) all[i]._1(), (String) all[i]._2(), first);
    for (int i = 0; i < hadoopKeys.length; i++) {
      String v = sc.hadoopConfiguration().get(hadoopKeys[i]);
      if (v == null) continue;
      if (!first) out.append(',');
      first = false;
      Json.text(out, "spark.hadoop." + hadoopKeys[i]);
      out.append(':');
      Json.text(out, v);
    }
    out.append('}');
  }

  boolean confEntry(StringBuilder out, String key, String value, boolean first) {
    boolean wanted = false;
    for (int i = 0; i < prefixes.length && !wanted; i++) wanted = key.startsWith(prefixes[i]);
    if (!wanted) return first;
    if (!first) out.append(',');
    Json.text(out, key);
    out.append(':');
    Json.text(out, secret.matcher(key).find() ? "[redacted]" : value);
    return false;
  }

  static String rootName(SparkPlanInfo info) {
    while (info != null && info.nodeName().startsWith("WholeStageCodegen") && info.children().size() == 1) {
      info = (SparkPlanInfo) info.children().head();
    }
    return info == null || info.nodeName().length() == 0 ? null : info.nodeName();
  }

  // ---------------------------------------------------------------- what waits

  static class Execution {
    long id;
    long root;
    long time;
    long endTime;
    String description;
    String details;
    scala.collection.Iterable tags;
    scala.collection.Map modified;
    Object physical;
    scala.Option name;
    scala.Option failure;
    scala.Option errorMessage;
    QueryExecution qe;
    QueryExecution done;
    boolean startWaits;
    boolean planSent;
    boolean planDropped;
    boolean over;
  }

  static class Start {
    final Execution execution;
    Start(Execution e) {
      this.execution = e;
    }
  }

  static class End {
    final Execution execution;
    End(Execution e) {
      this.execution = e;
    }
  }

  static class Job {
    int id;
    String execution;
    String root;
    String site;
    String group;
    String tags;
    String description;
    String stageName;
    ArrayList stageIds;
    final long[] sums = new long[8];
  }

  static class Small {
    final String kind;
    final long time;
    SparkContext application;
    Job job;
    Object result;
    SparkListenerEvent event;
    Small(String kind, long time) {
      this.kind = kind;
      this.time = time;
    }
  }

  /** Posted by `flush`: when it comes back to us, all that was posted before it has been here. Not for event logs. */
  public static class Marker implements SparkListenerEvent {
    final CountDownLatch seen = new CountDownLatch(1);
    public boolean logEvent() {
      return false;
    }
  }

  /** The driver's JVM is ending: give an agent that is polling a short, bounded time to fetch what is left. */
  static class ExitHook extends Thread {
    final Bridge bridge;
    ExitHook(Bridge bridge) {
      super("pyspark-lineage-exit");
      this.bridge = bridge;
    }
    public void run() {
      long deadline = System.currentTimeMillis() + 5000;
      try {
        while (System.currentTimeMillis() < deadline) {
          synchronized (bridge.lock) {
            boolean quiet = bridge.ended && bridge.queue.isEmpty() && !bridge.serving;
            boolean alone = System.nanoTime() - bridge.lastPoll > 2000000000L && !bridge.serving;
            if (bridge.released || alone || bridge.context == null) return;
            if (quiet) break;
            bridge.woken = true;
            bridge.lock.notifyAll();
            bridge.lock.wait(20);
          }
        }
        Thread.sleep(50);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  // ---------------------------------------------------------------- what plug-ins want read

  /** Getters declared by plug-ins, found by the classes that an object is; only classes that were named are ever called. */
  static class Getters {
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

  static class Getter {
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
  static class Limited {
    static final long MILLIS = 1000;
    static int stuck;

    static Object call(Callable work) throws Exception {
      if (stuck >= 4) throw new TimeoutException("too many calls hang");
      FutureTask task = new FutureTask(work);
      Thread t = new Thread(task, "pyspark-lineage-getter");
      t.setDaemon(true);
      t.start();
      try {
        return task.get(MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        stuck++;
        task.cancel(true);
        throw e;
      }
    }
  }

  static class Chain implements Callable {
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
  static class TableFacts implements Callable {
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

  static class Reflect {
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

    static Object get(Object o, String name) {
      try {
        java.lang.reflect.Method m = method(o.getClass(), name);
        return m == null ? null : m.invoke(o, new Object[0]);
      } catch (Exception e) {
        return null;
      }
    }
  }

  // ---------------------------------------------------------------- a tree in one string

  /** How the nodes of one class are told: the names of its constructor's parameters, in order. */
  static class Shape {
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
  static class Snapshot {
    static final int MAX_DEPTH = 10;
    static final int MAX_LIST = 10000;
    static final int MAX_TEXT = 65536;
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

    void rdd(org.apache.spark.rdd.RDD r, int depth) {
      field("id", Integer.valueOf(r.id()), depth);
      field("name", r.name(), depth);
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
          cut.add("getter " + g.className + "." + g.name + ": " + (t.getCause() == null ? t : t.getCause()).getClass().getName());
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
  static class Physical {
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

  static class Json {
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
}
