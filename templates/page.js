'use strict';
// Themes and keys. All content is in the page already: without scripts it can be read as well.
(function () {
  const root = document.documentElement;
  const themes = ['auto', 'light', 'dark'];
  function stored(value) {
    try {
      if (value !== undefined) localStorage.setItem('qd-cov-theme', value);
      return localStorage.getItem('qd-cov-theme');
    } catch (error) {
      return value;  // a page without storage keeps its theme for as long as it is open
    }
  }
  function showTheme(name) {
    if (name === 'auto') delete root.dataset.theme; else root.dataset.theme = name;
    document.getElementById('theme-name').textContent = name;
  }
  let theme = themes.includes(stored()) ? stored() : 'auto';
  showTheme(theme);
  function nextTheme() {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    stored(theme);
    showTheme(theme);
  }

  const keys = document.getElementById('keys');
  const keyHelp = document.getElementById('key-help');
  function toggleKeys() {
    keyHelp.hidden = !keyHelp.hidden;
    keys.setAttribute('aria-expanded', String(!keyHelp.hidden));
  }
  document.getElementById('theme').addEventListener('click', nextTheme);
  keys.addEventListener('click', toggleKeys);

  // A piece is a run of missing or partial changed lines; we stop at its first line.
  const lacking = 'tr.new.mis, tr.new.par';
  const pieces = Array.from(document.querySelectorAll(lacking)).filter(
      row => !row.previousElementSibling || !row.previousElementSibling.matches(lacking));
  const files = Array.from(document.querySelectorAll('section.file'));
  let here = null;
  function go(target) {
    if (!target) return;
    if (here) here.classList.remove('here');
    here = target;
    here.classList.add('here');
    here.setAttribute('tabindex', '-1');
    here.focus({preventScroll: true});
    here.scrollIntoView({block: target.matches('tr') ? 'center' : 'start'});
  }
  // Next or previous of a list that is in the order of the page, seen from where the reader is.
  function step(list, forward) {
    const at = here && here.isConnected ? here : null;
    const place = element => element.compareDocumentPosition(at);
    if (!at) return forward ? list[0] : list[list.length - 1];
    if (forward) return list.find(element => place(element) & Node.DOCUMENT_POSITION_PRECEDING && element !== at);
    return list.findLast(element => place(element) & Node.DOCUMENT_POSITION_FOLLOWING && element !== at);
  }
  const actions = {
    j: () => go(step(pieces, true)),
    k: () => go(step(pieces, false)),
    ']': () => go(step(files, true)),
    '[': () => go(step(files, false)),
    0: () => { here = null; window.scrollTo(0, 0); },
    u: () => { here = null; window.scrollTo(0, 0); },
    t: nextTheme,
    '?': toggleKeys,
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches('input, textarea, select, [contenteditable]')) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (!action) return;
    event.preventDefault();
    action();
  });
})();
