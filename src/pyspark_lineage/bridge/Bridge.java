// Copyright 2026 The pyspark-lineage authors
// SPDX-License-Identifier: Apache-2.0
package pyspark_lineage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.JobFailed;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlanInfo;
import org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

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
  /** An agent is in `poll`, waiting or being served. */
  boolean polling;
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
    // before the first event can come in: a run without its application would be nobody's
    Small m = new Small("application", sc.startTime());
    m.application = sc;
    put(m);
    sc.listenerBus().addToQueue(this, QUEUE);
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
    // a recorder (pyspark_lineage.testing.record) is a second one beside the agent's, and not to be found there
    if (System.getProperties().get("pyspark_lineage.bridge") == this) System.getProperties().remove("pyspark_lineage.bridge");
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
      polling = true;
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
      polling = false;
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
      else if (e.qe == null && plansHeld < maxPlans) {
        // its metrics are read when the end is polled: Spark itself keeps them by weak references only
        e.done = qe;
        plansHeld++;
      }
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
    if (polling || System.nanoTime() - lastPoll < AGENT_GONE_NANOS) return false;
    if (plansHeld > 0) {
      for (Iterator it = executions.values().iterator(); it.hasNext(); ) {
        Execution e = (Execution) it.next();
        if (e.qe != null) {
          e.planDropped = true;
          plansDropped++;
        }
        e.qe = null;
        e.done = null;
      }
      plansHeld = 0;
    }
    if (queue.size() < 1000) return false;
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
      if (e.qe == null && !e.planSent && !e.over) {
        // dropped when it began, or not there yet: it still runs, so Spark still knows its plan
        hold(e, SQLExecution.getQueryExecution(e.id));
      }
      qe = takePlan(e);
    }
    writePlan(out, e, qe);
    out.append('}');
  }

  /** With the lock held: the plan of this execution, not yet sent. After its end it is kept until its metrics are read. */
  QueryExecution takePlan(Execution e) {
    QueryExecution qe = e.qe;
    if (qe != null) {
      e.qe = null;
      e.planSent = true;
      if (e.over) e.done = qe;
      else plansHeld--;
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
    synchronized (lock) {
      qe = takePlan(e);
      executions.remove(Long.valueOf(e.id));
    }
    writePlan(out, e, qe);
    out.append(",\"sqlMetrics\":");
    Json.sqlMetrics(out, (SparkPlanInfo) e.physical);
    if (getters.physical && e.done != null && rootName((SparkPlanInfo) e.physical) != null) {
      out.append(",\"scans\":");
      Physical.write(out, e.done, getters, this);
    }
    synchronized (lock) {
      if (e.done != null) plansHeld--;
      e.done = null;
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
            boolean alone = !bridge.polling && System.nanoTime() - bridge.lastPoll > 2000000000L;
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
}
