'use strict';
// Diff page: its keys. All content is in the page already: it can be read without scripts.
(function () {
  const missing = page.pieces(document, 'tr.new.mis, tr.new.par, tr.lost');
  const files = Array.from(document.querySelectorAll('section.file'));
  Object.assign(page.actions, {
    j: () => page.go(page.step(missing, true)),
    k: () => page.go(page.step(missing, false)),
    ']': () => page.go(page.step(files, true)),
    '[': () => page.go(page.step(files, false)),
    1: () => page.go(missing[0]),
    ...page.conditionKeys(document),
    u: page.actions[0],
  });
})();
