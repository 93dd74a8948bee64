'use strict';
// Conditions of a file by some evaluations: by all of them, or by those of the chosen origins or contexts.
const SourceConditions = (function () {
  // Whether two evaluations show that a condition decides alone, as in report/analysis/conditions/mcdc.h.
  function isPair(a, b, condition) {
    if (a.values[condition] !== 'T' || b.values[condition] !== 'F' || a.result === b.result || a.result === '-' || b.result === '-') return false;
    return Array.from(a.values).every((value, i) => i === condition || value === b.values[i] || value === '-' || b.values[i] === '-');
  }
  function pairOf(ways, condition) {
    for (const a of ways) for (const b of ways) if (isPair(a, b, condition)) return [a.number, b.number].sort((x, y) => x - y);
    return null;
  }
  // State of a condition by some evaluations: [text, true, false, decides alone, words].
  function condition([text, whenTrue, whenFalse, alone], i, ways) {
    if (whenTrue === 'a' || whenFalse === 'a') return [text, whenTrue, whenFalse, alone, ''];  // a literal
    const seen = value => ways.some(way => way.values[i] === value) ? 's' : 'n';
    const pair = alone === '-' ? null : pairOf(ways, i);
    return [text, seen('T'), seen('F'), alone === '-' ? '-' : pair ? 's' : 'n', pair ? 'ways ' + pair.join(' and ') : alone === '-' ? '' : 'not shown by what is chosen'];
  }
  function decision(source, first, isSeen) {
    const all = source.ways ?? (source.parts ?? []).map(values => [values, '-']);
    const ways = all.map(([values, result], i) => ({values, result, number: i + 1})).filter((way, i) => isSeen(first + i, source.by[i]));
    const conditions = source.conditions.map((one, i) => condition(one, i, ways));
    const counted = conditions.filter(([, whenTrue, whenFalse]) => whenTrue !== 'a' && whenFalse !== 'a');
    const seen = counted.reduce((n, one) => n + Number(one[1] === 's') + Number(one[2] === 's'), 0);
    const result = {kind: source.kind, text: source.text, outcomes: [seen, 2 * counted.length], conditions};
    if (ways.length === 0) result.note = 'Not evaluated in what is chosen.';
    else if (source.ways) Object.assign(result, {ways: ways.map(({values, result}) => [values, result]), numbers: ways.map(way => way.number)});
    return result;
  }
  function chip(line, decisions) {
    const all = decisions.flatMap(one => one.conditions);
    const sum = at => decisions.reduce((n, one) => n + one.outcomes[at], 0);
    const [seen, of] = [sum(0), sum(1)];
    const decide = all.filter(one => one[3] !== '-');
    const alone = decide.filter(one => one[3] === 's').length;
    const quality = seen === of && alone === decide.length ? 'good' : seen === 0 ? 'bad' : 'part';
    return [quality, seen, of, 'Conditions of line ' + line + ': ' + seen + ' of ' + of + ' outcomes seen, ' + alone + ' of ' + decide.length + ' decide alone'];
  }

  return {
    /// Returns a map from lines to {chip, decisions}, as in the data (report/formats/html/condition_parts.h). `isSeen` gets the number of an evaluation and
    /// the origins that saw it, and returns whether it is among the chosen ones; null: all are.
    of(source, isSeen) {
      const lines = Object.entries(source.conditions ?? {}).map(([line, one]) => [Number(line), one]);
      if (isSeen === null) return new Map(lines);
      let first = 0;
      return new Map(lines.map(([line, {decisions}]) => {
        const chosen = decisions.map(one => {
          const result = decision(one, first, isSeen);
          first += one.by?.length ?? 0;
          return result;
        });
        return [line, {chip: chip(line, chosen), decisions: chosen}];
      }));
    },
  };
})();
