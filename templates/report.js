'use strict';
// The page: what the address names is shown (#tree, #files, #functions, #/pkg/ or #/pkg/mod.py:L10-L20), and keys go where they belong.
(function () {
  const element = page.element;
  const index = document.getElementById('index');
  const source = document.getElementById('source');
  const legend = document.getElementById('legend');
  const views = document.getElementById('views');
  const title = document.title;
  page.settings = store.settings;
  page.navigate = hash => { location.hash = hash; };
  page.hashOf = (path, line, end) => '#/' + path.split('/').map(encodeURIComponent).join('/') +
      (line ? ':L' + line + (end && end !== line ? '-L' + end : '') : '');

  const tabs = new Map();
  for (const [view, text] of [['tree', 'Tree'], ['files', 'Files'], ['functions', 'Functions'], ['classes', 'Classes']]) {
    const link = element('a', '', text);
    link.href = '#' + view;
    tabs.set(view, link);
    views.append(link);
  }

  // {file, place} or {view, folder}; the address decides.
  function read(hash) {
    let name;
    try {
      name = decodeURIComponent(hash.slice(1));
    } catch (error) {
      name = '';
    }
    if (!name.startsWith('/')) return {view: tabs.has(name) ? name : page.stored('view') ?? 'tree', folder: ''};
    name = name.slice(1);
    if (store.byPath.has(name)) return {file: store.byPath.get(name), place: null};
    const found = /^(.*):L(\d+)(?:-L(\d+))?$/s.exec(name);
    if (found && store.byPath.has(found[1])) {
      return {file: store.byPath.get(found[1]), place: {line: Number(found[2]), end: Number(found[3] ?? found[2])}};
    }
    if (name.endsWith('/') && store.files.some(file => file.path.startsWith(name))) return {view: 'tree', folder: name};
    return {view: 'tree', folder: '', missing: name};
  }

  let shown = null;     // what is on the screen
  let scrolled = 0;     // where the index was left
  async function route() {
    page.leave();
    const wanted = read(location.hash);
    if (shown?.view) scrolled = window.scrollY;
    const before = shown;
    shown = wanted;
    for (const [view, link] of tabs) {
      if (view === wanted.view) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
    }
    if (!wanted.file) {
      SourceView.close();
      if (wanted.folder === '') page.stored('view', wanted.view);
      await indexView.open(wanted.view, wanted.folder);
      if (shown !== wanted) return;
      document.title = title;
      source.hidden = legend.hidden = true;
      index.hidden = false;
      window.scrollTo({top: before?.file ? scrolled : 0, behavior: 'instant'});
      return;
    }
    const content = await store.source(wanted.file);
    if (shown !== wanted) return;
    const names = store.settings.contexts ? await store.names() : [];
    if (shown !== wanted) return;
    document.title = wanted.file.path + ' – ' + title;
    index.hidden = true;
    source.hidden = legend.hidden = false;
    const file = {path: wanted.file.path, source: content, contexts: () => store.contexts(wanted.file), names};
    SourceView.open(source, file, wanted.place);
  }
  window.addEventListener('hashchange', route);
  history.scrollRestoration = 'manual';

  function neighbour(offset) {
    const file = indexView.neighbour(shown?.file, offset);
    if (file) page.navigate(page.hashOf(file.path)); else if (shown?.file) page.navigate('#');
  }
  page.first = event => shown?.file ? SourceView.key(event) : indexView.key(event);
  Object.assign(page.actions, {
    ']': () => neighbour(1),
    '[': () => neighbour(-1),
    u: () => page.navigate('#'),
    '/': () => indexView.focusFilter(),
  });
  // The dialog of keys: those of what is on the screen, and those that work everywhere.
  page.fillHelp = dialog => {
    const list = (title, keys) => {
      const section = element('section');
      const dl = element('dl');
      for (const {keys: names, text} of keys) {
        const dt = element('dt');
        for (const name of names) dt.append(element('kbd', '', name), ' ');
        const row = element('div');
        row.append(dt, element('dd', '', text));
        dl.append(row);
      }
      section.append(element('h2', '', title), dl);
      return section;
    };
    const here = shown?.file ? list('In this file', SourceView.keys) : list('In the table', indexView.keys());
    const close = element('button', 'close', '✕');
    close.type = 'button';
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', () => dialog.close());
    dialog.replaceChildren(close, here, list('Everywhere', [
      {keys: ['/'], text: 'filter'},
      {keys: ['[', ']'], text: 'previous, next file'},
      {keys: ['u'], text: 'up to the index'},
      {keys: ['t'], text: 'light, dark, auto'},
      {keys: ['?'], text: 'this list'},
    ]));
  };
  document.getElementById('key-help').addEventListener('click', event => {
    if (event.target === event.currentTarget) event.currentTarget.close();  // beside it
  });
  route();
})();
