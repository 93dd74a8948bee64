'use strict';
// Addresses (#tree, #files, #functions, #kernels, #search/words, #/pkg/ or #/pkg/mod.py:L10-L20), and the tabs. A table that needs only the index is drawn at
// once: the browser paints it before it reads the other scripts and the sources.
const address = (function () {
  const element = page.element;
  page.settings = store.settings;
  page.navigate = hash => { location.hash = hash; };
  page.hashOf = (path, line, end) => '#/' + path.split('/').map(encodeURIComponent).join('/') +
      (line ? ':L' + line + (end && end !== line ? '-L' + end : '') : '');

  const tabs = new Map();
  for (const [view, text] of [['tree', 'Tree'], ['files', 'Files'], ['functions', 'Functions'], ['classes', 'Classes'], ['kernels', 'Kernels'], ['contexts', 'Contexts']]) {
    if ((view === 'contexts' && !store.settings.contexts) || (view === 'kernels' && !store.settings.kernels)) continue;
    const link = element('a', '', text);
    link.href = '#' + view;
    tabs.set(view, link);
    document.getElementById('views').append(link);
  }
  tabs.set('search', document.getElementById('search-all'));

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch (error) {
      return text;
    }
  }
  // Parses an address: {file, place}, or {view} with a folder, words to search for or the name of a context.
  function read(hash) {
    const home = {view: indexView.views.includes(page.stored('view')) && tabs.has(page.stored('view')) ? page.stored('view') : 'tree', folder: ''};
    if (!hash.startsWith('#/')) {
      const [view, ...rest] = hash.slice(1).split('/');
      const argument = rest.length > 0 ? decoded(rest.join('/')) : undefined;
      if (view === 'search') return {view, argument: argument ?? '', folder: ''};
      return tabs.has(view) ? {view, argument, folder: ''} : home;
    }
    const [place, wanted] = hash.slice(2).split('?test=');
    const name = decoded(place);
    const test = wanted === undefined ? undefined : decoded(wanted);
    if (store.byPath.has(name)) return {file: store.byPath.get(name), place: null, test};
    const found = /^(.*):L(\d+)(?:-L(\d+))?$/s.exec(name);
    if (found && store.byPath.has(found[1])) {
      return {file: store.byPath.get(found[1]), place: {line: Number(found[2]), end: Number(found[3] ?? found[2])}, test};
    }
    if (name.endsWith('/') && store.files.some(file => file.path.startsWith(name))) return {view: 'tree', folder: name};
    return {...home, unknown: name};
  }
  function markTab(wanted) {
    for (const [view, link] of tabs) {
      if (view === wanted) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
    }
  }
  /// Shows a table of the index.
  function openTable({view, folder}) {
    if (folder === '') page.stored('view', view);
    return indexView.open(view, folder);
  }

  const hash = location.hash;
  const first = read(hash);
  const isDrawn = (first.view === 'tree' || first.view === 'files') && first.unknown === undefined;
  if (isDrawn) {
    markTab(first.view);
    openTable(first);
  } else if (first.file) {
    document.getElementById('index').hidden = true;  // its source replaces this as soon as it is read
  }
  return {tabs, read, markTab, openTable, first: isDrawn ? {hash, wanted: first} : null};
})();
