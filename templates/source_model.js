'use strict';
// Model of one file's lines, from its data (report/formats/html/source_json.cpp), for the chosen origins or contexts.
const SourceModel = (function () {
  // Causes and actions of arcs, numbered as in report/analysis/source/arc_descriptions.h; the words are coverage.py's.
  const causes = [
    null, 'the break on line {} wasn\'t executed', 'the continue on line {} wasn\'t executed', 'the raise on line {} wasn\'t executed',
    'the return on line {} wasn\'t executed', 'the condition on line {} was never true', 'the condition on line {} was always true',
    'the loop on line {} never started', 'the loop on line {} didn\'t complete', 'the pattern on line {} always matched',
    'the pattern on line {} never matched', 'the exception caught by line {} didn\'t happen',
  ];
  function action(to, reason) {
    switch (reason ? reason[1] : 0) {
      case 1: return 'return from function \'' + reason[2] + '\'';
      case 2: return 'except from function \'' + reason[2] + '\'';
      case 3: return 'exit class \'' + reason[2] + '\'';
      case 4: return 'exit the module';
    }
    return to < 0 ? 'jump to the function exit' : 'jump to line ' + to;
  }

  function expand(ranges, use) {
    for (let i = 0; i < ranges.length; i += 2)
      for (let line = ranges[i]; line <= ranges[i + 1]; ++line) use(line);
  }
  const isMore = letter => letter >= 'A' && letter <= 'Z';

  /// `states` and so on have index 0 for line 1; everything else counts lines from 1.
  return class SourceModel {
    constructor(source) {
      this.source = source;
      this.lines = source.text.split('\n');
      this.n = source.states.length;
      this.lines.length = this.n;
      this.origins = source.origins ?? [page.host];
      this.branches = new Map();
      let index = 0;
      for (const [line, exits, forgiven, edges] of source.branches ?? []) {
        const listed = edges.map(([to, mask, reasons, why, times]) => ({to, mask, reasons: Array.isArray(reasons) ? reasons : [], sentence: typeof reasons === 'string' ? reasons : '', why, times, index: index++}));
        this.branches.set(line, {line, exits, forgiven: forgiven === 1, edges: listed});
      }
      this.ranBy = new Uint32Array(this.n + 2);  // origins, a bit each
      if (source.ran) source.ran.forEach((ranges, i) => expand(ranges, line => { this.ranBy[line] |= 1 << i; }));
      // [line] -> number of the body of a kernel or func around it, from 1. Devices run only bodies, and hosts only those that ran as plain Python.
      this.kernelOf = new Uint32Array(this.n + 2);
      this.kernelRanInHost = [false];
      this.hostBit = this.origins.includes(page.host) ? 1 << this.origins.indexOf(page.host) : 0;
      for (const [first, last] of source.kernels ?? []) {
        expand([first, last], line => { this.kernelOf[line] = this.kernelRanInHost.length; });
        this.kernelRanInHost.push(false);
      }
      for (let line = 1; line <= this.n; ++line) if ((this.ranBy[line] & this.hostBit) !== 0) this.kernelRanInHost[this.kernelOf[line]] = true;
      // Marks of lines that ran on a device: the letters of the device, if the data has several.
      const {archs = [], marks = []} = store.settings;
      const ranOnDevice = this.ranBy.some(mask => (mask & ~this.hostBit) !== 0);
      this.devices = this.origins.flatMap((name, i) => name === page.host ? [] : [{name, bit: 1 << i, mark: marks[archs.indexOf(name)] ?? name}]);
      this.hasKernel = ranOnDevice;
      this.marksKernels = source.ran !== undefined || /[hun]/i.test(source.states);
      this.firsts = new Uint32Array(this.n + 2);
      for (let line = 1; line <= this.n; ++line) this.firsts[line] = isMore(source.states[line - 1]) ? this.firsts[line - 1] : line;
      // Execution counts of lines, if the input has them.
      this.hits = new Map();
      this.mostHits = 1;
      for (let i = 0; i < (source.hits?.length ?? 0); i += 2) {
        this.hits.set(source.hits[i], source.hits[i + 1]);
        this.mostHits = Math.max(this.mostHits, source.hits[i + 1]);
      }
      // Variants of a kernel or a func, or instantiations of templates, by the line of the def.
      this.variants = new Map();
      for (const [line, kind, list] of source.variants ?? []) {
        const listed = list.map(([name, device, runs, ran, statements, taken, branches, missing]) => ({name, device, runs, ran, statements, taken, branches, missing}));
        this.variants.set(line, {kind: ['template', 'kernel', 'func'][kind], listed: [...this.variants.get(line)?.listed ?? [], ...listed]});
      }
      this.gradients = new Map();
      for (const kind of ['done', 'never']) for (const line of source.gradients?.[kind] ?? []) this.gradients.set(line, kind);
      this.runs = null;  // by context, once they are loaded
      this.choose(null, null);
    }

    /// First line of the statement that a line belongs to.
    first(line) { return this.firsts[line]; }
    isMore(line) { return isMore(this.source.states[line - 1]); }
    /// State of a line: c m p x - h u n as in the data; o: ran, but not in the chosen part; e: cannot run on the chosen origins.
    state(line) { return this.states[line - 1]; }
    isStatement(line) { return !this.isMore(line) && !'-xe'.includes(this.state(line)); }
    /// Devices that ran a line of a kernel, and those that did not: [[...], [...]].
    onDevices(line) {
      const ran = this.devices.filter(({bit}) => (this.ranBy[line] & bit) !== 0);
      return [ran, this.devices.filter(device => !ran.includes(device))];
    }
    /// Whether a line belongs to the chosen origins: the lines that they can run, and those that they did run.
    isOfChosen(line) {
      if (this.mask === null || (this.ranBy[line] & this.mask) !== 0) return true;
      const kernel = this.kernelOf[line];
      if (kernel === 0) return (this.mask & this.hostBit) !== 0;
      return (this.mask & ~this.hostBit) !== 0 || (this.kernelRanInHost[kernel] && (this.mask & this.hostBit) !== 0);
    }

    /// Takes the `contexts` part: [[context, ranges of lines, edges, evaluations], ...].
    setContexts(part) {
      this.runs = new Map(part.runs.map(([context, ranges, edges, evaluations]) => [context, {ranges, edges, evaluations: evaluations ?? []}]));
      this.contextLists = new Map();
      for (const [context, {ranges}] of this.runs) {
        expand(ranges, line => {
          if (this.isMore(line) || '-x'.includes(this.source.states[line - 1])) return;
          const list = this.contextLists.get(line);
          if (list) list.push(context); else this.contextLists.set(line, [context]);
        });
      }
    }
    /// Variants on the chosen devices of the function that begins on a line; null when there are none.
    variantsOf(line) {
      const found = this.variants.get(line);
      if (!found) return null;
      const listed = this.mask === null ? found.listed : found.listed.filter(one => !one.device || this.names(this.mask).includes(one.device));
      return listed.length > 0 ? {kind: found.kind, listed} : null;
    }
    /// Whether the line ran, and a derivative passes through it: 'done' or 'never', by whether that was ever computed; null for other lines.
    gradientOf(line) { return this.gradients.get(line) ?? null; }
    /// Contexts that ran the statement that begins on a line.
    contextsOf(line) { return this.contextLists?.get(line) ?? []; }

    /// Chooses the executions of the origins in a mask, or of some contexts (a Set); null: all.
    choose(mask, contexts) {
      this.mask = mask;
      this.contexts = contexts;
      const base = this.source.states.toLowerCase();
      this.takenEdges = null;
      this.seenEvaluations = null;
      if (mask === null && contexts === null) {
        this.states = base;
        this.decisions = SourceConditions.of(this.source, null);
        return;
      }
      const ran = new Uint8Array(this.n + 2);
      if (contexts !== null) {
        this.takenEdges = new Set();
        this.seenEvaluations = new Set();
        for (const context of contexts) {
          const run = this.runs.get(context);
          if (!run) continue;
          expand(run.ranges, line => { ran[line] = 1; });
          for (const edge of run.edges) this.takenEdges.add(edge);
          for (const evaluation of run.evaluations) this.seenEvaluations.add(evaluation);
        }
      } else {
        for (let line = 1; line <= this.n; ++line) ran[line] = (this.ranBy[line] & mask) !== 0 ? 1 : 0;
      }
      const states = Array.from(base);
      for (let line = 1; line <= this.n; ++line) {
        const first = this.first(line);
        if (base[line - 1] !== '-' && !this.isOfChosen(first)) states[line - 1] = 'e';
        else if (!'cp'.includes(base[line - 1])) continue;
        else if (!ran[first]) states[line - 1] = 'o';
        else states[line - 1] = this.missedEdges(first).length > 0 ? 'p' : 'c';
      }
      this.states = states.join('');
      const isSeen = (number, by) => this.seenEvaluations ? this.seenEvaluations.has(number) : (by & mask) !== 0;
      this.decisions = SourceConditions.of(this.source, isSeen);
      for (const line of this.decisions.keys()) if (this.state(line) === 'e') this.decisions.delete(line);
    }
    isTaken(edge) {
      if (this.takenEdges) return this.takenEdges.has(edge.index);
      return this.mask === null ? edge.mask !== 0 : (edge.mask & this.mask) !== 0;
    }
    /// Branches of a line that were not taken and count.
    missedEdges(line) {
      const branch = this.branches.get(line);
      return !branch || branch.forgiven ? [] : branch.edges.filter(edge => !this.isTaken(edge));
    }

    /// Numbers of the file, or of some lines: ranges [first, last, ...].
    numbers(ranges = [1, this.n]) {
      const sum = {statements: 0, run: 0, missing: 0, why: {h: 0, u: 0, n: 0, m: 0}, others: 0, excluded: 0, branches: 0, missingBranches: 0, partial: 0};
      expand(ranges, line => {
        if (this.isMore(line)) return;
        const state = this.state(line);
        if (state === '-' || state === 'e') return;
        if (state === 'x') {
          ++sum.excluded;
          return;
        }
        ++sum.statements;
        const kind = 'cp'.includes(state) ? 'run' : state === 'o' ? 'others' : 'missing';
        ++sum[kind];
        if (kind === 'missing') ++sum.why[state];
        const branch = this.branches.get(line);
        if (!branch) return;
        const missed = this.missedEdges(line).length;
        sum.branches += branch.exits;
        sum.missingBranches += missed;
        if (kind === 'run') sum.partial += missed;
      });
      return sum;
    }
    static quality(n) { return store.quality(n.run + n.branches - n.missingBranches, n.statements + n.branches); }

    /// Number of seen outcomes of the conditions, and of all: [3, 6].
    outcomes() {
      let seen = 0, all = 0;
      for (const {chip} of this.decisions.values()) {
        seen += chip[1];
        all += chip[2];
      }
      return [seen, all];
    }

    /// Percentage, rounded as in the tables.
    static percent(n) { return store.percent(n.run + n.branches - n.missingBranches, n.statements + n.branches); }

    /// Action of an edge: "jump to line 3".
    action(edge) { return action(edge.to, edge.reasons[0]); }
    /// coverage.py's sentence on an edge that was never taken, of a line that ran. An edge that was not measured has no cause.
    missing(line, edge) {
      if (edge.to === 0) return edge.why;
      if (edge.why && !this.isMeasured(edge)) return 'line ' + line + ': whether it did ' + action(edge.to, edge.reasons[0]) + ' was not measured';
      if (edge.sentence) return edge.sentence;
      if (edge.reasons.length === 0) return 'line ' + line + ' didn\'t ' + action(edge.to, null);
      return edge.reasons.map(reason => {
        const cause = causes[reason[0]];
        return 'line ' + line + ' didn\'t ' + action(edge.to, reason) + (cause ? ' because ' + cause.replace('{}', line) : '');
      }).join(' or ');
    }
    /// Condition, destination and reason of a missed branch: "if false → 22", "not in any compiled variant".
    missedWords(line, edge) {
      const word = {5: 'if true ', 6: 'if false ', 7: 'first round ', 8: 'end of loop '}[edge.reasons[0]?.[0]] ?? '';
      const devices = this.onDevices(line)[0].map(({name}) => name).filter(name => this.mask === null || this.names(this.mask).includes(name));
      const why = edge.why?.startsWith('not measured: no compiled variant has it') ? 'not in any compiled variant' : edge.why;
      return [word + '→ ' + (edge.to < 0 ? 'exit' : edge.to), why || 'never taken' + (devices.length > 0 ? ' (' + devices.join(', ') + ')' : '')];
    }
    /// Whether none of a line's branches was taken, although all of them were measured.
    jumpsNowhere(line) {
      const missed = this.missedEdges(line);
      return missed.length === this.branches.get(line)?.exits && missed.every(edge => this.isMeasured(edge));
    }
    /// Sentences on the missed branches of a partial line.
    missingTexts(line) {
      const missed = this.missedEdges(line);
      if (missed[0]?.to === 0) return [...missed.filter(edge => edge.why).map(edge => edge.why + ' was never taken')];
      if (this.jumpsNowhere(line)) return ['line ' + line + ' didn\'t jump anywhere: it always raised an exception.'];
      return missed.map(edge => this.missing(line, edge));
    }
    /// Short list of missed branches: "12↛13, exit".
    missingShort(line) {
      const missed = this.missedEdges(line);
      if (missed[0]?.to === 0) return '⇉ ' + (this.branches.get(line).exits - missed.length) + '/' + this.branches.get(line).exits;
      return line + '↛' + (this.jumpsNowhere(line) ? 'anywhere' : missed.map(edge => edge.to < 0 ? 'exit' : edge.to).join(', '));
    }
    /// False for an edge of a kernel without a counter.
    isMeasured(edge) { return !edge.why || !/^not (measured|compiled)/.test(edge.why); }
    names(mask) { return this.origins.filter((_, i) => (mask >> i & 1) === 1); }
  };
})();
