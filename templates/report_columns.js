'use strict';
// Columns of the tables: their texts, their order, and the keys that sort by them (coverage.py's).
const columns = (function () {
  const {arcs, conditions, gradients, archs = []} = store.settings;
  const {format} = names;
  const number = (id, title, key, value, tip) => ({id, title, key, value, tip, text: n => format(value(n))});
  const percent = (id, title, key, some, all, tip) => ({
    id, title, key, tip, value: n => all(n) === 0 ? 101 : store.share(some(n), all(n)), weights: [n => -all(n)],
    text: n => all(n) === 0 ? '–' : store.percent(some(n), all(n)) + '%',
  });
  // Column of one of several devices: the share of the lines that can run there that ran; none if no line can.
  const onArch = (name, i) => ({
    id: 'arch-' + i, kind: 'arch', title: name, key: '', tip: 'What ran ' + (name === page.host ? 'in host code' : 'on ' + name) + ', of what can run there',
    value: n => n.archs[i][0] === 0 ? 101 : store.share(n.archs[i][1], n.archs[i][0]), weights: [n => -n.archs[i][0]],
    text: n => n.archs[i][0] === 0 ? '–' : store.percent(n.archs[i][1], n.archs[i][0]) + '%',
  });
  const executed = n => n.statements - n.missing;
  const taken = n => n.branches - n.missingBranches;
  const name = (id, title, key, value) => ({id, title, key, value, name: true});
  const ofRow = (id, title, tip, value, text) => ({id, title, key: '', tip, ofRow: true, value, text, weights: [row => -store.total(row.n)]});
  // Order within a state, the worst last: by the missing share, the number of missing ones, and the probes that did not fire.
  const lacks = row => store.total(row.n) - store.done(row.n);
  const worse = [row => -store.share(store.done(row.n), store.total(row.n)), lacks, row => -store.share(row.fired, row.probes)];
  const launched = row => row.launches.reduce((sum, [, n]) => sum + n, 0);
  const regionViews = ['functions', 'classes', 'kernels'];
  const list = [
    {...name('region', 'Function', 'n', row => row.sortName ?? ''), views: regionViews},
    name('file', 'File', 'f', row => (row.file?.path ?? row.item?.path ?? row.path).slice(store.prefix.length)),
    {...ofRow('state', 'State', 'Whether it ran, and if not, why', row => row.state ?? 0, row => store.kernelState(row.state, row.kind).word), weights: worse, views: ['kernels']},
    number('statements', 'Statements', 's', n => n.statements),
    {...number('missing', 'Missing', 'm', n => n.missing, 'Statements that never ran'), all: n => n.missing},
    {...number('excluded', 'Excluded', 'x', n => n.excluded), all: n => n.excluded},
    {...percent('statement-share', 'Ran', '', executed, n => n.statements, 'Statements that ran, in percent'), all: n => n.branches},
    {...number('branches', 'Branches', 'b', n => n.branches, 'Ways out of lines that have several'), all: n => n.branches},
    {...number('partial', 'Partial', 'p', n => n.partial, 'Branches that were never taken, of lines that ran'), all: n => n.partial},
    {...percent('branch-share', 'Taken', '', taken, n => n.branches, 'Branches that were taken, in percent'), all: n => n.branches},
    {...percent('outcomes', 'Conditions', '', n => n.seen, n => n.outcomes, 'Outcomes of conditions that were seen'), text: n => n.outcomes === 0 ? '–' : n.seen + '/' + n.outcomes, all: n => n.outcomes},
    {...percent('alone', 'MC/DC', '', n => n.alone, n => n.decides, 'Conditions that were shown to decide alone'), text: n => n.decides === 0 ? '–' : n.alone + '/' + n.decides, all: n => n.outcomes},
    {...percent('gradients', 'Gradients', '', n => n.differentiated, n => n.differentiable, 'Lines that were differentiated, of those that ran and that a derivative passes through'), text: n => n.differentiable === 0 ? '–' : n.differentiated + '/' + n.differentiable, all: n => n.differentiable},
    {...ofRow('probes', 'Probes', 'Probes of the compiled code that fired, on all devices', row => store.share(row.fired, row.probes),
              row => row.probes === 0 ? '–' : row.fired + '/' + row.probes), views: ['kernels']},
    {...ofRow('launches', 'Launches', 'How often the host launched it; a process that was killed has not said so of its last launches', launched,
              row => launched(row) === 0 ? '–' : format(launched(row))), titleOf: row => row.launches.map(([device, n]) => device + ': ' + format(n)).join(', '), views: ['kernels']},
    {...ofRow('tests', 'Tests', 'Tests that ran a line of it', row => row.tests, row => format(row.tests)), views: ['kernels'], needsContexts: true},
    percent('coverage', 'Coverage', 'c', store.done, store.total, arcs ? 'Statements and branches together' : 'Statements that ran'),
    ...archs.map((name, i) => ({...onArch(name, i), all: n => n.archs[i][0]})),
  ];
  const needs = {
    'statement-share': arcs, branches: arcs, partial: arcs, 'branch-share': arcs, outcomes: conditions, alone: conditions, gradients,
  };
  const shown = list.filter(column => (needs[column.id] ?? true) && (!column.needsContexts || store.settings.contexts));
  // Whether a column is shown: not if it is empty in all rows, which the sum of them tells, or a look at each row for columns of rows.
  const says = (column, sum, rows) => column.ofRow ? column.id === 'state' || rows.some(row => !isNothing(column.text(row))) : !column.all || column.all(sum) > 0;
  const of = (view, sum, rows) => shown.filter(column => (!column.views || column.views.includes(view)) && says(column, sum, rows));
  const isNothing = text => text === '0' || text === '–';

  // First sort direction: upwards for names, and for coverage, so that the worst is on top; downwards for numbers.
  const upwardFirst = column => column.name || column.id === 'coverage' || column.kind === 'arch';
  function compare(column, downward) {
    const of = column.ofRow ? row => row : row => row.n;
    const order = column.name
        ? names.by(column.value)
        : (a, b) => [column.value, ...column.weights ?? []].reduce((found, value) => found || value(of(a)) - value(of(b)), 0);
    return downward ? (a, b) => order(b, a) : order;
  }
  function bar(n) {
    const all = store.total(n);
    const track = page.element('span', all === 0 ? 'meter none' : 'meter');
    const filled = page.element('span', store.quality(store.done(n), all));
    filled.style.width = store.share(store.done(n), all) + '%';
    if (store.done(n) > 0) track.append(filled);
    track.setAttribute('aria-hidden', 'true');
    return track;
  }
  return {
    of,
    find: id => shown.find(column => column.id === id),
    classOf: column => (column.name ? 'name ' : column.id === 'state' ? '' : 'num ') + (column.kind ?? column.id), isNothing, upwardFirst, compare, bar, format,
  };
})();
