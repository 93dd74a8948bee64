'use strict';
// Treemap of a tree of folders: the size of a rectangle is the number of statements, its colour is the coverage. Folders with room for it have their name above
// their content; small ones are one rectangle, so that ten thousand files take no more time than the pixels of the map.
const treemap = (function () {
  const kHead = 15;      // height of a folder's name, in pixels
  const kSmall = 300;    // area of a folder that is drawn as one rectangle, in square pixels
  const kTiny = 9;       // area of a file that is not drawn: its folder's colour stands for it
  const svg = (name, attributes) => {
    const result = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) result.setAttribute(key, value);
    return result;
  };
  const sizeOf = item => item.n.statements;

  // Squarified layout (Bruls, Huizing, van Wijk 2000): rows of items along the shorter side, each as square as can be. Calls place(item, box).
  function squarify(items, box, place) {
    let {x, y, width, height} = box;
    let rest = items.reduce((sum, item) => sum + sizeOf(item), 0);
    let at = 0;
    while (at < items.length && width > 0 && height > 0) {
      const side = Math.min(width, height);
      const scale = width * height / rest;  // square pixels of a statement
      let sum = 0, worst = Infinity, end = at;
      while (end < items.length) {
        const next = sum + sizeOf(items[end]);
        const across = next * scale / side;
        const ratio = one => Math.max(across * across / (one * scale), one * scale / (across * across));
        const worse = Math.max(ratio(sizeOf(items[at])), ratio(sizeOf(items[end])));
        if (worse > worst) break;
        worst = worse;
        sum = next;
        ++end;
      }
      const across = sum * scale / side;
      for (let along = 0; at < end; ++at) {
        const length = sizeOf(items[at]) * scale / across;
        place(items[at], width >= height ? {x, y: y + along, width: across, height: length} : {x: x + along, y, width: length, height: across});
        along += length;
      }
      if (width >= height) [x, width] = [x + across, width - across]; else [y, height] = [y + across, height - across];
      rest -= sum;
    }
  }

  /// Draws the content of `folder` (tree.rows) into an SVG of this size. Each rectangle has its file or folder in `items`, by data-item.
  function draw(map, folder, width, height) {
    const items = [];
    const shapes = [];
    const rect = (item, {x, y, width, height}) => {
      const gap = Math.min(1, Math.min(width, height) / 10);
      shapes.push(svg('rect', {x: x.toFixed(1), y: y.toFixed(1), width: (width - gap).toFixed(1), height: (height - gap).toFixed(1),
                               class: store.quality(store.done(item.n), store.total(item.n)), 'data-item': items.length}));
      items.push(item);
    };
    function fill(folder, box) {
      const list = [...folder.folders, ...folder.files].filter(item => sizeOf(item) > 0).sort((a, b) => sizeOf(b) - sizeOf(a));
      squarify(list, box, (item, place) => {
        const area = place.width * place.height;
        if (!item.folders) {
          if (area >= kTiny) rect(item, place);
          return;
        }
        rect(item, place);
        if (area < kSmall || Math.min(place.width, place.height) < 8) return;
        const named = place.width > 50 && place.height > 3 * kHead;
        if (named) {
          shapes.at(-1).classList.add('open');
          shapes.push(nameOf(item, place));
        }
        const [edge, head] = named ? [2, kHead] : [0, 0];
        fill(item, {x: place.x + edge, y: place.y + head, width: place.width - 2 * edge - 1, height: place.height - head - edge - 1});
      });
    }
    function nameOf(item, {x, y, width}) {
      const text = svg('text', {x: (x + 4).toFixed(1), y: (y + kHead - 4).toFixed(1), 'aria-hidden': 'true'});
      const most = Math.floor((width - 8) / 6);  // characters
      const name = item.name.replace(/\/$/, '');
      text.textContent = name.length > most ? name.slice(0, Math.max(1, most - 1)) + '…' : name;
      return text;
    }
    fill(folder, {x: 0, y: 0, width, height});
    map.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    map.replaceChildren(...shapes);
    return items;
  }
  return {draw, svg};
})();
