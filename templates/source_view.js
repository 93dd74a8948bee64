'use strict';
// File view: the source of one file with its coverage. SourceView.open(container, file, place) shows it, .key(event) handles its keys.
//
// Lines are in pieces of a fixed height, so that a long file opens at once, and every line has its place before it is drawn. A piece is plain text until the
// reader comes near it (or the browser has time): so the browser's search and printing find all of the text.
const SourceView = (function () {
  const {element} = SourcePops;
  const {kinds} = SourceRows;
  const kPiece = 100;    // lines
  const kWhole = 20000;  // files with more lines are drawn only near the reader
  const legend = document.getElementById('legend');  // below the head of the file
  let view = null;
  let shown = /^[rmxp]*$/.test(page.stored('lines') ?? '!') ? page.stored('lines') : 'mxp';  // highlighted kinds of lines

  class View {
    constructor(container, file) {
      this.container = container;
      this.file = file;
      this.model = new SourceModel(file.source);
      this.showTests = false;
      this.showCounts = page.stored('counts') === '1';
      this.places = new SourcePlaces(this);
      this.tools = new SourceHead(this);
      this.row = SourceRows.make(this);
      this.build();
    }

    build() {
      const {model, file} = this;
      const section = element('section', 'file whole view');
      section.setAttribute('aria-label', file.path);
      this.head = this.tools.element;
      this.code = element('div', 'view-code');
      const digits = String(model.n).length;
      let widest = 0;
      for (const line of model.lines) if (line.length > widest / 2) widest = Math.max(widest, SourceRows.columns(SourceRows.start(line)));
      this.code.style.setProperty('--columns', widest + 4);
      this.code.style.setProperty('--digits', digits);
      if (model.devices.length > 1) section.style.setProperty('--marks', model.devices.map(({mark}) => mark).join(' ').length + 2 + 'ch');
      this.pieces = [];
      for (let from = 1; from <= model.n; from += kPiece) {
        const to = Math.min(from + kPiece - 1, model.n);
        const piece = {from, to, drawn: false, element: element('div', 'piece')};
        piece.element.style.setProperty('--lines', to - from + 1);
        piece.element.textContent = model.lines.slice(from - 1, to).map(SourceRows.start).join('\n');
        this.pieces.push(piece);
      }
      this.code.append(...this.pieces.map(piece => piece.element));
      const scroll = element('div', 'scroll');
      scroll.append(this.code);
      this.status = element('div', 'unseen');
      this.status.setAttribute('role', 'status');
      this.outline = SourceOutline(this);
      const body = element('div', 'view-body', scroll, this.outline.map, this.outline.panel);
      legend.classList.toggle('without-kernels', !model.marksKernels);
      section.append(this.head, legend, this.status, body);
      this.tools.draw();
      this.applyShown();
      this.container.replaceChildren(section);
      this.code.addEventListener('click', event => this.places.clicked(event));
      const near = new IntersectionObserver(entries => {
        for (const entry of entries) if (entry.isIntersecting) this.draw(this.pieces[entry.target.dataset.piece]);
      }, {rootMargin: '1200px 0px'});
      this.pieces.forEach((piece, i) => {
        piece.element.dataset.piece = i;
        near.observe(piece.element);
      });
      this.near = near;
      this.stop = new AbortController();
      const listen = (target, name, use, options) => target.addEventListener(name, use, {signal: this.stop.signal, ...options});
      let waiting = false;
      const moved = () => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => {
          waiting = false;
          if (view === this) this.outline.moved();
        });
      };
      listen(document, 'scroll', moved, {capture: true, passive: true});
      listen(window, 'resize', moved);
      listen(window, 'beforeprint', () => this.pieces.forEach(piece => this.draw(piece)));
      if (model.n <= kWhole) this.drawWhenIdle(0);
    }
    drawWhenIdle(i) {
      const later = window.requestIdleCallback ?? (use => setTimeout(() => use({timeRemaining: () => 8}), 30));
      later(deadline => {
        while (i < this.pieces.length && deadline.timeRemaining() > 2) this.draw(this.pieces[i++]);
        if (i < this.pieces.length && view === this) this.drawWhenIdle(i);
      });
    }
    close() {
      this.near.disconnect();
      this.stop.abort();
      SourcePops.hide();
    }

    draw(piece) {
      if (piece.drawn) return;
      piece.drawn = true;
      const rows = [];
      for (let line = piece.from; line <= piece.to; ++line) rows.push(this.row(line));
      piece.element.replaceChildren(...rows);
      piece.element.classList.add('drawn');
    }
    /// Draws everything again, after the choice has changed: the lines on the screen at once, the others when they are near.
    redraw() {
      for (const piece of this.pieces) {
        if (!piece.drawn) continue;
        piece.drawn = false;
        const box = piece.element.getBoundingClientRect();
        if (box.bottom > -1200 && box.top < innerHeight + 1200) {
          this.draw(piece);
        } else {
          this.near.unobserve(piece.element);
          this.near.observe(piece.element);
        }
      }
      if (this.model.n <= kWhole) this.drawWhenIdle(0);
      this.tools.draw();
      this.outline.update();
    }

    async loadContexts() {
      if (this.model.runs) return;
      const part = await this.file.contexts();
      this.model.setContexts(part ?? {runs: []});
    }
    async toggleTests() {
      if (!this.file.source.contexts) return;
      await this.loadContexts();
      if (view !== this) return;
      this.showTests = !this.showTests;
      this.redraw();
      this.head.querySelector('button.tests').focus({preventScroll: true});
    }
    toggleCounts() {
      this.showCounts = !this.showCounts;
      page.stored('counts', this.showCounts ? '1' : '0');
      this.applyShown();
      this.tools.draw();
      this.head.querySelector('button.counts').focus({preventScroll: true});
    }
    async choose(mask, contexts) {
      if (contexts) await this.loadContexts();
      this.model.choose(mask, contexts);
      this.redraw();
      const n = this.model.numbers();
      this.say(n.run + ' of ' + n.statements + (n.statements === 1 ? ' statement ran' : ' statements ran'));
    }

    /// Shows the executions of the first origin alone, then of the second, and after the last of all.
    nextOrigin() {
      const {origins, mask} = this.model;
      const at = mask === null ? 0 : Math.log2(mask) + 1;
      this.choose(at < origins.length && Number.isInteger(at) ? 1 << at : null, null);
    }

    toggle(key) {
      shown = shown.includes(key) ? shown.replace(key, '') : shown + key;
      page.stored('lines', shown);
      this.applyShown();
      this.outline.update();
    }
    applyShown() {
      for (const key of 'rmxp') this.code.classList.toggle('show-' + key, shown.includes(key));
      this.code.classList.toggle('show-counts', this.showCounts && this.model.hits.size > 0);
      this.tools.markToggles();
    }
    /// Highlighted kind of a line: r m x p, or nothing.
    highlight(line) {
      const key = kinds[this.model.state(line)][3];
      return key && shown.includes(key) ? key : '';
    }
    shows(key) { return shown.includes(key); }

    say(text) { this.status.textContent = text; }
    rowHeight() { return this.code.getBoundingClientRect().height / Math.max(1, this.model.n); }
    /// First line that can be seen below the head. Lines are of one height, except on narrow screens.
    topLine() {
      const below = this.head.getBoundingClientRect().bottom;
      const first = (list, isBelow) => {
        let [from, to] = [0, list.length - 1];
        while (from < to) {
          const middle = from + to >> 1;
          if (isBelow(list[middle])) to = middle; else from = middle + 1;
        }
        return from;
      };
      const ends = element => element.getBoundingClientRect().bottom > below;
      const piece = this.pieces[first(this.pieces, one => ends(one.element))];
      if (!piece) return 1;
      const box = piece.element.getBoundingClientRect();
      const half = (box.height / (piece.to - piece.from + 1)) / 2;
      const row = piece.drawn ? first(piece.element.children, one => one.getBoundingClientRect().bottom > below + half)
                              : Math.floor((below - box.top) / (2 * half) + .5);
      return Math.max(1, Math.min(this.model.n, piece.from + Math.max(0, row)));
    }
    isOnScreen(line) {
      const row = this.element(line);
      if (!row) return false;
      const {top, bottom} = row.getBoundingClientRect();
      return top >= this.head.getBoundingClientRect().bottom - 1 && bottom <= innerHeight;
    }
    element(line) {
      const piece = this.pieces[Math.floor((line - 1) / kPiece)];
      if (!piece) return null;
      this.draw(piece);
      return piece.element.children[line - piece.from];
    }
    mark(className, range) {
      for (const row of this.code.querySelectorAll('.line.' + className)) row.classList.remove(className);
      if (!range) return;
      for (const piece of this.pieces) {
        if (!piece.drawn || piece.to < range.line || piece.from > range.end) continue;
        for (let line = Math.max(piece.from, range.line); line <= Math.min(piece.to, range.end); ++line) piece.element.children[line - piece.from].classList.add(className);
      }
    }
  }

  // Keys. One without `when` is always active.
  const keys = [
    {key: 'r', text: 'highlight lines that ran', run: () => view.toggle('r')},
    {key: 'm', text: 'highlight missing lines', run: () => view.toggle('m')},
    {key: 'x', text: 'highlight excluded lines', run: () => view.toggle('x')},
    {key: 'p', text: 'highlight partial branches', run: () => view.toggle('p')},
    {key: 'j', text: 'next highlighted lines', run: () => view.places.nextPiece()},
    {key: 'k', text: 'previous highlighted lines', run: () => view.places.previousPiece()},
    {key: '1', text: 'first highlighted lines', run: () => view.places.firstPiece()},
    {key: '0', text: 'top', run: () => view.places.top()},
    {key: 'Enter', text: 'address of the line with the focus', run: () => view.places.name()},
    {key: 'f', text: 'functions and classes', when: source => source.regions, run: () => view.outline.toggle()},
    {key: 'w', text: 'which tests or contexts ran each line', when: source => source.contexts, run: () => view.toggleTests()},
    {key: 'h', text: 'how often each line ran', when: source => source.hits, run: () => view.toggleCounts()},
    {key: 'd', text: 'what ran on the next device alone, and on all', when: source => source.origins?.length > 1, run: () => view.nextOrigin()},
    {key: 'c', text: 'next missed condition', when: source => source.conditions, run: () => view.places.condition(1)},
    {key: 'C', text: 'previous missed condition', when: source => source.conditions, run: () => view.places.condition(-1)},
    {key: 'g', text: 'next line never differentiated', when: source => source.gradients, run: () => view.places.gradient(1)},
    {key: 'G', text: 'previous line never differentiated', when: source => source.gradients, run: () => view.places.gradient(-1)},
  ];

  const works = key => !key.when || Boolean(view?.file.source && key.when(view.file.source));

  return {
    /// Active keys, for the list of keys: [{keys: ['j'], text: 'next highlighted lines'}, ...].
    get keys() { return keys.filter(works).map(({key, text}) => ({keys: [key], text})); },
    /// Shows `file` ({path, source, contexts: async () => part or null}) in an element, and there the lines of `place` ({line, end} or null).
    open(container, file, place) {
      const same = view && view.container === container && view.file.source === file.source;
      if (!same) {
        SourceView.close();
        view = new View(container, file);
      }
      SourcePops.hide();  // it may be open if one of its links led here
      if (!same && !place) window.scrollTo({top: 0, behavior: 'instant'});
      view.places.show(place);
      view.outline.moved();
    },
    close() {
      if (!view) return;
      view.close();
      view.container.replaceChildren();
      view = null;
    },
    /// Shows the executions of a test, as if it had been chosen there.
    chooseTest(test) { view?.choose(null, new Set(test.contexts)); },
    /// Handles a key. True when it is one of the view's.
    key(event) {
      if (!view || event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.target.closest('input:not([type=checkbox]), textarea, select')) return false;
      if (event.key === 'Enter' && !(view.places.here && event.target.matches('.line'))) return false;
      const found = keys.find(one => one.key === event.key && works(one));
      if (found) found.run();
      return found !== undefined;
    },
  };
})();
