'use strict';
// Search in the sources of all files: #search/words. Sources are unpacked once, a few at a time, and results come as they are found.
const searchView = (function () {
  const element = page.element;
  const place = document.getElementById('view');
  const glyphs = {
    c: ['cov', '✓', 'covered'], m: ['mis', '✗', 'missing'], p: ['par', '◐', 'partial'], x: ['exc', '⊘', 'excluded'], '-': ['non', '·', 'not a statement'],
    h: ['mis', '✗', 'not hit'], u: ['mis', '?', 'not measured'], n: ['mis', '○', 'not compiled'],
  };
  const mostLines = 2000;   // in all files
  const mostInFile = 200;

  const form = element('form', 'filter search');
  form.setAttribute('role', 'search');
  const input = Object.assign(element('input'), {type: 'search', id: 'search', placeholder: 'Search in all sources', autocomplete: 'off', spellcheck: false});
  input.setAttribute('aria-label', 'Search in all sources');
  function box(id, text, title) {
    const label = element('label');
    const check = Object.assign(element('input'), {type: 'checkbox', id});
    label.title = title;
    label.append(check, ' ' + text);
    check.addEventListener('change', () => start());
    form.append(label);
    return check;
  }
  form.append(input);
  const regex = box('search-regex', 'regular expression', 'JavaScript\'s regular expressions');
  const missing = box('search-missing', 'missing lines only', 'Lines that never ran, or of which a branch was never taken');
  const status = element('span', 'count');
  status.id = 'search-count';
  status.setAttribute('role', 'status');
  form.append(status);
  const results = element('div', 'results');
  results.id = 'results';

  const sources = new Map();  // file -> {lines, states}
  async function sourceOf(file) {
    if (!sources.has(file)) {
      const source = await store.readSource(file);
      sources.set(file, source ? {lines: source.text.split('\n'), states: source.states.toLowerCase()} : {lines: [], states: ''});
    }
    return sources.get(file);
  }

  // Pattern of the typed text; case-insensitive, unless it has capitals.
  function pattern() {
    const typed = input.value;
    const text = regex.checked ? typed : typed.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const flags = /\p{Lu}/u.test(typed.replace(/\\./g, '')) ? 'g' : 'gi';
    try {
      return new RegExp(text, flags + 'u');
    } catch (error) {
      return null;
    }
  }
  // Positions of matches in a line: [begin, end, begin, end, ...].
  function hits(wanted, line) {
    const found = [];
    wanted.lastIndex = 0;
    for (let match = wanted.exec(line); match !== null && found.length < 40; match = wanted.exec(line)) {
      if (match[0] === '') {
        ++wanted.lastIndex;
      } else {
        found.push(match.index, match.index + match[0].length);
      }
    }
    return found;
  }
  function lineRow(file, number, line, state, found) {
    const row = element('a', 'result');
    row.href = page.hashOf(file.path, number);
    const [className, glyph, word] = glyphs[state] ?? glyphs['-'];
    const sign = element('span', 'g ' + className, glyph);
    sign.setAttribute('role', 'img');
    sign.setAttribute('aria-label', word);
    const from = Math.max(0, found[0] - 80);
    const end = Math.min(line.length, from + 240);
    const indent = from === 0 ? /^\s*/.exec(line)[0].length : 0;
    const code = element('code');
    if (from > 0) code.append('…');
    let at = Math.min(from + indent, found[0]);
    for (let k = 0; k < found.length && found[k] < end; k += 2) {
      code.append(line.slice(at, found[k]), element('mark', '', line.slice(found[k], found[k + 1])));
      at = found[k + 1];
    }
    code.append(line.slice(at, Math.max(at, end)) + (end < line.length ? '…' : ''));
    row.append(element('span', 'n', String(number)), sign, code);
    return row;
  }

  let run = 0;  // number of the search in progress
  async function start() {
    const mine = ++run;
    results.replaceChildren();
    history.replaceState(history.state, '', '#search' + (input.value ? '/' + encodeURIComponent(input.value) : ''));
    if (input.value.trim() === '') {
      status.textContent = '';
      return;
    }
    const wanted = pattern();
    if (!wanted) {
      status.textContent = 'That is no regular expression.';
      return;
    }
    let lines = 0, files = 0, last = performance.now();
    const ahead = 24;
    const unfinished = [];
    for (let i = 0; i < store.files.length; ++i) {
      while (unfinished.length < ahead && i + unfinished.length < store.files.length) unfinished.push(sourceOf(store.files[i + unfinished.length]));
      const source = await unfinished.shift();
      if (mine !== run) return;
      const file = store.files[i];
      const group = element('section');
      let inFile = 0;
      for (let at = 0; at < source.lines.length && lines + inFile < mostLines; ++at) {
        if (missing.checked && !'mphun'.includes(source.states[at] ?? '-')) continue;
        const found = hits(wanted, source.lines[at]);
        if (found.length === 0) continue;
        if (++inFile <= mostInFile) group.append(lineRow(file, at + 1, source.lines[at], source.states[at], found));
      }
      if (inFile > 0) {
        const head = element('h2');
        const link = element('a');
        link.append(page.pathText(file.path));
        link.href = page.hashOf(file.path);
        head.append(link, element('span', 'quiet', ' ' + columns.format(inFile)));
        group.prepend(head);
        group.style.setProperty('--lines', Math.min(inFile, mostInFile));
        if (inFile > mostInFile) group.append(element('p', 'quiet', columns.format(inFile - mostInFile) + ' more in this file'));
        results.append(group);
        lines += inFile;
        ++files;
      }
      if (lines >= mostLines) break;
      if (performance.now() - last > 50) {
        status.textContent = columns.format(i + 1) + ' of ' + columns.format(store.files.length) + ' files searched';
        await new Promise(resolve => setTimeout(resolve));
        if (mine !== run) return;
        last = performance.now();
      }
    }
    const many = (n, one) => columns.format(n) + ' ' + one + (n === 1 ? '' : 's');
    status.textContent = lines === 0 ? 'Nothing found.' : (lines >= mostLines ? 'The first ' : '') + many(lines, 'line') + ' in ' + many(files, 'file');
  }
  let waiting = 0;
  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(start, 150);
  });
  form.addEventListener('submit', event => {
    event.preventDefault();
    start();
  });
  function step(offset) {
    const links = Array.from(results.querySelectorAll('a.result'));
    const at = links.indexOf(document.activeElement);
    (links[at + offset] ?? (offset > 0 ? links[0] : input))?.focus();
  }
  input.addEventListener('keydown', event => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    step(1);
  });

  return {
    open(words) {
      place.replaceChildren(form, results);
      if (words === input.value && results.childElementCount > 0) return;  // the reader came back to this search
      input.value = words;
      start();
    },
    focus() {
      input.focus();
      input.select();
    },
    key(event) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false;
      step(event.key === 'ArrowDown' ? 1 : -1);
      return true;
    },
    keys: () => [{keys: ['↓', '↑'], text: 'result by result'}],
  };
})();
