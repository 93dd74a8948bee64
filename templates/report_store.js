'use strict';
// Store of the page's data: its index, the numbers in it, and the packed parts, which are unpacked on demand.
const store = (function () {
  const index = JSON.parse(document.getElementById('index-data').textContent);

  const archs = index.archs ?? [];  // the host and devices, if any code ran on a device

  const ofConditions = index.gradients ? 8 : 6;

  // Numbers of a row: coverage.py's, those of gradients and of conditions, and for each of `archs` total and done. A row without the last has host
  // code only, and rows of kernels are without conditions.
  function numbers(row, at) {
    const last = row[row.length - 1];
    const perArch = Array.isArray(last) ? last : null;
    const of = i => at + i < row.length - (perArch ? 1 : 0) ? row[at + i] : 0;
    const n = {
      statements: row[at], missing: row[at + 1], excluded: row[at + 2], branches: row[at + 3], partial: row[at + 4], missingBranches: row[at + 5],
      differentiated: index.gradients ? of(6) : 0, differentiable: index.gradients ? of(7) : 0,
      seen: of(ofConditions), outcomes: of(ofConditions + 1), alone: of(ofConditions + 2), decides: of(ofConditions + 3),
    };
    n.archs = archs.map((arch, i) => perArch ? perArch.slice(2 * i, 2 * i + 2) : arch === page.host ? [total(n), done(n)] : [0, 0]);
    return n;
  }
  const none = numbers([0, 0, 0, 0, 0, 0], 0);
  const counts = Object.keys(none).filter(key => key !== 'archs');
  function sum(list) {
    const result = {...none, archs: none.archs.map(() => [0, 0])};
    for (const n of list) {
      for (const key of counts) result[key] += n[key];
      for (let i = 0; i < archs.length; ++i) for (const j of [0, 1]) result.archs[i][j] += n.archs[i][j];
    }
    return result;
  }
  function total(n) { return n.statements + n.branches; }
  function done(n) { return total(n) - n.missing - n.missingBranches; }
  function isCovered(n) {
    return n.missing === 0 && n.partial === 0 && n.seen === n.outcomes && n.alone === n.decides && n.differentiated === n.differentiable;
  }
  function share(some, all) { return all === 0 ? 100 : 100 * some / all; }

  // Percentage as coverage.py prints it: 0 and 100 only when exact, and halves are rounded to the even digit.
  function percent(some, all) {
    const digits = index.precision;
    const least = 1 / 10 ** digits;
    const value = share(some, all);
    if (value > 0 && value < least) return least.toFixed(digits);
    if (value > 100 - least && value < 100) return (100 - least).toFixed(digits);
    const text = value.toFixed(digits);
    const halves = value * 2 ** (digits + 1);  // an exact half is an odd multiple of this power of two, and no other number is
    if (!Number.isInteger(halves) || halves % 2 === 0 || Number(text.at(-1)) % 2 === 0) return text;
    return (value - least / 2).toFixed(digits);
  }
  function quality(some, all) { return all === 0 ? 'none' : some === all ? 'good' : some * 10 >= all * 9 ? 'most' : some * 4 >= all * 3 ? 'part' : 'bad'; }

  // States of a kernel, the worst last: numbered as in html_kernels.cpp, each with its word for what is called: a func, or a function of Numba.
  const states = [
    {word: 'ran', func: 'ran', className: 'good', glyph: '✓', tip: 'Some launch or call reached it'},
    {word: 'not reached', func: 'not reached', className: 'part', glyph: '✗', tip: 'It was compiled, and no launch or call ran a line of it'},
    {word: 'does not compile', func: 'does not compile', className: 'bad', glyph: '?', tip: 'No variant of it could be compiled'},
    {word: 'not launched', func: 'not called', className: 'bad', glyph: '○', tip: 'It was never compiled: nothing launched or called it'},
  ];
  const kernelState = (state, kind) => ({...states[state], word: kind === 1 ? states[state].word : states[state].func});

  const files = [];
  const byPath = new Map();
  for (const row of index.files) {
    let path = row[0];
    while (byPath.has(path)) path += '~';  // names that differ only in characters that are not shown
    const file = {id: files.length, path, kernel: row[1] === 1, n: numbers(row, 2)};
    files.push(file);
    byPath.set(path, file);
  }

  // Common folder of all files, "src/pkg/", which tables leave out.
  function commonFolder(paths) {
    if (paths.length < 2) return '';
    let prefix = paths[0].slice(0, paths[0].lastIndexOf('/') + 1);
    for (const path of paths) while (!path.startsWith(prefix)) prefix = prefix.slice(0, prefix.lastIndexOf('/', prefix.length - 2) + 1);
    return prefix;
  }
  const prefix = commonFolder(files.map(file => file.path));

  const read = new Promise(resolve => {
    if (document.readyState !== 'loading') resolve(); else document.addEventListener('DOMContentLoaded', () => resolve());
  });
  // Loading with --split: each part is a script that passes on its text, because a page that was opened from a file can load only scripts.
  const arriving = new Map();  // name -> {promise, end}; equal files share one part
  function load(name) {
    if (arriving.has(name)) return arriving.get(name).promise;
    const script = document.createElement('script');
    let end;
    const promise = new Promise(resolve => {
      end = text => {
        arriving.delete(name);
        script.remove();
        resolve(text);
      };
    });
    arriving.set(name, {promise, end});
    script.src = 'data/' + name + '.js';
    script.addEventListener('error', () => end(null));
    document.head.append(script);
    return promise;
  }
  async function packed(id) {
    if (index.parts) return Object.hasOwn(index.parts, id) ? load(index.parts[id]) : null;
    if (!document.getElementById(id)) await read;  // parts are behind the scripts in the page
    return document.getElementById(id)?.textContent ?? null;
  }
  async function unpack(text) {
    const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return JSON.parse(await new Response(stream).text());
  }
  async function readPart(id) {
    const text = await packed(id);
    return text === null ? null : unpack(text);
  }
  const recent = new Map();  // cache of the last parts
  function part(id) {
    let result = recent.get(id);
    recent.delete(id);
    if (!result) result = readPart(id);
    recent.set(id, result);
    if (recent.size > 40) recent.delete(recent.keys().next().value);
    return result;
  }
  const once = new Map();
  function whole(id) {
    if (!once.has(id)) once.set(id, part(id));
    return once.get(id);
  }

  // Rows {file, name, line, sortName, n} of the functions or classes.
  async function regions(kind) {
    const {totals, skipped, files: lists} = await whole(kind) ?? {totals: [0, 0, 0, 0, 0, 0], skipped: [0, 0], files: []};
    const rows = lists.flatMap((list, i) => list.map(row => {
      const [name, line] = row;
      // coverage.py's order: by the last part of the name, without underscores before it
      return {file: files[i], name, line, sortName: name.slice(name.lastIndexOf('.') + 1).replace(/^_+/, ''), n: numbers(row, 2)};
    }));
    return {rows, skipped, totals: numbers(totals, 0)};
  }
  // Rows of the kernels and funcs (report/formats/html/html_kernels.cpp); their sum is that of kernels and funcs alone.
  async function kernels() {
    const rows = (await whole('kernels') ?? []).flatMap((list, i) => list.map(row => {
      const [name, line, kernel, state, fired, probes, tests, launched] = row;
      const launches = [];  // [device, number of launches]
      for (let j = 0; j < launched.length; j += 2) launches.push([launched[j], launched[j + 1]]);
      return {file: files[i], name, line, sortName: name.slice(name.lastIndexOf('.') + 1), kind: kernel, state, fired, probes, tests, launches, n: numbers(row, 8)};
    }));
    return {rows, skipped: [0, 0], totals: sum(rows.map(row => row.n))};
  }
  const totals = numbers(index.totals, 0);

  return {
    /// Called by the scripts of the folder with their parts.
    receive(name, text) { arriving.get(name)?.end(text); },
    settings: index, totals, regions, kernels, kernelState, prefix, files, byPath, numbers, sum, total, done, isCovered, share, percent, quality,
    source: file => part('s' + file.id),
    contexts: file => part('c' + file.id),
    /// The same without the cache, for a reader of many files.
    readSource: file => readPart('s' + file.id),
    readContexts: file => readPart('c' + file.id),
    /// Names of all tests; [] when the page does not have them.
    names: async () => await whole('names') ?? [],
    /// Device of each context; '' for the host.
    devices: async () => await whole('devices') ?? [],
    /// Number of the test of each context.
    tests: async () => await whole('tests') ?? [],
    /// For each test: [file, statements, file, statements, ...].
    runs: async () => await whole('runs') ?? [],
  };
})();
