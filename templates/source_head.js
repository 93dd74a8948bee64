'use strict';
// Head of the file view: facts about the file, its coverage, and the choice of lines, origins and contexts.
const SourceHead = (function () {
  const {element, button} = SourcePops;
  const toggles = {
    r: ['cov', '✓', 'run', 'lines that ran'], m: ['mis', '✗', 'missing', 'missing lines'], x: ['exc', '⊘', 'excluded', 'excluded lines'],
    p: ['par', '◐', 'partial', 'partial branches'],
  };

  return class SourceHead {
    constructor(view) {
      this.view = view;
      this.element = element('div', 'view-head');
    }

    /// CSS class of lines that a toggle highlights: its key is one of r m x p.
    static classOf(key) { return toggles[key][0]; }

    /// Draws everything again, after the choice has changed.
    draw() {
      const {view} = this;
      const {model, file, outline} = view;
      const slash = file.path.lastIndexOf('/') + 1;
      const title = element('h2', '', element('span', 'path', page.pathText(file.path.slice(0, slash)), element('b', '', page.pathText(file.path.slice(slash)))));
      const all = model.mask === null && model.contexts === null;
      const n = model.numbers();
      const percent = n.statements === 0 ? '–' : all ? file.source.percent + '%' : SourceModel.percent(n) + '%';
      title.append(element('span', 'chip ' + (percent === '–' ? 'none' : SourceModel.quality(n)), percent));
      if (model.hasKernel) title.append(element('span', 'chip kernel', model.mask === null ? 'kernel' : 'ran on ' + (model.names(model.mask).join(', ') || 'nothing')));
      const [seen, outcomes] = model.outcomes();
      if (outcomes > 0) title.append(element('span', 'chip none', '◇ ' + seen + '/' + outcomes + ' outcomes'));
      title.append(outline.crumbs, element('span', 'push', n.statements + (n.statements === 1 ? ' statement' : ' statements')));
      const bar = element('div', 'view-bar');
      bar.setAttribute('role', 'toolbar');
      bar.setAttribute('aria-label', 'What to show');
      const counts = {r: n.run, m: n.missing, x: n.excluded, p: n.partial};
      for (const [key, [className, glyph, word, what]] of Object.entries(toggles)) {
        if (key !== 'r' && counts[key] === 0) continue;
        const toggle = element('button', 'toggle ' + className, element('span', 'glyph', glyph), ' ', element('b', '', String(counts[key])), ' ' + word);
        toggle.type = 'button';
        toggle.dataset.key = key;
        toggle.title = 'Highlight ' + what + ' (' + key + ')';
        toggle.addEventListener('click', () => view.toggle(key));
        bar.append(toggle);
        if (key === 'm' && model.marksKernels && n.missing > 0) bar.append(this.missingByReason(n));
      }
      if (!all) bar.append(element('span', 'others', '– ' + n.others + ' by others'));
      if (model.origins.length > 1) bar.append(this.originChips());
      if (model.hits.size > 0) bar.append(this.countsButton());
      if (file.source.contexts) bar.append(...this.contextTools());
      if (file.source.regions?.length) bar.append(outline.button);
      this.element.replaceChildren(title, bar);
      this.markToggles();
    }
    /// Chips "6 not compiled, 1 not measured, 1 not hit, 1 host": each leads from one such line to the next.
    missingByReason(n) {
      const {view} = this;
      const group = element('span', 'reasons');
      group.setAttribute('role', 'group');
      group.setAttribute('aria-label', 'Why lines are missing');
      for (const [state, word] of [['n', 'not compiled'], ['u', 'not measured'], ['h', 'not hit'], ['m', 'host']]) {
        if (n.why[state] === 0) continue;
        const [className, glyph] = SourceRows.kinds[state];
        const sign = element('span', 'glyph', state === 'm' ? '✗' : glyph);
        sign.setAttribute('aria-hidden', 'true');
        const reason = element('button', 'reason ' + className, sign, ' ' + n.why[state] + ' ' + word);
        reason.type = 'button';
        reason.title = 'Go to the next missing line: ' + word;
        reason.addEventListener('click', () => view.places.nextOf(state));
        group.append(reason);
      }
      return group;
    }
    countsButton() {
      const counts = element('button', 'toggle counts', 'Counts');
      counts.type = 'button';
      counts.title = 'Show how often each line ran (h)';
      counts.setAttribute('aria-pressed', String(this.view.showCounts));
      counts.addEventListener('click', () => this.view.toggleCounts());
      return counts;
    }
    originChips() {
      const {view} = this;
      const {origins, mask} = view.model;
      const group = element('span', 'origins');
      group.setAttribute('role', 'group');
      group.setAttribute('aria-label', 'Show what ran in');
      origins.forEach((name, i) => {
        const chip = element('button', 'chip toggle ' + (name === page.host ? 'none' : 'kernel'), name);
        chip.type = 'button';
        chip.title = 'Show what ran in: ' + name;
        chip.setAttribute('aria-pressed', String(mask === null || (mask >> i & 1) === 1));
        chip.addEventListener('click', () => {
          const every = 2 ** origins.length - 1;
          const chosen = (mask ?? every) ^ 1 << i;
          view.choose(chosen === every ? null : chosen, null);
          this.element.querySelectorAll('.origins button')[i].focus();
        });
        group.append(chip);
      });
      return group;
    }
    contextTools() {
      const {view} = this;
      const {model} = view;
      const tools = [];
      const plural = tests.noun + 's';
      const who = element('button', 'toggle tests', tests.noun === 'test' ? 'Tests' : 'Contexts');
      who.type = 'button';
      who.title = 'Show which ' + plural + ' ran each line (w)';
      who.setAttribute('aria-pressed', String(view.showTests));
      who.addEventListener('click', () => view.toggleTests());
      tools.push(who);
      if (view.showTests || model.contexts) tools.push(button('toggle choose', 'Choose…', 'Show what some ' + plural + ' ran', async () => [who.textContent, await this.chooser()]));
      for (const test of model.contexts ? tests.sorted(model.contexts) : []) {
        const chip = element('button', 'chip toggle part', tests.label(test, 40, false), ' ✕');
        chip.type = 'button';
        chip.title = tests.title(test) + '\nClick to show all ' + plural + ' again';
        chip.addEventListener('click', () => this.chooseTests(test, false));
        tools.push(chip);
      }
      return tools;
    }
    /// Adds a test to the chosen ones, or removes it.
    chooseTests(test, isChosen) {
      const {model} = this.view;
      const chosen = new Set(model.contexts ?? []);
      for (const id of test.contexts) {
        if (isChosen) chosen.add(id); else chosen.delete(id);
      }
      this.view.choose(null, chosen.size > 0 ? chosen : null);
    }
    async chooser() {
      const {view} = this;
      const {model} = view;
      await view.loadContexts();
      const search = element('input', 'find');
      search.type = 'search';
      search.placeholder = 'Find a ' + tests.noun;
      search.setAttribute('aria-label', search.placeholder);
      const list = element('ul', 'tests');
      const all = tests.sorted(model.runs.keys());
      const fill = () => {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = all.filter(test => words.every(word => tests.title(test).toLowerCase().includes(word)));
        list.replaceChildren(...found.slice(0, 200).map(test => {
          const box = element('input');
          box.type = 'checkbox';
          box.checked = test.contexts.some(id => model.contexts?.has(id));
          box.addEventListener('change', () => this.chooseTests(test, box.checked));
          return element('li', '', element('label', '', box, ' ', tests.label(test)));
        }));
        if (found.length > 200) list.append(element('li', '', '… and ' + (found.length - 200) + ' more: type a part of the name'));
      };
      search.addEventListener('input', fill);
      fill();
      return [element('h3', '', 'Show what these ' + tests.noun + 's ran'), search, list];
    }
    /// Shows the state of the toggles.
    markToggles() {
      for (const toggle of this.element.querySelectorAll('[data-key]')) toggle.setAttribute('aria-pressed', String(this.view.shows(toggle.dataset.key)));
    }
  };
})();
