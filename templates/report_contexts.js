'use strict';
// The contexts: a table of all of them (#contexts), and what one of them ran (#contexts/name), file by file, with links to the lines.
const contextsView = (function () {
  const element = page.element;
  const place = document.getElementById('view');
  const named = name => name === '' ? '(empty)' : name;
  let contexts = null;  // [{id, name, files, statements, runs}]
  async function load() {
    const [names, runs] = await Promise.all([store.names(), store.runs()]);
    contexts = names.map((name, id) => {
      const list = runs[id] ?? [];
      let statements = 0;
      for (let i = 1; i < list.length; i += 2) statements += list[i];
      return {id, name, files: list.length / 2, statements, list};
    }).filter(context => context.files > 0);
  }

  const form = element('form', 'filter');
  form.setAttribute('role', 'search');
  const filter = Object.assign(element('input'), {type: 'search', id: 'context-filter', placeholder: 'Filter contexts', autocomplete: 'off', spellcheck: false});
  filter.setAttribute('aria-label', 'Filter contexts');
  const count = element('span', 'count');
  count.setAttribute('role', 'status');
  form.append(filter, count);
  const table = element('table', 'grid contexts');
  table.id = 'contexts-table';
  table.setAttribute('role', 'grid');
  const caption = element('caption', 'unseen', 'Contexts and how much each of them ran');
  const head = table.createTHead().insertRow();
  table.createTBody();
  table.prepend(caption);
  const box = element('div', 'grid-box');
  box.append(table);
  // How much of all statements a context ran.
  function share({statements}) {
    const cell = element('td', 'meter-cell');
    const meter = element('span', 'meter');
    const filled = element('span');
    filled.style.width = store.share(statements, store.totals.statements) + '%';
    meter.append(filled);
    cell.title = store.percent(statements, store.totals.statements) + '% of all statements';
    cell.append(meter);
    return cell;
  }
  const hrefOf = context => '#contexts/' + encodeURIComponent(context.name);
  const grid = makeGrid(table, {
    fill(tr, context) {
      const name = element('td', 'name');
      const link = element('a', '', named(context.name));
      link.tabIndex = -1;
      link.href = hrefOf(context);
      name.title = context.name;
      name.append(link);
      tr.append(name, element('td', 'num', columns.format(context.files)), element('td', 'num', columns.format(context.statements)), share(context));
    },
    act(context, key) {
      if (key === 'Enter') page.navigate(hrefOf(context));
      return key === 'Enter';
    },
  });
  let sort = {by: 'name', downward: false};
  const buttons = [['name', 'Context', ''], ['files', 'Files', 'num'], ['statements', 'Statements', 'num']].map(([by, title, className]) => {
    const th = element('th', by === 'name' ? 'name' : className);
    th.scope = 'col';
    const button = element('button', '', title);
    button.type = 'button';
    button.addEventListener('click', () => {
      sort = {by, downward: sort.by === by ? !sort.downward : by !== 'name'};
      update();
    });
    th.append(button);
    head.append(th);
    return {by, th};
  });
  const last = element('th', 'meter-cell');
  last.append(element('span', 'unseen', 'Share of all statements'));
  head.append(last);
  function update() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const list = contexts.filter(context => words.every(word => context.name.toLowerCase().includes(word)));
    const order = sort.by === 'name' ? (a, b) => columns.names.compare(a.name, b.name) : (a, b) => a[sort.by] - b[sort.by];
    list.sort((a, b) => sort.downward ? order(b, a) : order(a, b));
    for (const {by, th} of buttons) {
      if (by === sort.by) th.setAttribute('aria-sort', sort.downward ? 'descending' : 'ascending'); else th.removeAttribute('aria-sort');
    }
    count.textContent = (list.length === contexts.length ? '' : columns.format(list.length) + ' of ') + columns.format(contexts.length) + ' contexts';
    grid.show(list);
  }
  filter.addEventListener('input', update);
  form.addEventListener('submit', event => {
    event.preventDefault();
    if (grid.rows()[0]) page.navigate(hrefOf(grid.rows()[0]));
  });

  // What one context ran. The lines of a file come when its part has been unpacked.
  async function linesOf(file, context) {
    const part = await store.readContexts(file);
    const run = part?.runs?.find(([id]) => id === context.id);
    const ranges = run?.[1] ?? [];
    const lines = element('span', 'lines');
    for (let i = 0; i < ranges.length; i += 2) {
      const link = element('a', '', ranges[i] === ranges[i + 1] ? String(ranges[i]) : ranges[i] + '–' + ranges[i + 1]);
      link.href = page.hashOf(file.path, ranges[i], ranges[i + 1]);
      lines.append(i === 0 ? '' : ', ', link);
    }
    return lines;
  }
  let shown = 0;
  async function showOne(context) {
    const mine = ++shown;
    const crumbs = element('nav', 'crumbs');
    crumbs.setAttribute('aria-label', 'Contexts');
    const up = element('a', '', 'All contexts');
    up.href = '#contexts';
    const here = element('span', '', named(context.name));
    here.setAttribute('aria-current', 'page');
    crumbs.append(up, element('span', 'quiet', '/'), here);
    const list = element('div', 'runs');
    place.replaceChildren(crumbs, list);
    const all = [];
    for (let i = 0; i < context.list.length; i += 2) all.push({file: store.files[context.list[i]], statements: context.list[i + 1]});
    all.sort((a, b) => columns.names.compare(a.file.path, b.file.path));
    for (const {file, statements} of all) {
      if (mine !== shown) return;
      const section = element('section');
      const title = element('h2');
      const link = element('a', '', file.path);
      link.href = page.hashOf(file.path);
      title.append(link, element('span', 'quiet', ' ' + columns.format(statements) + (statements === 1 ? ' statement' : ' statements')));
      const lines = element('p');
      section.append(title, lines);
      list.append(section);
      lines.append(await linesOf(file, context));
    }
  }

  return {
    /// `name` undefined: all of them.
    async open(name) {
      ++shown;
      if (!contexts) await load();
      const one = name === undefined ? undefined : contexts.find(context => context.name === name);
      if (one) {
        showOne(one);
        return;
      }
      place.replaceChildren(form, box);
      update();
    },
    key: event => table.isConnected && grid.key(event),
    focusFilter() { filter.focus(); },
    keys: () => [{keys: ['↓', '↑'], text: 'row by row'}, {keys: ['Enter'], text: 'what the context ran'}],
  };
})();
