'use strict';
// The source of one file with what ran of it. SourceView.open(container, file, place) shows it, .key(event) takes its keys.
//
// Lines stand in pieces of a fixed height, so that a long file opens at once, and every line has its place before it is drawn. A piece is plain text until the
// reader comes near it (or the browser has time): what the browser searches for and prints is all there.
const SourceView = (function () {
  const {element, button} = SourcePops;
  const {kinds} = SourceRows;
  const kPiece = 100;    // lines
  const kWhole = 20000;  // files of more lines are drawn only where the reader is
  const toggles = {
    r: ['cov', '✓', 'run', 'lines that ran'], m: ['mis', '✗', 'missing', 'missing lines'], x: ['exc', '⊘', 'excluded', 'excluded lines'],
    p: ['par', '◐', 'partial', 'partial branches'],
  };

  let view = null;
  let shown = /^[rmxp]*$/.test(page.stored('lines') ?? '!') ? page.stored('lines') : 'mxp';  // what is highlighted

  class View {
    constructor(container, file) {
      this.container = container;
      this.file = file;
      this.model = new SourceModel(file.source);
      this.place = null;      // the lines that the address names
      this.here = null;       // the lines that a key went to
      this.showTests = false;
      this.row = SourceRows.make(this);
      this.build();
    }

    build() {
      const {model, file} = this;
      const section = element('section', 'file whole view');
      section.setAttribute('aria-label', file.path);
      this.head = element('div', 'view-head');
      this.code = element('div', 'view-code');
      const digits = String(model.n).length;
      let widest = 0;
      for (const line of model.lines) if (line.length > widest / 2) widest = Math.max(widest, SourceRows.columns(SourceRows.start(line)));
      this.code.style.setProperty('--columns', widest + 4);
      this.code.style.setProperty('--digits', digits);
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
      section.append(this.head, this.status, body);
      this.drawHead();
      this.applyShown();
      this.container.replaceChildren(section);
      this.code.addEventListener('click', event => this.clicked(event));
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
    /// Everything again, after what is chosen has changed: the lines on the screen at once, the others when they are near.
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
      this.drawHead();
      this.outline.update();
    }

    drawHead() {
      const {model, file} = this;
      const slash = file.path.lastIndexOf('/') + 1;
      const title = element('h2', '', element('span', 'path', file.path.slice(0, slash), element('b', '', file.path.slice(slash))));
      const all = model.mask === null && model.contexts === null;
      const n = model.numbers();
      const percent = all ? file.source.percent : Math.floor(100 * SourceModel.covered(n));
      const covered = SourceModel.covered(n);
      title.append(element('span', 'chip ' + (covered === 1 ? 'good' : covered >= 0.75 ? 'part' : 'bad'), percent + '%'));
      if (model.source.ran) title.append(element('span', 'chip kernel', 'kernel'));
      if (file.source.outcomes) title.append(element('span', 'chip none', '◇ ' + file.source.outcomes + ' outcomes'));
      title.append(this.outline.crumbs, element('span', 'push', n.statements + (n.statements === 1 ? ' statement' : ' statements')));
      const bar = element('div', 'view-bar');
      bar.setAttribute('role', 'toolbar');
      bar.setAttribute('aria-label', 'What to show');
      const counts = {r: n.run, m: n.missing, x: n.excluded, p: n.partial};
      for (const [key, [className, glyph, word, what]] of Object.entries(toggles)) {
        if (key === 'p' && n.branches === 0) continue;
        const toggle = element('button', 'toggle ' + className, element('span', 'glyph', glyph), ' ', element('b', '', String(counts[key])), ' ' + word);
        toggle.type = 'button';
        toggle.dataset.key = key;
        toggle.title = 'Highlight ' + what + ' (' + key + ')';
        toggle.addEventListener('click', () => this.toggle(key));
        bar.append(toggle);
      }
      if (!all) bar.append(element('span', 'others', '– ' + n.others + ' by others'));
      if (model.origins.length > 1) bar.append(this.originChips());
      if (file.source.contexts) bar.append(...this.contextTools());
      if (file.source.regions?.length) bar.append(this.outline.button);
      this.head.replaceChildren(title, bar);
      this.markToggles();
    }
    originChips() {
      const group = element('span', 'origins');
      group.setAttribute('role', 'group');
      group.setAttribute('aria-label', 'Show what ran in');
      this.model.origins.forEach((name, i) => {
        const chip = element('button', 'chip toggle ' + (name === 'host' ? 'none' : 'kernel'), name);
        chip.type = 'button';
        chip.title = 'Show what ran in: ' + name;
        chip.setAttribute('aria-pressed', String(this.model.mask === null || (this.model.mask >> i & 1) === 1));
        chip.addEventListener('click', () => {
          const every = 2 ** this.model.origins.length - 1;
          const mask = (this.model.mask ?? every) ^ 1 << i;
          this.choose(mask === every ? null : mask, null);
          this.head.querySelectorAll('.origins button')[i].focus();
        });
        group.append(chip);
      });
      return group;
    }
    contextTools() {
      const {model, file} = this;
      const tools = [];
      const who = element('button', 'toggle tests', 'Contexts');
      who.type = 'button';
      who.title = 'Show which contexts ran each line (w)';
      who.setAttribute('aria-pressed', String(this.showTests));
      who.addEventListener('click', () => this.toggleTests());
      tools.push(who);
      if (this.showTests || model.contexts) tools.push(button('toggle choose', 'Choose…', 'Show what some contexts ran', async () => ['Contexts', await this.chooser()]));
      for (const id of model.contexts ?? []) {
        const chip = element('button', 'chip toggle part', (file.names[id] || '(empty)') + ' ✕');
        chip.type = 'button';
        chip.title = 'Show all contexts again';
        chip.addEventListener('click', () => {
          const rest = new Set(model.contexts);
          rest.delete(id);
          this.choose(null, rest.size > 0 ? rest : null);
        });
        tools.push(chip);
      }
      return tools;
    }
    async chooser() {
      const {model, file} = this;
      await this.loadContexts();
      const search = element('input', 'find');
      search.type = 'search';
      search.placeholder = 'Find a context';
      search.setAttribute('aria-label', 'Find a context');
      const list = element('ul', 'tests');
      const all = Array.from(model.runs.keys()).sort((a, b) => (file.names[a] ?? '').localeCompare(file.names[b] ?? '', 'en', {numeric: true}));
      const fill = () => {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = all.filter(id => words.every(word => (file.names[id] || '(empty)').toLowerCase().includes(word)));
        list.replaceChildren(...found.slice(0, 200).map(id => {
          const box = element('input');
          box.type = 'checkbox';
          box.checked = model.contexts?.has(id) ?? false;
          box.addEventListener('change', () => {
            const chosen = new Set(model.contexts ?? []);
            if (box.checked) chosen.add(id); else chosen.delete(id);
            this.choose(null, chosen.size > 0 ? chosen : null);
          });
          return element('li', '', element('label', '', box, ' ', file.names[id] || '(empty)'));
        }));
        if (found.length > 200) list.append(element('li', '', '… and ' + (found.length - 200) + ' more: type a part of the name'));
      };
      search.addEventListener('input', fill);
      fill();
      return [element('h3', '', 'Show what these contexts ran'), search, list];
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
    async choose(mask, contexts) {
      if (contexts) await this.loadContexts();
      this.model.choose(mask, contexts);
      this.redraw();
      const n = this.model.numbers();
      this.say(n.run + ' of ' + n.statements + ' statements ran');
    }

    toggle(key) {
      shown = shown.includes(key) ? shown.replace(key, '') : shown + key;
      page.stored('lines', shown);
      this.applyShown();
      this.outline.update();
    }
    applyShown() {
      for (const key of 'rmxp') this.code.classList.toggle('show-' + key, shown.includes(key));
      this.markToggles();
    }
    markToggles() {
      for (const toggle of this.head.querySelectorAll('[data-key]')) toggle.setAttribute('aria-pressed', String(shown.includes(toggle.dataset.key)));
    }
    /// The kind of line that is highlighted here: r m x p, or nothing.
    highlight(line) {
      const key = kinds[this.model.state(line)][3];
      return key && shown.includes(key) ? key : '';
    }
    highlightClass(key) { return toggles[key][0]; }

    say(text) { this.status.textContent = text; }
    rowHeight() { return this.code.getBoundingClientRect().height / Math.max(1, this.model.n); }
    /// The first line that can be seen below the head.
    topLine() {
      const below = this.head.getBoundingClientRect().bottom - this.code.getBoundingClientRect().top;
      return Math.max(1, Math.min(this.model.n, Math.floor(below / this.rowHeight() + 1.5)));
    }
    isOnScreen(line) {
      const top = this.code.getBoundingClientRect().top + (line - 1) * this.rowHeight();
      return top >= this.head.getBoundingClientRect().bottom - 1 && top + this.rowHeight() <= innerHeight;
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
    /// Shows some lines and puts the focus there.
    go(line, end) {
      this.here = {line, end};
      const row = this.element(line);
      if (!row) return;
      this.mark('here', this.here);
      row.tabIndex = -1;
      row.focus({preventScroll: true});
      if (this.isOnScreen(line) && this.isOnScreen(Math.min(end, line + 5))) return;
      const far = Math.abs(line - this.topLine()) * this.rowHeight() > 3 * innerHeight;
      row.scrollIntoView({block: 'center', behavior: far ? 'instant' : 'auto'});
    }
    show(place) {
      this.place = place && place.line <= this.model.n ? {line: Math.max(1, place.line), end: Math.min(place.end ?? place.line, this.model.n)} : null;
      if (!this.keepAnchor) this.anchor = this.place?.line;  // where a range begins that is drawn with the shift key
      this.keepAnchor = false;
      this.here = null;
      this.mark('here', null);
      this.mark('named', this.place);
      if (this.place) {
        const row = this.element(this.place.line);
        row.tabIndex = -1;
        row.focus({preventScroll: true});
        if (!this.isOnScreen(this.place.line)) row.scrollIntoView({block: 'center', behavior: 'instant'});
      }
    }
    clicked(event) {
      const number = event.target.closest('a.n');
      if (!number || !event.shiftKey || !this.place || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const line = Number(number.textContent);
      const from = this.anchor;
      this.keepAnchor = true;
      page.navigate(page.hashOf(this.file.path, Math.min(from, line), Math.max(from, line)));
    }

    // The highlighted pieces around a line, as ranges.
    pieceFrom(line, step) {
      const {n} = this.model;
      while (line >= 1 && line <= n && !this.highlight(line)) line += step;
      if (line < 1 || line > n) return null;
      const key = this.highlight(line);
      let first = line, last = line;
      while (first > 1 && this.highlight(first - 1) === key) --first;
      while (last < n && this.highlight(last + 1) === key) ++last;
      return {line: first, end: last, key};
    }
    nextPiece() {
      const at = this.here ?? this.place;
      const from = at && (this.isOnScreen(at.line) || this.isOnScreen(at.end)) ? at.end + 1 : at || window.scrollY > 0 ? this.topLine() : 1;
      this.goPiece(this.pieceFrom(from, 1));
    }
    previousPiece() {
      const at = this.here ?? this.place;
      const from = at && (this.isOnScreen(at.line) || this.isOnScreen(at.end)) ? at.line - 1 : this.topLine();
      this.goPiece(this.pieceFrom(from, -1));
    }
    firstPiece() { this.goPiece(this.pieceFrom(1, 1)); }
    goPiece(piece) {
      if (!piece) {
        this.say('No more highlighted lines');
        return;
      }
      this.go(piece.line, piece.end);
      this.say((piece.end > piece.line ? 'Lines ' + piece.line + ' to ' + piece.end : 'Line ' + piece.line) + ': ' + kinds[this.model.state(piece.line)][2]);
    }
    /// The lines that a key went to in the address, to copy it.
    name() { page.navigate(page.hashOf(this.file.path, this.here.line, this.here.end)); }
    condition(step) {
      const wanted = Object.entries(this.model.source.conditions ?? {}).filter(([, one]) => one.chip[0] !== 'good').map(([line]) => Number(line)).sort((a, b) => a - b);
      const at = (this.here ?? this.place)?.line ?? (step > 0 ? 0 : this.model.n + 1);
      const line = step > 0 ? wanted.find(one => one > at) : wanted.findLast(one => one < at);
      if (line) this.go(line, line);
    }
    top() {
      this.here = null;
      this.mark('here', null);
      window.scrollTo(0, 0);
    }
  }

  // A key without `when` always has something to do.
  const keys = [
    {key: 'r', text: 'highlight lines that ran', run: () => view.toggle('r')},
    {key: 'm', text: 'highlight missing lines', run: () => view.toggle('m')},
    {key: 'x', text: 'highlight excluded lines', run: () => view.toggle('x')},
    {key: 'p', text: 'highlight partial branches', run: () => view.toggle('p')},
    {key: 'j', text: 'next highlighted lines', run: () => view.nextPiece()},
    {key: 'k', text: 'previous highlighted lines', run: () => view.previousPiece()},
    {key: '1', text: 'first highlighted lines', run: () => view.firstPiece()},
    {key: '0', text: 'top', run: () => view.top()},
    {key: 'Enter', text: 'address of the line with the focus', run: () => view.name()},
    {key: 'f', text: 'functions and classes', when: source => source.regions, run: () => view.outline.toggle()},
    {key: 'w', text: 'which contexts ran each line', when: source => source.contexts, run: () => view.toggleTests()},
    {key: 'c', text: 'next missed condition', when: source => source.conditions, run: () => view.condition(1)},
    {key: 'C', text: 'previous missed condition', when: source => source.conditions, run: () => view.condition(-1)},
  ];

  const works = key => !key.when || Boolean(view?.file.source && key.when(view.file.source));

  return {
    /// For the list of keys: [{keys: ['j'], text: 'next highlighted lines'}, ...], those that the file has a use for.
    get keys() { return keys.filter(works).map(({key, text}) => ({keys: [key], text})); },
    /// Shows `file` ({path, source, contexts: async () => part or null, names}) in an element, and there the lines of `place` ({line, end} or null).
    open(container, file, place) {
      const same = view && view.container === container && view.file.source === file.source;
      if (!same) {
        SourceView.close();
        view = new View(container, file);
      }
      SourcePops.hide();  // a link in it led here
      if (!same && !place) window.scrollTo({top: 0, behavior: 'instant'});
      view.show(place);
      view.outline.moved();
    },
    close() {
      if (!view) return;
      view.close();
      view.container.replaceChildren();
      view = null;
    },
    /// True when the key was one of the view's.
    key(event) {
      if (!view || event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.target.closest('input:not([type=checkbox]), textarea, select')) return false;
      if (event.key === 'Enter' && !(view.here && event.target.matches('.line'))) return false;
      const found = keys.find(one => one.key === event.key && works(one));
      if (found) found.run();
      return found !== undefined;
    },
  };
})();
