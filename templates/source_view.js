'use strict';
// The source of one file with what ran of it. SourceView.open(container, file, place) shows it, .key(event) takes its keys.
//
// Lines stand in pieces of a fixed height, so that a long file opens at once, and every line has its place before it is drawn. A piece is plain text until the
// reader comes near it (or the browser has time): what the browser searches for and prints is all there.
const SourceView = (function () {
  const {element, button} = SourcePops;
  const kPiece = 100;      // lines
  const kWhole = 20000;    // files of more lines are drawn only where the reader is
  const kLong = 5000;      // characters of a line that are shown at once
  const kinds = {
    c: ['cov', '✓', 'covered', 'r'], m: ['mis', '✗', 'missing', 'm'], p: ['par', '◐', 'partial', 'p'], x: ['exc', '⊘', 'excluded', 'x'],
    '-': ['non', '·', 'not a statement', ''], h: ['mis', '✗', 'not hit', 'm'], u: ['mis unm', '?', 'not measured', 'm'],
    n: ['mis unc', '○', 'not compiled', 'm'], o: ['oth', '–', 'ran, but not in what is chosen', ''],
  };
  const toggles = {
    r: ['cov', '✓', 'run', 'lines that ran'], m: ['mis', '✗', 'missing', 'missing lines'], x: ['exc', '⊘', 'excluded', 'excluded lines'],
    p: ['par', '◐', 'partial', 'partial branches'],
  };
  const odd = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

  let view = null;

  let shown = /^[rmxp]*$/.test(page.stored('lines') ?? '!') ? page.stored('lines') : 'mxp';  // what is highlighted

  function sign(glyph, word) {
    const result = element('span', '', glyph);
    result.setAttribute('role', 'img');
    result.setAttribute('aria-label', word);
    result.title = word;
    return result;
  }

  // What a reader could not see, or what would turn the text around, is shown by its picture or its number.
  function addText(parent, text) {
    let at = 0;
    odd.lastIndex = 0;
    for (let found; (found = odd.exec(text)) !== null;) {
      const code = found[0].charCodeAt(0);
      const picture = code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : 'U+' + code.toString(16).toUpperCase().padStart(4, '0');
      if (found.index > at) parent.append(text.slice(at, found.index));
      parent.append(element('span', 'odd', picture));
      at = found.index + 1;
    }
    if (at < text.length) parent.append(at === 0 ? text : text.slice(at));
  }
  function columns(text) {
    let width = 0;
    for (let i = 0; i < text.length; ++i) {
      const code = text.charCodeAt(i);
      width += code === 9 ? 8 - width % 8 : code < 0x7f ? 1 : 2;
    }
    return width;
  }

  class View {
    constructor(container, file) {
      this.container = container;
      this.file = file;
      this.model = new SourceModel(file.source);
      this.colors = SourceColors(file.source.text, file.source.language);
      this.offsets = new Uint32Array(this.model.n + 1);
      this.model.lines.forEach((line, i) => { this.offsets[i + 1] = this.offsets[i] + line.length + 1; });
      this.place = null;      // the lines that the address names
      this.here = null;       // the lines that a key went to
      this.showTests = false;
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
      for (const line of model.lines) if (line.length > widest / 2) widest = Math.max(widest, columns(line.slice(0, kLong)));
      this.code.style.setProperty('--columns', widest + 4);
      this.code.style.setProperty('--digits', digits);
      this.pieces = [];
      for (let from = 1; from <= model.n; from += kPiece) {
        const to = Math.min(from + kPiece - 1, model.n);
        const piece = {from, to, drawn: false, element: element('div', 'piece')};
        piece.element.style.setProperty('--lines', to - from + 1);
        piece.element.textContent = model.lines.slice(from - 1, to).map(line => line.slice(0, kLong)).join('\n');
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

    // Whether the statement before says the same: the first of a run says why in words.
    saysWhy(line) {
      const {model} = this;
      if (model.isMore(line)) return false;
      let before = line - 1;
      while (before >= 1 && (model.state(before) === '-' || model.isMore(before))) --before;
      const why = model.source.why?.[line];
      return before < 1 || model.state(before) !== model.state(line) || model.source.why?.[before] !== why;
    }
    row(line) {
      const {model} = this;
      const state = model.state(line);
      const [className, glyph, word] = kinds[state];
      const first = model.first(line);
      const why = model.source.why?.[first];
      const row = element('div', 'line ' + className + (model.isMore(line) ? ' more' : ''));
      row.id = 'L' + line;
      if (this.place && line >= this.place.line && line <= this.place.end) row.classList.add('named');
      if (this.here && line >= this.here.line && line <= this.here.end) row.classList.add('here');
      const number = element('a', 'n', String(line));
      number.href = page.hashOf(this.file.path, line);
      number.tabIndex = -1;  // or the way to the next button would lead over all lines; Enter does it for the line with the focus
      const mark = element('span', 'g', sign(glyph, why ? word + ': ' + why : word));
      row.append(number, mark);
      if (model.source.ran) {
        const kernels = model.names(model.ranBy[first]).filter(name => name !== 'host');
        row.append(element('span', 'o', ...('cp'.includes(state) && kernels.length > 0 ? [sign('K', 'ran in a kernel (' + kernels.join(', ') + ')')] : [])));
      }
      const code = element('code', 'c');
      this.fillCode(code, line);
      row.append(code);
      const notes = this.notes(line, state, why, word);
      if (model.lines[line - 1].length > kLong) notes.unshift(this.restButton(code, line));
      if (notes.length > 0) row.append(element('span', 'notes', ...notes));
      return row;
    }
    fillCode(code, line) {
      const text = this.model.lines[line - 1];
      const begin = this.offsets[line - 1];
      const end = begin + Math.min(text.length, kLong);
      let at = begin;
      this.colors.within(begin, end, (from, to, kind) => {
        if (from > at) addText(code, text.slice(at - begin, from - begin));
        const span = element('span', kind);
        addText(span, text.slice(from - begin, to - begin));
        code.append(span);
        at = to;
      });
      if (at < end) addText(code, text.slice(at - begin, end - begin));
    }
    // Shows a line that was cut to its end, without colours.
    restButton(code, line) {
      const text = this.model.lines[line - 1];
      const rest = element('button', 'rest', '… ' + (text.length - kLong).toLocaleString('en') + ' more characters');
      rest.type = 'button';
      rest.addEventListener('click', () => {
        code.replaceChildren();
        addText(code, text);
        this.code.style.setProperty('--columns', columns(text) + 4);
        rest.remove();
      });
      return rest;
    }
    notes(line, state, why, word) {
      const {model, file} = this;
      const notes = [];
      const decisions = model.source.conditions?.[line];
      if (decisions) {
        const [quality, seen, of, label] = decisions.chip;
        notes.push(button('chip cond ' + quality, (quality === 'good' ? '◆ ' : '◇ ') + seen + '/' + of, label,
                          () => ['Conditions of line ' + line, SourcePops.conditions(decisions.decisions)]));
      }
      if (model.branches.has(line)) {
        const branch = model.branches.get(line);
        const missed = model.missedEdges(line).length;
        const texts = state === 'p' ? model.missingTexts(line) : [];
        const label = 'Branches of line ' + line + ': ' + (branch.exits - missed) + ' of ' + branch.exits + ' taken';
        notes.push(button(state === 'p' ? 'partly' : 'ways', state === 'p' ? model.missingShort(line) : '⇉ ' + (branch.exits - missed) + '/' + branch.exits,
                          [label, ...texts].join('\n'), () => ['Branches of line ' + line, SourcePops.branches(model, file.path, line)]));
        for (const edge of state === 'p' ? model.missedEdges(line) : [])
          if (edge.why) notes.push(element('span', 'never', (edge.to < 0 ? 'exit' : edge.to) + ' – ' + edge.why));
      }
      if ('un'.includes(state) && this.saysWhy(line)) notes.push(element('span', 'never', word + ': ' + why));
      if (this.showTests && !model.isMore(line) && model.contextsOf(line).length > 0) notes.push(this.testsButton(line));
      return notes;
    }
    testsButton(line) {
      const ids = this.model.contextsOf(line);
      const only = ids.length === 1 ? this.file.names[ids[0]] || '(empty)' : ids.length + ' contexts';
      return button('who', only, 'Contexts that ran line ' + line, () => ['Contexts of line ' + line, SourcePops.tests(this.model, this.file.names, line, id => {
        SourcePops.hide();
        this.choose(null, new Set([id]));
      })]);
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
