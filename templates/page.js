'use strict';
// Common parts of all pages: themes, keys, and stepping through pieces of code. All of it is in `page`.
const page = (function () {
  const root = document.documentElement;
  const themes = ['auto', 'light', 'dark'];
  // Settings of the reader, in localStorage; without storage they last as long as the page is open.
  const kept = new Map();
  function stored(key, value) {
    try {
      if (value !== undefined) localStorage.setItem('qd-cov-' + key, value);
      return localStorage.getItem('qd-cov-' + key);
    } catch (error) {
      if (value !== undefined) kept.set(key, value);
      return kept.get(key) ?? null;
    }
  }
  function showTheme(name) {
    if (name === 'auto') delete root.dataset.theme; else root.dataset.theme = name;
    document.getElementById('theme-name').textContent = name;
  }
  let theme = themes.includes(stored('theme')) ? stored('theme') : 'auto';
  showTheme(theme);
  function nextTheme() {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    stored('theme', theme);
    showTheme(theme);
  }

  const keys = document.getElementById('keys');
  const keyHelp = document.getElementById('key-help');
  function toggleKeys() {
    if (keyHelp.matches('dialog')) {
      if (keyHelp.open) {
        keyHelp.close();
      } else {
        shared.fillHelp(keyHelp);
        keyHelp.showModal();
      }
      return;
    }
    keyHelp.hidden = !keyHelp.hidden;
    keys.setAttribute('aria-expanded', String(!keyHelp.hidden));
  }
  document.getElementById('theme').addEventListener('click', nextTheme);
  keys.addEventListener('click', toggleKeys);

  // Current place of the reader: the element that a key went to last.
  let here = null;
  function go(target) {
    if (!target) return;
    leave();
    here = target;
    here.classList.add('here');
    here.setAttribute('tabindex', '-1');
    here.focus({preventScroll: true});
    here.scrollIntoView({block: target.matches('tr') ? 'center' : 'start'});
  }
  function leave() {
    if (here) here.classList.remove('here');
    here = null;
  }
  // Next or previous element of a list in the order of the page, from the reader's current place.
  function step(list, forward) {
    if (!here || !here.isConnected) return forward ? list[0] : list[list.length - 1];
    const after = element => element !== here && element.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_PRECEDING;
    const before = element => element !== here && element.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING;
    return forward ? list.find(after) : list.findLast(before);
  }
  // Runs of consecutive rows that match a selector, each by its first row.
  function pieces(within, selector) {
    return Array.from(within.querySelectorAll(selector)).filter(
        row => !row.previousElementSibling || !row.previousElementSibling.matches(selector));
  }
  // Keys for rows with a missed condition.
  function conditionKeys(within) {
    const rows = () => Array.from(within.querySelectorAll('.chip.cond:not(.good)'), chip => chip.closest('tr'));
    return {c: () => go(step(rows(), true)), C: () => go(step(rows(), false))};
  }
  // Position of a pop-over: below its button, or above it if there is no room; without this it is in the middle of the window.
  function place(pop, button) {
    Object.assign(pop.style, {position: 'absolute', inset: 'auto', margin: '0', left: '0', top: '0'});  // for its full width
    const from = button.getBoundingClientRect();
    const size = pop.getBoundingClientRect();
    const below = from.bottom + size.height + 14 < innerHeight || from.top < size.height + 14;
    pop.style.left = scrollX + Math.max(8, Math.min(from.left, document.documentElement.clientWidth - size.width - 8)) + 'px';
    pop.style.top = scrollY + (below ? from.bottom + 6 : from.top - size.height - 6) + 'px';
  }
  document.addEventListener('toggle', event => {
    const pop = event.target;
    if (event.newState !== 'open' || !pop.matches('.pop')) return;
    const button = Array.from(document.querySelectorAll('[popovertarget]')).find(one => one.getAttribute('popovertarget') === pop.id);
    if (button) place(pop, button);
  }, true);

  function element(tag, className, text) {
    const result = document.createElement(tag);
    if (className) result.className = className;
    if (text !== undefined) result.textContent = text;
    return result;
  }

  // Text of a path, whose folders are in order from left to right also if their names are written from right to left.
  const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
  function pathText(path) {
    const result = document.createDocumentFragment();
    if (!fromRight.test(path)) {
      result.append(path);
      return result;
    }
    path.split('/').forEach((name, i) => {
      const part = element('bdi', '', name);
      part.dir = 'ltr';  // keeps "py" behind the name
      result.append(i > 0 ? '/' : '', part);
    });
    return result;
  }

  // State of a kernel as a chip; the argument is store.kernelState().
  function stateChip({word, className, glyph, tip}) {
    const chip = element('span', 'chip ' + className);
    const sign = element('span', '', glyph + ' ');
    sign.setAttribute('aria-hidden', 'true');
    chip.append(sign, word);
    chip.title = tip;
    return chip;
  }

  // Scroll to the top. In a smooth scroll, the compositor may be a frame ahead and override another scroll, so the scroll is repeated.
  function top() {
    const scroll = () => window.scrollTo({top: 0, behavior: 'instant'});
    scroll();
    requestAnimationFrame(() => requestAnimationFrame(scroll));
  }
  const actions = {t: nextTheme, '?': toggleKeys, 0: () => { leave(); top(); }};
  // `host` is the arch of host code. `fillHelp` fills the list of keys, if that is a dialog. `first` gets a key before the actions, and returns whether it has handled it.
  const shared = {actions, conditionKeys, element, host: 'host', fillHelp: () => {}, first: () => false, go, leave, pathText, pieces, place, stateChip, step, stored, top};
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]')) return;
    const dialog = document.querySelector('dialog[open]');
    if (dialog && !(dialog === keyHelp && event.key === '?')) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (dialog || !shared.first(event)) {
      if (!action) return;
      action();
    }
    event.preventDefault();
  });
  return shared;
})();
