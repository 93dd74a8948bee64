'use strict';
// Outline of a file: the list of its functions and classes, the current one, and the marks beside the scroll bar.
const SourceOutline = (function () {
  const {element} = SourcePops;
  const svg = (tag, attributes) => {
    const result = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) result.setAttribute(name, value);
    return result;
  };

  // Regions of a file: [kind, name, line, ranges] of the data, with the last line and the regions around each. Outer ones come before inner ones.
  function regionsOf(source) {
    const regions = (source.regions ?? []).map(([kind, name, line, ranges]) => ({kind, name, line, ranges, last: Math.max(line, ranges.at(-1) ?? line)}));
    regions.sort((a, b) => a.line - b.line || b.last - a.last);
    const around = [];
    for (const region of regions) {
      while (around.length > 0 && !(region.name.startsWith(around.at(-1).name + '.') && region.line >= around.at(-1).line)) around.pop();
      region.parent = around.at(-1) ?? null;
      region.depth = around.length;
      for (const one of around) one.last = Math.max(one.last, region.last);
      around.push(region);
    }
    return regions;
  }

  return function SourceOutline(view) {
    const {model, file} = view;
    const regions = regionsOf(file.source);
    const kernels = new Map((file.source.functions ?? []).map(([line, kind, state]) => [line, {kind, state}]));
    const panel = element('nav', 'outline');
    panel.setAttribute('aria-label', 'Functions and classes');
    panel.id = 'outline';
    panel.hidden = true;
    const list = element('ul');
    panel.append(list);
    const button = element('button', 'toggle outline-toggle', 'Functions');
    button.type = 'button';
    button.title = 'Functions and classes (f)';
    button.setAttribute('aria-controls', 'outline');
    button.setAttribute('aria-expanded', 'false');
    const crumbs = element('nav', 'within');
    crumbs.setAttribute('aria-label', 'Where the first line is');
    const map = svg('svg', {class: 'map', preserveAspectRatio: 'none', 'aria-hidden': 'true'});
    const marks = svg('g', {});
    const frame = svg('rect', {class: 'frame', x: 0, width: 10});
    map.append(marks, frame);
    let current = null;

    const percent = n => n.statements + n.branches === 0 ? '' : SourceModel.percent(n) + '%';
    function fillList() {
      list.replaceChildren(...regions.map(region => {
        const n = model.numbers(region.ranges);
        const link = element('a', '', element('span', 'kind', region.kind === 'c' ? 'class ' : ''), region.name.slice(region.parent ? region.parent.name.length + 1 : 0));
        link.href = page.hashOf(file.path, region.line);
        const item = element('li', '', link, element('span', 'chip ' + SourceModel.quality(n), percent(n) || '–'));
        const kernel = kernels.get(region.line);
        if (kernel) {
          if (kernel.state > 0) item.lastChild.replaceWith(page.stateChip(store.kernelState(kernel.state, kernel.kind)));
          link.prepend(element('span', 'kind', kernel.kind > 0 ? 'kernel ' : 'func '));
        }
        item.title = region.name + ': ' + (n.run + ' of ' + n.statements + (n.statements === 1 ? ' statement ran' : ' statements ran')) + (n.branches ? ', ' + (n.branches - n.missingBranches) + ' of ' + n.branches + ' branches taken' : '');
        item.style.setProperty('--depth', region.depth);
        region.item = item;
        return item;
      }));
    }
    function toggle() {
      if (regions.length === 0) return;
      panel.hidden = !panel.hidden;
      button.setAttribute('aria-expanded', String(!panel.hidden));
      if (panel.hidden) return;
      fillList();
      showCurrent(true);
      (current?.item ?? list).querySelector('a').focus({preventScroll: true});
    }
    button.addEventListener('click', toggle);
    panel.addEventListener('click', event => {  // closes the panel where it covers the lines
      if (event.target.closest('a') && getComputedStyle(panel).position === 'fixed') toggle();
    });

    // Innermost region of a line.
    function at(line) {
      let found = null;
      for (const region of regions) {
        if (region.line > line) break;
        if (line <= region.last) found = region;
      }
      return found;
    }
    function showCurrent(again) {
      const top = view.topLine();
      const region = view.code.getBoundingClientRect().top < view.head.getBoundingClientRect().bottom - 2 ? at(top) : null;
      if (region === current && !again) return;
      current?.item?.classList.remove('current');
      current = region;
      const links = [];
      for (let one = region; one; one = one.parent) {
        const link = element('a', '', (one.kind === 'c' ? 'class ' : file.source.language === 'python' ? 'def ' : '') + one.name.slice(one.parent ? one.parent.name.length + 1 : 0));
        link.href = page.hashOf(file.path, one.line);
        links.unshift(link);
      }
      crumbs.replaceChildren(...links);
      if (region) crumbs.append(element('span', '', percent(model.numbers(region.ranges))));
      if (region?.item && !panel.hidden) {
        region.item.classList.add('current');
        region.item.scrollIntoView({block: 'nearest'});
      }
    }

    // Marks of the map: one for each run of lines with the same highlight; if there are more lines than pixels, the worst one of a pixel.
    const worse = ['exc', 'cov', 'par', 'mis unc', 'mis unm', 'mis'];
    function fillMap() {
      const rows = Math.min(model.n, 600);
      const worst = new Array(rows).fill('');
      for (let line = 1; line <= model.n; ++line) {
        if (!view.highlight(line)) continue;
        const row = Math.floor((line - 1) * rows / model.n);
        const mark = SourceRows.kinds[model.state(line)][0];
        if (worse.indexOf(mark) > worse.indexOf(worst[row])) worst[row] = mark;
      }
      marks.replaceChildren();
      for (let row = 0; row < rows; ++row) {
        if (!worst[row]) continue;
        let end = row + 1;
        while (end < rows && worst[end] === worst[row]) ++end;
        marks.append(svg('rect', {class: worst[row], x: 2, width: 8, y: row, height: end - row}));
        row = end - 1;
      }
      map.setAttribute('viewBox', '0 0 10 ' + Math.max(rows, 40));
    }
    function moveFrame() {
      const code = view.code.getBoundingClientRect();
      const head = view.head.getBoundingClientRect();
      const height = Number(map.getAttribute('viewBox').split(' ')[3]) * (model.n < 40 ? model.n / 40 : 1);
      const tall = Math.max(1, code.height);  // a file may have no lines
      const seenFrom = Math.max(0, head.bottom - code.top) / tall;
      const seenTo = Math.min(1, (innerHeight - code.top) / tall);
      frame.setAttribute('y', seenFrom * height);
      frame.setAttribute('height', Math.max(0, (seenTo - seenFrom) * height));
      map.classList.toggle('needless', code.height < innerHeight - head.bottom);
      view.head.parentElement.style.setProperty('--head', head.height + 'px');
    }
    function pointed(event) {
      const box = map.getBoundingClientRect();
      const line = Math.round((event.clientY - box.top) / box.height * Math.max(model.n, 40));
      const row = view.element(Math.max(1, Math.min(model.n, line)));
      row?.scrollIntoView({block: 'center', behavior: 'instant'});
    }
    map.addEventListener('pointerdown', event => {
      map.setPointerCapture(event.pointerId);
      pointed(event);
      event.preventDefault();
    });
    map.addEventListener('pointermove', event => { if (event.buttons === 1) pointed(event); });

    fillMap();
    return {
      panel, button, crumbs, map, toggle,
      /// Call it after the page was scrolled.
      moved() {
        showCurrent(false);
        moveFrame();
      },
      /// Call it after the shown lines have changed.
      update() {
        fillMap();
        if (!panel.hidden) fillList();
        showCurrent(true);
        moveFrame();
      },
    };
  };
})();
