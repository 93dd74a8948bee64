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

  let shown = -1;
  page.navigate = hash => { location.hash = hash; };
  page.hashOf = (path, line, end) => hrefOf(path) + (line ? ':L' + line + (end && end !== line ? '-L' + end : '') : '');
  function route() {
    page.leave();
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch (error) {
      name = '';
    }
    const found = /^(.*):L(\d+)(?:-L(\d+))?$/.exec(name);
    const file = byId.get(found ? found[1] : name);
    index.hidden = file !== undefined;
    source.hidden = file === undefined;
    document.title = file === undefined ? title : files[file].path + ' – ' + title;
    if (file === undefined) {
      SourceView.close();
      shown = -1;
      return;
    }
    const place = found ? {line: Number(found[2]), end: Number(found[3] ?? found[2])} : null;
    shown = file;
    SourceView.open(source, {path: files[file].path, source: files[file], contexts: async () => null, names: []}, place);
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

  function neighbour(offset) {
    const links = Array.from(body.rows).filter(tr => !tr.hidden).map(tr => tr.querySelector('a'));
    const isShown = link => !source.hidden && decodeURIComponent(link.hash.slice(1)) === idOf(files[shown].path);
    const at = source.hidden ? (offset > 0 ? -1 : links.length) : links.findIndex(isShown);
    const next = links[at + offset];
    if (next) location.hash = next.hash;
  }
  Object.assign(page.actions, {
    ']': () => neighbour(1),
    '[': () => neighbour(-1),
    u: () => { location.hash = ''; },
    '/': () => { location.hash = ''; index.hidden = false; source.hidden = true; filter.focus(); },
  });
  document.addEventListener('keydown', event => { if (!source.hidden && !event.defaultPrevented && SourceView.key(event)) event.preventDefault(); });
  applyFilter();
  route();
})();
