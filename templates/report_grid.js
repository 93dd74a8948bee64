'use strict';
// Virtual table of any length: only the rows near the window are in the document. Rows have one height; arrow keys go from row to row. A new table has just the
// rows in the window until the browser has painted them and has time for those around it.
function makeGrid(table, {fill, act}) {
  const element = page.element;
  const body = table.tBodies[0];
  const above = element('tr', 'space');
  const below = element('tr', 'space');
  for (const space of [above, below]) {
    space.setAttribute('aria-hidden', 'true');
    space.append(element('td'));
  }
  let rows = [];
  let active = 0;      // index of the row in the tab order
  let height = 30;     // of a row, in pixels; known when the first rows have been painted
  const kAround = 15;  // rows above and below the window
  const kAbove = 200;  // smallest height of the header and the totals above a new table, in pixels
  let shown = new Map();  // row index -> tr
  let all = false;     // true while printing
  let isNew = true;    // not shown before

  function range(around) {
    if (all) return [0, rows.length];
    const top = isNew ? kAbove : body.getBoundingClientRect().top;  // getBoundingClientRect makes the browser lay out the page
    const first = Math.floor(-top / height) - around;
    const last = Math.ceil((innerHeight - top) / height) + around;
    return [Math.min(Math.max(0, first), rows.length), Math.max(0, Math.min(rows.length, last))];
  }
  function make(i) {
    const tr = element('tr');
    tr.setAttribute('aria-rowindex', String(i + 2));
    tr.dataset.row = String(i);
    tr.tabIndex = i === active ? 0 : -1;
    fill(tr, rows[i], i);
    return tr;
  }
  function render(force, around = kAround) {
    const [first, last] = range(around);
    if (!force && shown.size === last - first && shown.has(first) && shown.has(last - 1)) return;
    const focused = body.contains(document.activeElement) ? document.activeElement : null;
    const next = new Map();
    for (let i = first; i < last; ++i) next.set(i, !force && shown.get(i) || make(i));
    above.firstChild.style.height = first * height + 'px';
    below.firstChild.style.height = (rows.length - last) * height + 'px';
    const wanted = [above, ...next.values(), below];
    if (force || !shown.size) {
      body.replaceChildren(...wanted);
    } else {
      for (const [i, tr] of shown) if (!next.has(i)) tr.remove();
      let place = above;
      for (const tr of next.values()) {
        if (place.nextSibling !== tr) place.after(tr);
        place = tr;
      }
    }
    shown = next;
    if (focused && !focused.isConnected) shown.get(active)?.focus({preventScroll: true});
  }
  function measure() {
    const tr = shown.values().next().value;
    const found = tr ? tr.getBoundingClientRect().height : 0;
    if (found === 0 || found === height) return;
    height = found;
    render(true);
  }
  function focus(i) {
    if (rows.length === 0) return;
    shown.get(active)?.setAttribute('tabindex', '-1');
    active = Math.max(0, Math.min(rows.length - 1, i));
    const top = body.getBoundingClientRect().top + active * height;
    const head = table.tHead.getBoundingClientRect().bottom;
    const foot = table.tFoot ? table.tFoot.getBoundingClientRect().height : 0;
    if (top < head) window.scrollBy({top: top - head, behavior: 'instant'});
    if (top + height > innerHeight - foot) window.scrollBy({top: top + height - innerHeight + foot, behavior: 'instant'});
    render(false);
    const tr = shown.get(active);
    tr.tabIndex = 0;
    tr.focus({preventScroll: true});
  }
  function key(event) {
    const inside = body.contains(event.target);
    const page_ = Math.max(1, Math.floor(innerHeight / height) - 4);
    const from = inside ? active : -1;
    const steps = {ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + page_, PageUp: from - page_, Home: 0, End: rows.length - 1};
    if (Object.hasOwn(steps, event.key) && (inside || event.key === 'ArrowDown')) {
      focus(steps[event.key]);
      return true;
    }
    if (!inside) return false;
    if (event.key === 'Enter' && event.target.matches('a, button')) return false;
    return act(rows[active], event.key, active);
  }
  let waiting = false;
  function soon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (table.isConnected && table.offsetParent) render(false);
    });
  }
  // Idle callback: runs while the browser has no other work, such as reading the rest of the page.
  const later = window.requestIdleCallback ? act => requestIdleCallback(act, {timeout: 500}) : act => setTimeout(act, 100);
  window.addEventListener('scroll', soon, {passive: true});
  window.addEventListener('resize', soon);
  window.addEventListener('beforeprint', () => {
    if (!table.offsetParent) return;
    all = rows.length <= 5000;
    render(true);
  });
  window.addEventListener('afterprint', () => {
    all = false;
    if (table.offsetParent) render(true);
  });
  body.addEventListener('focusin', event => {
    const tr = event.target.closest('tr');
    if (!tr?.dataset.row) return;
    shown.get(active)?.setAttribute('tabindex', '-1');
    active = Number(tr.dataset.row);
    tr.tabIndex = 0;
  });

  return {
    key, focus,
    /// Shows other rows; `on` is the index of the row that gets the focus when a key leads into the table.
    show(list, on = 0) {
      rows = list;
      active = Math.max(0, Math.min(rows.length - 1, on));
      table.setAttribute('aria-rowcount', String(rows.length + 1));
      render(true, 0);
      isNew = false;
      later(() => {
        if (!table.offsetParent) return;
        measure();
        render(false);
      });
    },
    rows: () => rows,
  };
}
