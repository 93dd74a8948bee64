'use strict';
// Places in the file view: the lines of the address, those that a key went to, and the steps from one highlighted piece to the next.
const SourcePlaces = (function () {
  const {kinds} = SourceRows;

  return class SourcePlaces {
    constructor(view) {
      this.view = view;
      this.named = null;  // {line, end}: the lines of the address
      this.here = null;   // the lines that a key went to
    }

    /// Shows some lines and focuses them.
    go(line, end) {
      this.here = {line, end};
      const row = this.view.element(line);
      if (!row) return;
      this.view.mark('here', this.here);
      row.tabIndex = -1;
      row.focus({preventScroll: true});
      if (this.view.isOnScreen(line) && this.view.isOnScreen(Math.min(end, line + 5))) return;
      const far = Math.abs(line - this.view.topLine()) * this.view.rowHeight() > 3 * innerHeight;
      row.scrollIntoView({block: 'center', behavior: far ? 'instant' : 'auto'});
    }
    show(place) {
      this.named = place && place.line <= this.view.model.n ? {line: Math.max(1, place.line), end: Math.min(place.end ?? place.line, this.view.model.n)} : null;
      if (!this.keepAnchor) this.anchor = this.named?.line;  // begin of a range that is extended with the shift key
      this.keepAnchor = false;
      this.here = null;
      this.view.mark('here', null);
      this.view.mark('named', this.named);
      if (this.named) {
        const row = this.view.element(this.named.line);
        row.tabIndex = -1;
        row.focus({preventScroll: true});
        if (!this.view.isOnScreen(this.named.line)) row.scrollIntoView({block: 'center', behavior: 'instant'});
      }
    }
    clicked(event) {
      const number = event.target.closest('a.n');
      if (!number || !event.shiftKey || !this.named || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const line = Number(number.textContent);
      const from = this.anchor;
      this.keepAnchor = true;
      page.navigate(page.hashOf(this.view.file.path, Math.min(from, line), Math.max(from, line)));
    }

    // Highlighted pieces around a line, as ranges.
    pieceFrom(line, step) {
      const {n} = this.view.model;
      while (line >= 1 && line <= n && !this.view.highlight(line)) line += step;
      if (line < 1 || line > n) return null;
      const key = this.view.highlight(line);
      let first = line, last = line;
      while (first > 1 && this.view.highlight(first - 1) === key) --first;
      while (last < n && this.view.highlight(last + 1) === key) ++last;
      return {line: first, end: last, key};
    }
    nextPiece() {
      const at = this.here ?? this.named;
      const from = at && (this.view.isOnScreen(at.line) || this.view.isOnScreen(at.end)) ? at.end + 1 : at || window.scrollY > 0 ? this.view.topLine() : 1;
      this.goPiece(this.pieceFrom(from, 1));
    }
    previousPiece() {
      const at = this.here ?? this.named;
      const from = at && (this.view.isOnScreen(at.line) || this.view.isOnScreen(at.end)) ? at.line - 1 : this.view.topLine();
      this.goPiece(this.pieceFrom(from, -1));
    }
    firstPiece() { this.goPiece(this.pieceFrom(1, 1)); }
    goPiece(piece) {
      if (!piece) {
        this.view.say('No more highlighted lines');
        return;
      }
      this.go(piece.line, piece.end);
      this.tell(piece.line, piece.end);
    }
    /// Goes to the next statement of a state, and after the last to the first.
    nextOf(state) {
      const {model} = this.view;
      const from = this.here?.end ?? 0;
      for (let i = 0; i < model.n; ++i) {
        const line = (from + i) % model.n + 1;
        if (model.isMore(line) || model.state(line) !== state) continue;
        this.go(line, line);
        this.tell(line, line);
        return;
      }
    }
    tell(line, end) {
      const {model} = this.view;
      const why = model.source.why?.[model.first(line)];
      this.view.say((end > line ? 'Lines ' + line + ' to ' + end : 'Line ' + line) + ': ' + kinds[model.state(line)][2] + (why ? ', ' + why : ''));
    }
    /// Puts the lines that a key went to into the address, to copy it.
    name() { page.navigate(page.hashOf(this.view.file.path, this.here.line, this.here.end)); }
    condition(step) {
      this.goTo(step, Array.from(this.view.model.decisions).filter(([, one]) => one.chip[0] !== 'good').map(([line]) => line).sort((a, b) => a - b));
    }
    /// Goes to the next line that ran and was never differentiated.
    gradient(step) { this.goTo(step, this.view.model.source.gradients.never); }
    goTo(step, wanted) {
      const at = (this.here ?? this.named)?.line ?? (step > 0 ? 0 : this.view.model.n + 1);
      const line = step > 0 ? wanted.find(one => one > at) : wanted.findLast(one => one < at);
      if (line) this.go(line, line);
    }
    top() {
      this.here = null;
      this.view.mark('here', null);
      page.top();
    }
  };
})();
