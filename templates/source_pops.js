'use strict';
// Pop-overs of the file view: the branches of a line, the evaluations of its conditions, and the tests that ran it.
const SourcePops = (function () {
  function element(tag, className, ...content) {
    const result = document.createElement(tag);
    if (className) result.className = className;
    result.append(...content);
    return result;
  }
  function table(head, rows) {
    const result = element('table');
    result.createTHead().append(element('tr', '', ...head.map(text => {
      const cell = element('th', '', text);
      cell.scope = 'col';
      return cell;
    })));
    const body = result.createTBody();
    for (const cells of rows) {
      const row = element('tr');
      cells.forEach((cell, i) => {
        const [className, ...content] = Array.isArray(cell) ? cell : ['', cell];
        const td = element(i === 0 ? 'th' : 'td', className, ...content);
        if (i === 0) td.scope = 'row';
        row.append(td);
      });
      body.append(row);
    }
    return result;
  }
  const heading = (line, text) => element('h3', '', element('b', '', 'Line ' + line), ' · ', text);

  function edgeItem(model, path, branch, edge) {
    const taken = model.isTaken(edge);
    if (edge.to === 0) {  // an imported branch, without a destination
      return element('li', taken ? 'yes' : 'no', element('b', '', taken ? '✓' : '✗'), ' ', element('span', 'what', edge.why), ' ',
                     element('span', 'who', taken ? '– taken ' + columns.format(edge.times) + (edge.times === 1 ? ' time' : ' times') : edge.times === 0 ? '– never taken' : '– never come to'));
    }
    const destination = element(edge.to > 0 ? 'a' : 'span', 'to', edge.to > 0 ? '→ ' + edge.to : '→ exit');
    if (edge.to > 0) destination.href = page.hashOf(path, edge.to);
    const item = element('li', taken ? 'yes' : 'no', element('b', '', taken ? '✓' : '✗'), ' ', destination, ' ');
    const who = text => element('span', 'who', '– ' + text);
    const what = text => element('span', 'what', text);
    if (edge.mask !== 0) item.append(what(model.action(edge)), ' ', who((taken ? '' : 'not by what is chosen; ') + 'taken by ' + model.names(edge.mask).join(', ')));
    else if (!'cpo'.includes(model.state(branch.line))) item.append(what(model.action(edge)), ' ', who(edge.why ?? model.source.why?.[branch.line] ?? 'the line never ran'));
    else if (!model.isMeasured(edge)) item.append(what(model.action(edge)), ' ', who(edge.why));
    else item.append(what(model.missing(branch.line, edge)), ' ', who(edge.why ?? 'never taken'));
    return item;
  }
  /// Edges of a line: destination, action, and the origins that took each.
  function branches(model, path, line) {
    const branch = model.branches.get(line);
    const missed = model.missedEdges(line).length;
    const parts = [heading(line, (branch.exits - missed) + ' of ' + branch.exits + (branch.exits === 1 ? ' branch taken' : ' branches taken'))];
    if (missed > 0 && missed === branch.exits && model.state(line) === 'p') parts.push(element('p', '', model.missingTexts(line)[0]));
    if (branch.edges.some(edge => edge.to === 0 && !edge.why)) parts.push(element('p', '', 'The imported report does not say which.'));
    else parts.push(element('ul', 'edges', ...branch.edges.map(edge => edgeItem(model, path, branch, edge))));
    if (branch.forgiven) parts.push(element('p', '', 'A pattern of partial branches holds this line: what is not taken does not count.'));
    const ran = model.names(model.ranBy[line]);
    if (model.source.ran && ran.length > 0) parts.push(element('p', '', 'The line ran in: ' + ran.join(', ') + '.'));
    return parts;
  }

  /// Tests that ran a line, with a link from each that shows all of its lines.
  function testsOf(model, line, choose) {
    const all = tests.sorted(model.contextsOf(line));
    const parts = [heading(line, 'ran in ' + tests.count(all.length))];
    const list = element('ul', 'tests');
    const add = some => {
      for (const test of some) {
        const button = element('button', 'link', tests.label(test));
        button.type = 'button';
        button.title = 'Show what this ' + tests.noun + ' ran';
        button.addEventListener('click', () => choose(test));
        list.append(element('li', '', button, ...tests.devices(test)));
      }
    };
    add(all.slice(0, 200));
    parts.push(list);
    if (all.length > 200) {
      const more = element('button', '', 'Show the other ' + (all.length - 200));
      more.type = 'button';
      more.addEventListener('click', () => {
        add(all.slice(200));
        more.remove();
      });
      parts.push(more);
    }
    return parts;
  }

  const letter = i => i < 26 ? String.fromCharCode(65 + i) : String(i + 1);
  function outcome(value) {
    return {s: ['yes', '✓ seen'], n: ['no', '✗ never'], a: ['', 'always'], '-': ['', '–']}[value];
  }
  /// Evaluations of the decisions that begin on a line, and the conditions that decide alone.
  function conditions(decisions) {
    const parts = [];
    for (const decision of decisions) {
      parts.push(element('h3', '', decision.kind, ' ', element('code', '', decision.text), ' ',
                         element('span', '', decision.outcomes[0] + ' of ' + decision.outcomes[1] + ' outcomes')));
      parts.push(table(['Condition', 'true', 'false', 'decides alone'], decision.conditions.map(([text, whenTrue, whenFalse, shown, alone], i) => [
        ['', element('b', '', letter(i)), ' ', element('code', '', text)], outcome(whenTrue), outcome(whenFalse),
        shown === '-' ? ['', '–'] : [shown === 's' ? 'yes' : 'no', (shown === 's' ? '✓ ' : '✗ ') + alone],
      ])));
      if (decision.note) parts.push(element('p', '', decision.note));
      if (decision.ways) {
        parts.push(table(['Way', ...decision.conditions.map((_, i) => letter(i)), 'outcome'], decision.ways.map(([values, result], i) => [
          String(decision.numbers?.[i] ?? i + 1),
          ...Array.from(values, value => {
            if (value !== '-') return ['', value];
            const dash = element('span', '', '–');
            dash.setAttribute('role', 'img');
            dash.setAttribute('aria-label', 'not evaluated');
            return ['', dash];
          }),
          result === 'T' ? 'true' : 'false',
        ])));
      }
    }
    return parts;
  }

  let pop = null;
  let opener = null;
  function hide() {
    if (pop && pop.matches(':popover-open')) pop.hidePopover();
  }
  /// Opens a pop-over beside its button; a second time closes it. Escape and a click elsewhere close it too, and the button has the focus again.
  function show(button, label, content) {
    if (!pop || !pop.isConnected) {
      pop = element('div', 'pop');
      pop.id = 'line-pop';
      pop.popover = 'auto';
      pop.tabIndex = -1;
      pop.setAttribute('role', 'dialog');
      pop.addEventListener('toggle', event => {
        if (event.newState !== 'closed' || !opener) return;
        opener.setAttribute('aria-expanded', 'false');
        if (opener.isConnected && (document.activeElement === document.body || pop.contains(document.activeElement))) opener.focus({preventScroll: true});
        opener = null;
      });
      document.body.append(pop);
    }
    const again = opener === button;
    hide();
    if (again) return;
    opener = button;
    pop.setAttribute('aria-label', label);
    pop.replaceChildren(...content);
    pop.showPopover({source: button});
    page.place(pop, button);
    button.setAttribute('aria-expanded', 'true');
    pop.focus({preventScroll: true});
    pop.scrollTop = 0;
  }
  /// Button that opens a pop-over: `make` returns its label and content when it is opened, at once or as a promise.
  function button(className, text, label, make) {
    const result = element('button', className, text);
    result.type = 'button';
    result.title = label;
    result.setAttribute('aria-label', label);
    result.setAttribute('aria-haspopup', 'dialog');
    result.setAttribute('aria-expanded', 'false');
    // A press outside of a pop-over closes it before the click event: the button has to know by then whether the pop-over was its own.
    let wasOpen = false;
    result.addEventListener('pointerdown', () => { wasOpen = opener === result; });
    result.addEventListener('click', async () => {
      if (wasOpen) {
        wasOpen = false;
        hide();
        return;
      }
      const [title, content] = await make();
      show(result, title, content);
    });
    return result;
  }
  return {branches, button, conditions, element, heading, hide, table, tests: testsOf};
})();
