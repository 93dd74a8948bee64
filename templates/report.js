'use strict';
// HTML report page: shows the view that the address names, and passes keys on.
(function () {
  const element = page.element;
  const index = document.getElementById('index');
  const source = document.getElementById('source');
  const title = document.title;

  // Most contexts are tests, and are called so; their names have to be loaded for that.
  if (address.tabs.has('contexts')) tests.load().then(() => { if (tests.noun === 'test') address.tabs.get('contexts').textContent = 'Tests'; });

  function openView({view, folder, argument}) {
    if (view === 'search') {
      searchView.open(argument);
      return searchView.focus();
    }
    return view === 'contexts' ? contextsView.open(argument) : address.openTable({view, folder});
  }
  const keysOf = view => view === 'search' ? searchView : view === 'contexts' ? contextsView : indexView;

  const missing = element('p', 'note');
  missing.setAttribute('role', 'status');
  missing.hidden = true;
  document.getElementById('view').before(missing);
  let shown = address.first?.wanted ?? null;  // the view on the screen
  let scrolled = 0;     // last scroll position of the index
  const route = () => show(address.read(location.hash));
  async function show(wanted) {
    page.leave();
    if (shown?.view) scrolled = window.scrollY;
    const before = shown;
    shown = wanted;
    address.markTab(wanted.view);
    if (!wanted.file) {
      SourceView.close();
      source.hidden = true;
      index.hidden = false;
      document.title = wanted.argument ? wanted.argument + ' – ' + title : title;
      missing.hidden = wanted.unknown === undefined && !wanted.lost;
      missing.textContent = wanted.lost ? 'The source of ' + wanted.lost + ' is not there: the folder data belongs beside this page.' : 'This report has no ' + wanted.unknown + '.';
      await openView(wanted);
      if (shown === wanted) window.scrollTo({top: before?.file ? scrolled : 0, behavior: 'instant'});
      return;
    }
    const content = await store.source(wanted.file);
    if (shown !== wanted) return;
    if (!content) return show({...address.read(''), lost: wanted.file.path});
    if (store.settings.contexts) await tests.load();
    if (shown !== wanted) return;
    document.title = wanted.file.path + ' – ' + title;
    finder.saw(wanted.file);
    index.hidden = true;
    source.hidden = false;
    const file = {path: wanted.file.path, source: content, contexts: () => store.contexts(wanted.file)};
    SourceView.open(source, file, wanted.place);
    const test = wanted.test === undefined ? null : tests.byName(wanted.test);
    if (test) SourceView.chooseTest(test);
  }
  window.addEventListener('hashchange', route);
  history.scrollRestoration = 'manual';

  // Header on small screens (report.css): scrolling on by more than a few pixels hides it, scrolling back shows it.
  let last = 0;
  window.addEventListener('scroll', () => {
    const moved = window.scrollY - last;
    if (Math.abs(moved) < 12 && window.scrollY > 100) return;
    last = window.scrollY;
    document.body.classList.toggle('reads-on', moved > 0 && window.scrollY > 160);
  }, {passive: true});

  function neighbour(offset) {
    const here = address.read(location.hash).file;  // not `shown`: keys may come faster than files
    const file = indexView.neighbour(here, offset);
    if (file) page.navigate(page.hashOf(file.path)); else if (here) page.navigate('#');
  }
  page.first = event => shown?.file ? SourceView.key(event) : keysOf(shown?.view).key(event);
  Object.assign(page.actions, {
    ']': () => neighbour(1),
    '[': () => neighbour(-1),
    u: () => page.navigate('#'),
    '/': () => finder.open(),
    F: search,
  });
  document.addEventListener('keydown', event => {  // as in editors; overrides the browser's shortcut
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 'k' || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    finder.open();
  });
  function search() {
    if (shown?.view !== 'search') page.navigate('#search');
    else searchView.focus();
  }
  document.getElementById('go-to').addEventListener('click', () => finder.open());
  document.getElementById('search-all').addEventListener('click', search);
  // Dialog of keys: those of the present view, and those that work everywhere.
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
    const here = shown?.file ? list('In this file', SourceView.keys) : list('Here', keysOf(shown?.view).keys());
    const close = element('button', 'close', '✕');
    close.type = 'button';
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', () => dialog.close());
    dialog.replaceChildren(close, here, list('Everywhere', [
      {keys: ['/', 'Ctrl K'], text: 'go to a file by some letters of its name'},
      {keys: ['F'], text: 'search in all sources'},
      {keys: ['[', ']'], text: 'previous, next file'},
      {keys: ['u'], text: 'up to the index'},
      {keys: ['t'], text: 'light, dark, auto'},
      {keys: ['?'], text: 'this list'},
    ]));
  };
  document.getElementById('key-help').addEventListener('click', event => {
    if (event.target === event.currentTarget) event.currentTarget.close();  // a click beside the dialog
  });
  if (address.first?.hash !== location.hash) route();
})();
