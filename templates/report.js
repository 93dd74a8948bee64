'use strict';
// The table of files (sorting, finding) and the source of the file that the address names: #pkg/a.py or #pkg/a.py:L12.
(function () {
  const files = JSON.parse(document.getElementById('data').textContent);
  const byId = new Map(files.map((file, i) => [idOf(file.path), i]));
  const index = document.getElementById('index');
  const source = document.getElementById('source');
  const title = document.title;
  function idOf(path) { return path.replaceAll(' ', '_'); }
  function hrefOf(path) { return '#' + idOf(path).split('/').map(encodeURIComponent).join('/'); }

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
  function row(file, i) {
    const state = file.states[i];
    const [className, glyph, word] = kinds[state];
    const why = file.why && Object.hasOwn(file.why, i + 1) ? word + ': ' + file.why[i + 1] : '';
    const tr = element('tr', 'new ' + className);
    tr.id = idOf(file.path) + ':L' + (i + 1);
    const number = element('td', 'n');
    const link = element('a', '', String(i + 1));
    link.href = hrefOf(file.path) + ':L' + (i + 1);
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
  function fileLink(i, text) {
    const link = element('a', '', text);
    link.href = hrefOf(files[i].path);
    return link;
  }
  let shown = -1;
  function showFile(i) {
    const file = files[i];
    const section = element('section', 'file whole');
    const head = element('h2');
    const up = element('a', 'up', 'All files');
    up.href = '#';
    head.append(up, element('span', '', file.path));
    if (file.kernel) head.append(element('span', 'chip kernel', 'kernel'));
    head.append(element('span', 'push', file.percent + '%'));
    head.append(element('span', 'chip ' + (file.missing ? 'bad' : 'good'), file.missing ? '✗ ' + file.missing + ' missing' : '✓ nothing missing'));
    if (file.conditions && Object.keys(file.conditions).length) head.append(element('span', 'chip none', '◇ ' + file.outcomes + ' outcomes'));
    const table = element('table', 'code');
    for (let line = 0; line < file.lines.length; ++line) table.append(row(file, line));
    const scroll = element('div', 'scroll');
    scroll.append(table);
    section.append(head, scroll);
    source.replaceChildren(section);
    shown = i;
  }
  function route() {
    page.leave();
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch (error) {
      name = '';
    }
    const found = /^(.*):L(\d+)$/.exec(name);
    const file = byId.get(found ? found[1] : name);
    index.hidden = file !== undefined;
    source.hidden = file === undefined;
    document.title = file === undefined ? title : files[file].path + ' – ' + title;
    if (file === undefined) return;
    if (file !== shown) showFile(file);
    if (found) page.go(document.getElementById(name)); else window.scrollTo(0, 0);
  }
  window.addEventListener('hashchange', route);

  const table = document.getElementById('files');
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const filter = document.getElementById('filter');
  const hideCovered = document.getElementById('hide-covered');
  function applyFilter() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const tr of rows) {
      const name = tr.cells[0].textContent.toLowerCase();
      tr.hidden = !words.every(word => name.includes(word)) || (hideCovered.checked && tr.dataset.covered === '1');
      n += tr.hidden ? 0 : 1;
    }
    document.getElementById('filter-count').textContent = n === rows.length ? '' : n + ' of ' + rows.length;
  }
  filter.addEventListener('input', applyFilter);
  hideCovered.addEventListener('change', applyFilter);
  filter.form.addEventListener('submit', event => {
    event.preventDefault();
    const first = Array.from(body.rows).find(tr => !tr.hidden);
    if (first) location.hash = first.querySelector('a').hash;
  });
  Array.from(table.tHead.querySelectorAll('button')).forEach((button, column) => {
    const header = button.parentElement;
    button.addEventListener('click', () => {
      const downward = header.getAttribute('aria-sort') !== (column === 0 ? 'ascending' : 'descending') ? column !== 0 : column === 0;
      for (const other of table.tHead.querySelectorAll('th')) other.removeAttribute('aria-sort');
      header.setAttribute('aria-sort', downward ? 'descending' : 'ascending');
      const value = tr => column === 0 ? tr.cells[0].textContent : Number(tr.cells[column].dataset.value ?? tr.cells[column].textContent);
      const compare = column === 0 ? (a, b) => value(a).localeCompare(value(b), 'en', {numeric: true}) : (a, b) => value(a) - value(b);
      body.append(...Array.from(body.rows).sort((a, b) => downward ? compare(b, a) : compare(a, b)));
    });
  });

  function missing() { return page.pieces(source, 'tr.mis, tr.par'); }
  function neighbour(offset) {
    const links = Array.from(body.rows).filter(tr => !tr.hidden).map(tr => tr.querySelector('a'));
    const isShown = link => !source.hidden && decodeURIComponent(link.hash.slice(1)) === idOf(files[shown].path);
    const at = source.hidden ? (offset > 0 ? -1 : links.length) : links.findIndex(isShown);
    const next = links[at + offset];
    if (next) location.hash = next.hash;
  }
  Object.assign(page.actions, {
    j: () => page.go(page.step(missing(), true)),
    k: () => page.go(page.step(missing(), false)),
    1: () => page.go(missing()[0]),
    ']': () => neighbour(1),
    '[': () => neighbour(-1),
    ...page.conditionKeys(source),
    u: () => { location.hash = ''; },
    '/': () => { location.hash = ''; index.hidden = false; source.hidden = true; filter.focus(); },
  });
  applyFilter();
  route();
})();
