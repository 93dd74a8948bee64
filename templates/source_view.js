'use strict';
// The source of one file with what ran of it. SourceView.open(container, file, place) shows it, .key(event) takes its keys.
const SourceView = (function () {
  const kinds = {
    c: ['cov', '✓', 'covered'], m: ['mis', '✗', 'missing'], p: ['par', '◐', 'partial'],
    x: ['exc', '⊘', 'excluded'], '-': ['non', '·', 'not a statement'],
    h: ['mis', '✗', 'not hit'], u: ['mis unm', '?', 'not measured'], n: ['mis unc', '○', 'not compiled'],
  };
  function element(tag, className, text) {
    const result = document.createElement(tag);
    if (className) result.className = className;
    if (text !== undefined) result.textContent = text;
    return result;
  }
  function sign(glyph, word) {
    const result = element('span', '', glyph);
    result.setAttribute('role', 'img');
    result.setAttribute('aria-label', word);
    result.title = word;
    return result;
  }
  // Whether the statement before says the same: the first of a run says why in words.
  function goesOn(file, i) {
    let before = i - 1;
    while (before >= 0 && file.states[before] === '-') --before;
    return before >= 0 && file.states[before] === file.states[i] && file.why[before + 1] === file.why[i + 1];
  }
  function row(file, path, i) {
    const state = file.states[i];
    const [className, glyph, word] = kinds[state];
    const why = file.why && Object.hasOwn(file.why, i + 1) ? word + ': ' + file.why[i + 1] : '';
    const tr = element('tr', 'new ' + className);
    tr.id = 'L' + (i + 1);
    const number = element('td', 'n');
    const link = element('a', '', String(i + 1));
    link.href = page.hashOf(path, i + 1);
    number.append(link);
    const mark = element('td', 'g');
    mark.append(sign(glyph, why || word));
    tr.append(number, mark);
    if (file.kernel) {
      const origin = element('td', 'o');
      if (file.kernel[i] === '1') origin.append(sign('K', 'ran in a kernel'));
      tr.append(origin);
    }
    const code = element('td', 'c');
    code.innerHTML = file.lines[i];  // escaped and coloured by the program that made the page
    if (file.conditions && Object.hasOwn(file.conditions, i + 1)) code.insertAdjacentHTML('beforeend', file.conditions[i + 1]);
    if (Object.hasOwn(file.branches, i + 1)) code.append(element('span', 'never', 'never to ' + file.branches[i + 1]));
    if ('un'.includes(state) && !goesOn(file, i)) code.append(element('span', 'never', why));
    tr.append(code);
    return tr;
  }

  let container = null;
  let shown = null;
  function show(file) {
    const source = file.source;
    const section = element('section', 'file whole');
    const head = element('h2');
    const up = element('a', 'up', 'All files');
    up.href = '#';
    head.append(up, element('span', '', file.path));
    if (source.kernel) head.append(element('span', 'chip kernel', 'kernel'));
    head.append(element('span', 'push', source.percent + '%'));
    head.append(element('span', 'chip ' + (source.missing ? 'bad' : 'good'), source.missing ? '✗ ' + source.missing + ' missing' : '✓ nothing missing'));
    if (source.conditions && Object.keys(source.conditions).length) head.append(element('span', 'chip none', '◇ ' + source.outcomes + ' outcomes'));
    const table = element('table', 'code');
    for (let line = 0; line < source.lines.length; ++line) table.append(row(source, file.path, line));
    const scroll = element('div', 'scroll');
    scroll.append(table);
    section.append(head, scroll);
    container.replaceChildren(section);
  }

  function missing() { return page.pieces(container, 'tr.mis, tr.par'); }
  function conditions() { return page.conditionKeys(container); }
  const keys = [
    {keys: ['j'], text: 'next missing piece', run: () => page.go(page.step(missing(), true))},
    {keys: ['k'], text: 'previous missing piece', run: () => page.go(page.step(missing(), false))},
    {keys: ['1'], text: 'first missing piece', run: () => page.go(missing()[0])},
    {keys: ['c'], text: 'next missed condition', run: () => conditions().c()},
    {keys: ['C'], text: 'previous missed condition', run: () => conditions().C()},
  ];

  return {
    /// For the list of keys: [{keys: ['j'], text: 'next missing piece'}, ...].
    keys: keys.map(({keys, text}) => ({keys, text})),
    open(where, file, place) {
      if (container !== where || shown !== file.source) {
        container = where;
        shown = file.source;
        show(file);
      }
      if (place) page.go(document.getElementById('L' + place.line)); else window.scrollTo(0, 0);
    },
    close() {
      if (container) container.replaceChildren();
      container = shown = null;
    },
    /// True when the key was one of the view's.
    key(event) {
      if (!container || event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.target.matches('input:not([type=checkbox]), textarea, select')) return false;
      const found = keys.find(one => one.keys.includes(event.key));
      if (found) found.run();
      return found !== undefined;
    },
  };
})();
