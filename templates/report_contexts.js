'use strict';
// Contexts, which mostly are tests: a table of all of them (#contexts), and the lines that one of them ran (#contexts/name), file by file.
const contextsView = (function () {
  const element = page.element;
  const place = document.getElementById('view');
  let list = null;  // tests with executed lines

  const form = element('form', 'filter');
  form.setAttribute('role', 'search');
  const filter = Object.assign(element('input'), {type: 'search', id: 'context-filter', placeholder: 'Filter', autocomplete: 'off', spellcheck: false});
  filter.setAttribute('aria-label', 'Filter by name');
  const count = element('span', 'count');
  count.setAttribute('role', 'status');
  form.append(filter, count);
  const table = element('table', 'grid contexts');
  table.id = 'contexts-table';
  table.setAttribute('role', 'grid');
  const caption = element('caption', 'unseen', 'How much each of them ran');
  const head = table.createTHead().insertRow();
  table.createTBody();
  table.prepend(caption);
  const box = element('div', 'grid-box');
  box.append(table);
  // Share of all statements that a context ran.
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
  const hrefOf = test => '#contexts/' + encodeURIComponent(test.name);
  const grid = makeGrid(table, {
    fill(tr, test) {
      const name = element('td', 'name');
      const line = element('div', 'entry');
      const link = element('a', 'test');
      link.append(tests.label(test));
      link.tabIndex = -1;
      link.href = hrefOf(test);
      name.title = tests.title(test);
      line.append(link, ...tests.devices(test));
      name.append(line);
      tr.append(name, element('td', 'num', columns.format(test.files)), element('td', 'num', columns.format(test.statements)), share(test));
    },
    act(context, key) {
      if (key === 'Enter') page.navigate(hrefOf(context));
      return key === 'Enter';
    },
  });
  let sort = {by: 'name', downward: false};
  const buttons = [['name', 'Name', ''], ['files', 'Files', 'num'], ['statements', 'Statements', 'num']].map(([by, title, className]) => {
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
    const found = list.filter(test => words.every(word => tests.title(test).toLowerCase().includes(word)));
    const order = sort.by === 'name' ? names.by(test => test.name) : (a, b) => a[sort.by] - b[sort.by];
    found.sort((a, b) => sort.downward ? order(b, a) : order(a, b));
    for (const {by, th} of buttons) {
      if (by === sort.by) th.setAttribute('aria-sort', sort.downward ? 'descending' : 'ascending'); else th.removeAttribute('aria-sort');
    }
    count.textContent = (found.length === list.length ? '' : columns.format(found.length) + ' of ') + columns.format(list.length) + ' ' + tests.noun + (list.length === 1 ? '' : 's');
    grid.show(found);
  }
  filter.addEventListener('input', update);
  form.addEventListener('submit', event => {
    event.preventDefault();
    if (grid.rows()[0]) page.navigate(hrefOf(grid.rows()[0]));
  });

  // Lines of a file that a test ran; they come when the file's part has been unpacked.
  async function linesOf(file, test) {
    const part = await store.readContexts(file);
    const ran = new Set();
    for (const [id, ranges] of part?.runs ?? []) {
      if (!test.contexts.includes(id)) continue;
      for (let i = 0; i < ranges.length; i += 2) ran.add(ranges[i] + ' ' + ranges[i + 1]);
    }
    const ranges = Array.from(ran, range => range.split(' ').map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const joined = [];
    for (const [first, last] of ranges) {
      if (joined.length > 0 && first <= joined.at(-1)[1]) joined.at(-1)[1] = Math.max(joined.at(-1)[1], last);
      else joined.push([first, last]);
    }
    const lines = element('span', 'lines');
    joined.forEach(([first, last], i) => {
      const link = element('a', '', first === last ? String(first) : first + '–' + last);
      link.href = page.hashOf(file.path, first, last) + chosen(test);
      lines.append(i === 0 ? '' : ', ', link);
    });
    return lines;
  }
  // Query for links to code with the test chosen.
  const chosen = test => '?test=' + encodeURIComponent(test.name);
  let shown = 0;
  async function showOne(test) {
    const mine = ++shown;
    const crumbs = element('nav', 'crumbs');
    crumbs.setAttribute('aria-label', 'Where this is');
    const up = element('a', '', 'All ' + tests.noun + 's');
    up.href = '#contexts';
    const here = element('span', '', tests.title(test));
    here.setAttribute('aria-current', 'page');
    crumbs.append(up, element('span', 'quiet', '/'), here, ' ', ...tests.devices(test));
    const runs = element('div', 'runs');
    place.replaceChildren(crumbs, runs);
    const all = [];
    for (let i = 0; i < test.list.length; i += 2) all.push({file: store.files[test.list[i]], statements: test.list[i + 1]});
    all.sort(names.by(one => one.file.path));
    for (const {file, statements} of all) {
      if (mine !== shown) return;
      const section = element('section');
      const title = element('h2');
      const link = element('a');
      link.append(page.pathText(file.path));
      link.href = page.hashOf(file.path) + chosen(test);
      title.append(link, element('span', 'quiet', ' ' + columns.format(statements) + (statements === 1 ? ' statement' : ' statements')));
      const lines = element('p');
      section.append(title, lines);
      runs.append(section);
      lines.append(await linesOf(file, test));
    }
  }

  return {
    /// Opens a context; `name` undefined: the table of all.
    async open(name) {
      ++shown;
      list ??= (await tests.load()).list.filter(test => test.files > 0);
      const one = name === undefined ? undefined : list.find(test => test.name === name);
      if (one) {
        showOne(one);
        return;
      }
      place.replaceChildren(form, box);
      update();
    },
    key: event => table.isConnected && grid.key(event),
    focusFilter() { filter.focus(); },
    keys: () => [{keys: ['↓', '↑'], text: 'row by row'}, {keys: ['Enter'], text: 'what it ran'}],
  };
})();
