'use strict';
// Row of a line in the file view: its number, its glyph, its text in colours, and notes.
const SourceRows = (function () {
  const {element, button} = SourcePops;
  const kMostNamed = 2;  // missed branches of a line; with more, its pop-over has them
  const kLong = 5000;  // largest number of characters of a line that are shown at once
  const kinds = {
    c: ['cov', '✓', 'covered', 'r'], m: ['mis', '✗', 'missing', 'm'], p: ['par', '◐', 'partial', 'p'], x: ['exc', '⊘', 'excluded', 'x'],
    '-': ['non', '·', 'not a statement', ''], h: ['mis', '✗', 'not hit', 'm'], u: ['mis unm', '?', 'not measured', 'm'],
    n: ['mis unc', '○', 'not compiled', 'm'], o: ['oth', '–', 'ran, but not in what is chosen', ''], e: ['oth', '…', 'not of what is chosen', ''],
  };
  const odd = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

  function sign(glyph, word) {
    const result = element('span', '', glyph);
    result.setAttribute('role', 'img');
    result.setAttribute('aria-label', word);
    result.title = word;
    return result;
  }

  // Adds text. Characters that are invisible, or would reorder the text, are shown by their pictures or numbers.
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
  function widthOf(text) {
    let width = 0;
    for (let i = 0; i < text.length; ++i) {
      const code = text.charCodeAt(i);
      width += code === 9 ? 8 - width % 8 : code < 0x7f ? 1 : 2;
    }
    return width;
  }

  function make(view) {
    const {model, file} = view;
    const colors = SourceColors(file.source.text, file.source.language);
    const offsets = new Uint32Array(model.n + 1);  // of lines in the text
    model.lines.forEach((line, i) => { offsets[i + 1] = offsets[i] + line.length + 1; });

    // Whether the reason is written in words: only at the first of consecutive statements with the same one.
    function saysWhy(line) {
      if (model.isMore(line)) return false;
      let before = line - 1;
      while (before >= 1 && (model.state(before) === '-' || model.isMore(before))) --before;
      const why = model.source.why?.[line];
      return before < 1 || model.state(before) !== model.state(line) || model.source.why?.[before] !== why;
    }

    function row(line) {
      const state = model.state(line);
      const [className, glyph, word] = kinds[state];
      const first = model.first(line);
      const why = model.source.why?.[first];
      const row = element('div', 'line ' + className + (model.isMore(line) ? ' more' : ''));
      row.id = 'L' + line;
      const {named, here} = view.places;
      if (named && line >= named.line && line <= named.end) row.classList.add('named');
      if (here && line >= here.line && line <= here.end) row.classList.add('here');
      const number = element('a', 'n', String(line));
      number.href = page.hashOf(file.path, line);
      number.tabIndex = -1;  // not in the tab order, which would lead over all lines; Enter follows the link of the focused line
      const mark = element('span', 'g', sign(glyph, why ? word + ': ' + why : word));
      row.append(number, mark);
      if (model.marksKernels) {
        const signs = 'cpo'.includes(state) ? model.source.ran ? deviceSigns(first, state) : [] : 'hun'.includes(state) ? [hollow(word)] : [];
        row.append(element('span', 'o', ...signs));
      }
      if (model.hits.size > 0) row.append(countOf(line));
      const code = element('code', 'c');
      fillCode(code, line);
      row.append(code);
      const notes = notesOf(line, state, why, word);
      if (model.lines[line - 1].length > kLong) notes.unshift(restButton(code, line));
      if (notes.length > 0) row.append(element('span', 'notes', ...notes));
      return row;
    }

    // Signs of the devices that ran a line and, if the data has several, of those that did not.
    function deviceSigns(line, state) {
      const [ran, others] = model.onDevices(line);
      if (ran.length === 0 || (model.devices.length === 1 && state === 'o')) return [];
      const names = list => list.map(({name}) => name).join(', ');
      if (model.devices.length === 1) return [sign('K', 'ran in a kernel (' + names(ran) + ')')];
      const marks = model.devices.map(device => ran.includes(device) ? device.mark : '–'.padEnd(device.mark.length)).join(' ');
      return [sign(marks, 'ran on ' + names(ran) + (others.length > 0 ? ', never on ' + names(others) : ''))];
    }

    // Execution count of a line, "1.2k", before a tint that grows with the logarithm.
    let short = null;
    function countOf(line) {
      const hits = model.hits.get(line);
      const cell = element('span', 'count');
      if (hits === undefined) return cell;
      short ??= new Intl.NumberFormat('en', {notation: 'compact', maximumSignificantDigits: 3});
      const text = element('span', '', short.format(hits));
      text.setAttribute('role', 'img');
      text.setAttribute('aria-label', 'ran ' + columns.format(hits) + (hits === 1 ? ' time' : ' times'));
      cell.title = text.getAttribute('aria-label');
      if (hits > 0) cell.style.setProperty('--heat', Math.round(8 + 42 * Math.log1p(hits) / Math.log1p(model.mostHits)) + '%');
      cell.append(text);
      return cell;
    }

    // Sign of a line of a kernel that did not run: the outline of the letter.
    function hollow(word) {
      const result = sign('\ud835\udd42', 'in a kernel: ' + word);
      result.className = 'hollow';
      return result;
    }

    function fillCode(code, line) {
      const text = model.lines[line - 1];
      const begin = offsets[line - 1];
      const end = begin + Math.min(text.length, kLong);
      let at = begin;
      colors.within(begin, end, (from, to, kind) => {
        if (from > at) addText(code, text.slice(at - begin, from - begin));
        const span = element('span', kind);
        addText(span, text.slice(from - begin, to - begin));
        code.append(span);
        at = to;
      });
      if (at < end) addText(code, text.slice(at - begin, end - begin));
    }

    // Button that shows the rest of a line that was cut, without colours.
    function restButton(code, line) {
      const text = model.lines[line - 1];
      const rest = element('button', 'rest', '… ' + (text.length - kLong).toLocaleString('en') + ' more characters');
      rest.type = 'button';
      rest.addEventListener('click', () => {
        code.replaceChildren();
        addText(code, text);
        view.code.style.setProperty('--columns', widthOf(text) + 4);
        rest.remove();
      });
      return rest;
    }

    function notesOf(line, state, why, word) {
      const notes = [];
      const decisions = model.decisions.get(line);
      if (decisions) {
        const [quality, seen, of, label] = decisions.chip;
        notes.push(button('chip cond ' + quality, (quality === 'good' ? '◆ ' : '◇ ') + seen + '/' + of, label,
                          () => ['Conditions of line ' + line, SourcePops.conditions(decisions.decisions)]));
      }
      const gradient = model.gradientOf(line);
      if (gradient === 'done') {
        const done = sign('∂', 'differentiated');
        done.className = 'gradient';
        notes.push(done);
      }
      if (gradient === 'never') notes.push(element('span', 'never gradient', element('b', '', '∂ never'), ' differentiated'));
      const variants = model.variantsOf(line);
      if (variants) {
        const text = variants.listed.length + (variants.kind === 'template' ? ' instantiation' : ' variant') + (variants.listed.length === 1 ? '' : 's');
        notes.push(button('variants', text, text + ' of line ' + line + ', with the coverage of each', () => ['Variants of line ' + line, SourceVariants(model, file.path, line)]));
      }
      if (model.branches.has(line) && state !== 'e') {
        const branch = model.branches.get(line);
        const missed = model.missedEdges(line).length;
        const texts = state === 'p' ? model.missingTexts(line) : [];
        const label = 'Branches of line ' + line + ': ' + (branch.exits - missed) + ' of ' + branch.exits + ' taken';
        notes.push(button(state === 'p' ? 'partly' : 'ways', state === 'p' ? model.missingShort(line) : '⇉ ' + (branch.exits - missed) + '/' + branch.exits,
                          [label, ...texts].join('\n'), () => ['Branches of line ' + line, SourcePops.branches(model, file.path, line)]));
        if (state === 'p' && missed <= kMostNamed && !model.jumpsNowhere(line)) {
          for (const edge of model.missedEdges(line)) {
            if (edge.to === 0) continue;
            const [what, because] = model.missedWords(line, edge);
            notes.push(element('span', 'never', element('b', '', what), ' ' + because));
          }
        }
      }
      if ('hun'.includes(state) && why && saysWhy(line)) notes.push(element('span', 'never', word + ': ' + why));
      if (view.showTests && !model.isMore(line) && model.contextsOf(line).length > 0) notes.push(testsButton(line));
      return notes;
    }

    function testsButton(line) {
      const all = tests.sorted(model.contextsOf(line));
      const only = all.length === 1 ? tests.label(all[0], 40, false) : tests.count(all.length);
      return button('who', only, tests.count(all.length) + ' ran line ' + line, () => [tests.count(all.length) + ' of line ' + line, SourcePops.tests(model, line, test => {
        SourcePops.hide();
        view.choose(null, new Set(test.contexts));
      })]);
    }
    return row;
  }
  return {
    kinds,
    /// Part of a line's text that is shown at once, and its width in columns.
    start: text => text.slice(0, kLong),
    columns: widthOf,
    /// Returns the function that makes the row of a line.
    make,
  };
})();
