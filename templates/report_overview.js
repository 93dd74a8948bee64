'use strict';
// Overview of a large tree, beside its table: a treemap, and the ten files that lack most. It is filled when the browser has time.
const overview = (function () {
  const element = page.element;
  const box = indexView.overview;
  const kMost = 10;

  const map = treemap.svg('svg', {class: 'map-of-files', role: 'img'});
  const told = element('p', 'map-note');
  const worst = element('section', 'worst');
  box.append(map, told, worst);

  const hint = 'Size: statements. Colour: coverage.';
  let items = [];
  function tell(target) {
    const item = target?.dataset?.item === undefined ? null : items[Number(target.dataset.item)];
    told.textContent = item ? item.path.slice(store.prefix.length) + ': ' + (store.total(item.n) === 0 ? '–' : store.percent(store.done(item.n), store.total(item.n)) + '%') +
        ' of ' + columns.format(item.n.statements) + (item.n.statements === 1 ? ' statement' : ' statements') : hint;
  }
  map.addEventListener('pointermove', event => tell(event.target));
  map.addEventListener('pointerleave', () => tell(null));
  map.addEventListener('click', event => {
    const item = event.target.dataset.item === undefined ? null : items[Number(event.target.dataset.item)];
    if (item) page.navigate(page.hashOf(item.path));
  });

  function drawMap({files, root}) {
    const {width, height} = map.getBoundingClientRect();
    if (width === 0) return;
    items = treemap.draw(map, root, Math.round(width), Math.round(height));
    map.setAttribute('aria-label', 'Treemap of ' + columns.format(files.length) + ' files: sizes are statements, colours are coverage. The table has their numbers.');
    tell(null);
  }
  const lacks = file => store.total(file.n) - store.done(file.n);
  function listWorst({files}) {
    const list = element('ol');
    const byLack = files.filter(file => lacks(file) > 0).sort((a, b) => lacks(b) - lacks(a)).slice(0, kMost);
    for (const file of byLack) {
      const item = element('li');
      const link = element('a', 'path');
      const text = element('bdi');
      text.dir = 'ltr';
      text.append(page.pathText(file.path.slice(store.prefix.length)));
      link.append(text);
      link.href = page.hashOf(file.path);
      link.title = file.path;
      const all = store.total(file.n);
      item.append(link, element('span', 'lack', columns.format(lacks(file))),
                  element('span', 'chip ' + store.quality(store.done(file.n), all), store.percent(store.done(file.n), all) + '%'));
      list.append(item);
    }
    const title = element('h2', '', byLack.length === kMost ? 'Worst ten' : 'Worst files');
    title.append(' ', element('span', 'quiet', store.settings.arcs ? 'by missing statements and branches' : 'by missing statements'));
    worst.replaceChildren(title, list);
    worst.hidden = byLack.length === 0;
  }

  let shown = null;
  const later = window.requestIdleCallback ? act => requestIdleCallback(act, {timeout: 500}) : act => setTimeout(act, 100);
  function fill() {
    shown = indexView.shown();
    if (!shown.large) return;
    listWorst(shown);
    drawMap(shown);
  }
  let timer = 0;
  function update() {  // while the reader types, once for several letters
    clearTimeout(timer);
    timer = setTimeout(() => later(fill), shown ? 200 : 0);
  }
  indexView.onShown = update;
  new ResizeObserver(() => { if (shown?.large) drawMap(shown); }).observe(map);
  update();
})();
