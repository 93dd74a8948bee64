'use strict';
// Index: the tree of folders, or the table of files, functions, classes or kernels, sorted and filtered, with the totals of the shown rows.
const indexView = (function () {
  const element = page.element;
  const place = document.getElementById('view');
  const kinds = {tree: 'file', files: 'file', functions: 'function', classes: 'class', kernels: 'kernel or func'};
  const state = {view: 'tree', folder: '', sort: {}, hideCovered: page.stored('hide-covered') === '1'};
  try {
    state.sort = JSON.parse(page.stored('sort')) ?? {};
  } catch (error) {
    state.sort = {};
  }

  if (store.prefix) {
    const item = element('li', '', 'files in ');
    item.append(element('code', '', store.prefix));
    document.getElementById('about').append(item);
  }

  const form = element('form', 'filter');
  form.setAttribute('role', 'search');
  const filter = Object.assign(element('input'), {type: 'search', id: 'filter', placeholder: 'Filter', autocomplete: 'off', spellcheck: false});
  filter.setAttribute('aria-label', 'Filter by name');
  const hide = Object.assign(element('input'), {type: 'checkbox', id: 'hide-covered', checked: state.hideCovered});
  const label = element('label');
  label.append(hide, ' hide covered');
  const kernels = Object.assign(element('input'), {type: 'checkbox', id: 'kernels-only'});
  const kernelLabel = element('label');
  kernelLabel.append(kernels, ' kernels only');
  kernelLabel.title = 'Files of which some line ran in a kernel';
  const count = element('span', 'count');
  count.id = 'filter-count';
  count.setAttribute('role', 'status');
  const folding = element('span', 'folding');
  for (const [text, open] of [['Open all', true], ['Close all', false]]) {
    const button = element('button', '', text);
    button.type = 'button';
    button.addEventListener('click', () => {
      tree.openAll(open);
      update();
    });
    folding.append(button);
  }
  const crumbs = element('nav', 'crumbs');
  crumbs.setAttribute('aria-label', 'Folder');
  form.append(filter, label, kernelLabel, folding, count);

  const table = element('table', 'grid');
  table.id = 'rows';
  const archs = store.settings.archs ?? [];
  table.classList.toggle('with-archs', archs.length > 0);
  table.classList.toggle('many-archs', archs.length > 3);
  const caption = element('caption', 'unseen');
  const head = table.createTHead();
  const body = table.createTBody();
  const foot = table.createTFoot();
  const empty = element('p', 'empty');
  const notes = element('p', 'skipped');
  const colors = element('ul', 'legend colors');
  for (const [quality, text] of [['good', '100 %'], ['most', '90 % and more'], ['part', '75 % and more'], ['bad', 'less']]) {
    const item = element('li');
    const patch = element('span', 'patch');
    patch.append(element('span', quality));
    item.append(patch, ' ' + text);
    colors.append(item);
  }
  colors.append(element('li', '', '– nothing to measure'));
  const overview = element('aside', 'overview');  // of a large tree; report_overview.js fills it
  overview.setAttribute('aria-label', 'Overview');
  const kLarge = 40;  // files
  const scroll = element('div', 'grid-box');
  scroll.append(table);
  const rest = element('div');
  rest.append(scroll, colors, empty, notes);
  const split = element('div');
  split.append(rest, overview);
  const isNarrow = archs.length === 0 && !store.settings.conditions && !store.settings.gradients;  // leaves room beside the table
  table.prepend(caption);

  let shownColumns = [];
  function fill(tr, row, i) {
    tr.className = (row.folder ? 'folder ' : '') + (store.isCovered(row.n) ? 'covered' : '');
    if (state.view === 'tree') {
      tr.setAttribute('aria-level', String(row.depth));
      tr.setAttribute('aria-posinset', String(row.place));
      tr.setAttribute('aria-setsize', String(row.of));
      if (row.folder) tr.setAttribute('aria-expanded', String(row.open));
    }
    if (isRegions()) tr.append(cells.region(row, kinds[state.view]), cells.file(row, i > 0 && grid.rows()[i - 1].file === row.file));
    else tr.append(cells.name(row));
    tr.append(...cells.numbers(shownColumns, row));
  }
  function toggle(row, open) {
    tree.open(row.item.path, open);
    update(list => list.findIndex(one => one.folder && one.item.path === row.item.path), true);
  }
  function act(row, key, i) {
    const rows = grid.rows();
    if (key === 'Enter') page.navigate(page.hashOf(row.folder ? row.item.path : row.file.path, row.line));
    else if (state.view !== 'tree') return false;
    else if (key === ' ' && row.folder) toggle(row, !row.open);
    else if (key === 'ArrowRight' && row.folder && !row.open) toggle(row, true);
    else if (key === 'ArrowRight' && row.folder) grid.focus(i + 1);
    else if (key === 'ArrowLeft' && row.folder && row.open) toggle(row, false);
    else if (key === 'ArrowLeft') grid.focus(Math.max(0, rows.findLastIndex((one, at) => at < i && one.depth < row.depth)));
    else return false;
    return true;
  }
  const grid = makeGrid(table, {fill, act});
  body.addEventListener('click', event => {
    const tr = event.target.closest('tr');
    const row = tr?.dataset.row ? grid.rows()[Number(tr.dataset.row)] : null;
    if (!row?.folder || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    toggle(row, !row.open);
  });

  function isRegions() { return state.view === 'functions' || state.view === 'classes' || state.view === 'kernels'; }
  // Order of kernels: the worst on top, until the reader changes it; the other tables share one order.
  let kernelSort = {column: 'state', downward: true};
  const order = () => state.view === 'kernels' ? kernelSort : state.sort;
  function sorted() {
    const column = columns.find(order().column);
    return column && shownColumns.includes(column) ? column : columns.find('file');
  }
  function sortBy(column) {
    const same = sorted().id === column.id;
    const wanted = {column: column.id, downward: same ? !order().downward : !columns.upwardFirst(column)};
    if (state.view === 'kernels') {
      kernelSort = wanted;
    } else {
      state.sort = wanted;
      page.stored('sort', JSON.stringify(state.sort));
    }
    update();
  }
  // Headers are made once for a view, so that a button that was pressed keeps the focus.
  let headers = new Map();
  let headOf = '';
  function showHead() {
    if (headOf !== state.view) {
      headOf = state.view;
      headers = new Map(shownColumns.map(column => [column, header(column)]));
      const last = element('th', 'meter-cell');
      last.append(element('span', 'unseen', 'Bar'));
      const tr = element('tr');
      tr.append(...headers.values(), last);
      head.replaceChildren(tr);
    }
    for (const [column, th] of headers) {
      if (sorted().id === column.id) th.setAttribute('aria-sort', order().downward ? 'descending' : 'ascending');
      else th.removeAttribute('aria-sort');
    }
  }
  /// Characters of the longest number in a column.
  function digits(column) {
    if (column.ofRow) return regions[state.view].rows.reduce((most, row) => Math.max(most, column.text(row).length), 0);
    return column.text(isRegions() ? regions[state.view].totals : store.totals).length;
  }
  function titleOf(column) { return column.id === 'region' ? {functions: 'Function', classes: 'Class', kernels: 'Kernel'}[state.view] ?? column.title : column.title; }
  function header(column) {
    const th = element('th', columns.classOf(column));
    th.scope = 'col';
    if (column.kind === 'arch') th.style.setProperty('--arch', Math.min(12, column.title.length) * 1.1 + 'ch + 1.3rem');
    else if (!column.name && column.id !== 'state') th.style.setProperty('--digits', digits(column));
    const button = element('button', '', titleOf(column));
    button.type = 'button';
    button.title = (column.tip ? column.tip + '. ' : '') + 'Sort' + (column.key ? ' (' + column.key + ')' : '');
    button.addEventListener('click', () => sortBy(column));
    th.append(button);
    return th;
  }

  // Filter for texts that have all words; case-insensitive, unless a word is typed with capitals.
  function matcher() {
    const words = filter.value.split(/\s+/).filter(Boolean);
    const exact = filter.value !== filter.value.toLowerCase();
    const text = value => exact ? value : value.toLowerCase();
    return value => words.every(word => text(value).includes(word));
  }
  const regions = {};
  function items() {
    if (!isRegions()) return store.files.filter(file => file.path.startsWith(state.folder)).map(file => ({file, path: file.path, n: file.n}));
    return regions[state.view].rows.filter(row => row.file.path.startsWith(state.folder));
  }
  let total = 0;
  let shownFiles = [];
  let treeOf = {files: [], root: null};
  function update(find = () => 0, focus = false) {
    kernelLabel.hidden = !store.settings.kernel || state.view === 'kernels';
    const matches = matcher();
    const everything = items();
    total = everything.length;
    shownColumns = isRegions() ? columns.of(state.view, regions[state.view].totals, regions[state.view].rows) : columns.of(state.view, store.totals, []);
    const column = sorted();
    const rows = everything.filter(row => !(hide.checked && store.isCovered(row.n)) && !(kernels.checked && !kernelLabel.hidden && !row.file.kernel) &&
        matches(isRegions() ? row.file.path + ' ' + row.name : row.path));
    let list;
    if (state.view === 'tree') {
      const compare = column.name
          ? (a, b) => Number(!a.folders) - Number(!b.folders) || columns.compare(column, order().downward)(a, b)
          : columns.compare(column, order().downward);
      const files = rows.map(row => row.file);
      const shown = tree.rows(files, state.folder.length > store.prefix.length ? state.folder : store.prefix, compare, filter.value.trim() !== '');
      treeOf = {files, root: shown.root};
      list = shown.rows;
      for (const row of list) row.file = row.folder ? null : row.item;
      shownFiles = list.filter(row => row.file).map(row => row.file);
    } else {
      list = rows.sort(columns.compare(column, order().downward));
      shownFiles = Array.from(new Set(list.map(row => row.file)));
    }
    showHead();
    // Files that the report leaves out count in its total.
    const whole = rows.length === total && state.folder === '';
    const n = !whole ? store.sum(rows.map(row => row.n)) : isRegions() ? regions[state.view].totals : store.totals;
    const tr = element('tr', 'total');
    const name = element('td', 'name', 'Total');
    if (isRegions()) name.colSpan = 2;
    tr.append(name, ...cells.numbers(shownColumns, {n}));
    foot.replaceChildren(tr);
    count.textContent = rows.length === total ? columns.format(total) + ' ' + noun(total) : columns.format(rows.length) + ' of ' + columns.format(total);
    table.setAttribute('role', state.view === 'tree' ? 'treegrid' : 'grid');
    caption.textContent = 'Coverage of ' + noun(2);
    table.dataset.view = state.view;
    folding.hidden = !list.some(row => row.folder);
    scroll.hidden = colors.hidden = rows.length === 0;
    empty.hidden = rows.length > 0;
    empty.textContent = total === 0 ? 'There are no ' + noun(2) + '.' : 'Nothing matches the filter.';
    const on = Math.max(0, find(list));
    overview.hidden = state.view !== 'tree' || rows.length < kLarge;
    split.classList.toggle('beside', !overview.hidden && isNarrow);
    grid.show(list, on);
    api.onShown?.();
    if (focus) grid.focus(on);
  }
  function noun(n) {
    const one = kinds[state.view];
    return n === 1 ? one : {class: 'classes', 'kernel or func': 'kernels and funcs'}[one] ?? one + 's';
  }
  function showCrumbs() {
    crumbs.replaceChildren();
    crumbs.hidden = state.folder === '';
    if (state.folder === '') return;
    const names = state.folder.split('/').slice(0, -1);
    const all = element('a', '', 'All files');
    all.href = '#' + state.view;
    crumbs.append(all);
    names.forEach((name, i) => {
      const link = element('a', '', name || '/');
      link.href = page.hashOf(names.slice(0, i + 1).join('/') + '/');
      if (i === names.length - 1) link.setAttribute('aria-current', 'page');
      crumbs.append(element('span', 'quiet', '/'), link);
    });
  }
  function showNotes() {
    const [covered, bare] = isRegions() ? regions[state.view].skipped : store.settings.skipped;
    const some = (n, what) => columns.format(n) + what + ' ' + noun(n) + ' skipped';
    notes.textContent = [covered ? some(covered, '') + ' due to complete coverage.' : '', bare ? some(bare, ' empty') + '.' : ''].join(' ').trim();
    notes.hidden = notes.textContent === '';
  }

  filter.addEventListener('input', () => update());
  kernels.addEventListener('change', () => update());
  hide.addEventListener('change', () => {
    page.stored('hide-covered', hide.checked ? '1' : '0');
    update();
  });
  form.addEventListener('submit', event => {
    event.preventDefault();
    const first = grid.rows().find(row => row.file);
    if (first) page.navigate(page.hashOf(first.file.path, first.line));
  });
  filter.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      grid.focus(0);
    } else if (event.key === 'Escape' && filter.value === '') {
      filter.blur();
    }
  });

  const api = {
    views: Object.keys(kinds),
    overview,
    /// Called when other rows are shown.
    onShown: null,
    /// Files of the tree that is shown, and its root; whether it is large enough for an overview.
    shown: () => ({...treeOf, large: !overview.hidden && overview.isConnected}),
    async open(view, folder = '') {
      state.view = view;
      state.folder = folder;
      if (isRegions()) regions[view] ??= await (view === 'kernels' ? store.kernels() : store.regions(view));
      if (state.view !== view) return;
      place.replaceChildren(crumbs, form, split);
      showCrumbs();
      showNotes();
      update();
    },
    key(event) {
      if (grid.key(event)) return true;
      const column = shownColumns.find(one => one.key === event.key);
      if (column) sortBy(column);
      return Boolean(column);
    },
    /// Returns the file before or after one in the order of the table; null: there is none.
    neighbour(file, offset) {
      const list = shownFiles.length ? shownFiles : store.files;
      const at = file ? list.indexOf(file) : offset > 0 ? -1 : list.length;
      return list[at + offset] ?? null;
    },
    focusFilter() { filter.focus(); },
    /// Entries of the list of keys.
    keys: () => [
      ...shownColumns.filter(column => column.key).map(column => ({keys: [column.key], text: 'sort by ' + titleOf(column).toLowerCase()})),
      {keys: ['↓', '↑'], text: 'row by row'},
      {keys: ['Enter'], text: 'open the file'},
      ...(state.view === 'tree' ? [{keys: ['→', '←'], text: 'open, close a folder'}] : []),
    ],
  };
  return api;
})();
