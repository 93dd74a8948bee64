'use strict';
// Finder: a dialog that goes to a file by some letters of its name; "mod:120" goes to a line.
const finder = (function () {
  const element = page.element;
  const dialog = element('dialog', 'finder');
  dialog.id = 'finder';
  dialog.setAttribute('aria-label', 'Go to file');
  const input = Object.assign(element('input'), {type: 'text', placeholder: 'Some letters of a name, :12 for a line', autocomplete: 'off', spellcheck: false});
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-label', 'Go to file');
  input.setAttribute('aria-expanded', 'true');
  input.setAttribute('aria-controls', 'finder-list');
  input.setAttribute('aria-autocomplete', 'list');
  const list = element('ul');
  list.id = 'finder-list';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Files');
  const status = element('p', 'quiet');
  status.setAttribute('role', 'status');
  dialog.append(input, list, status);
  document.body.append(dialog);

  const most = 60;
  const seen = [];  // recently opened files, latest first
  let found = [];
  let chosen = 0;
  let line = 0;
  function choose(i) {
    chosen = Math.max(0, Math.min(found.length - 1, i));
    Array.from(list.children).forEach((option, at) => option.setAttribute('aria-selected', String(at === chosen)));
    const option = list.children[chosen];
    if (option) {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({block: 'nearest', behavior: 'instant'});
    } else {
      input.removeAttribute('aria-activedescendant');
    }
  }
  function search() {
    const typed = /^(.*?)(?::L?(\d+))?$/s.exec(input.value);
    line = Number(typed[2] ?? 0);
    const files = typed[1].trim() === '' ? [...seen, ...store.files.filter(file => !seen.includes(file))] : store.files;
    found = fuzzy.find(typed[1], files, file => file.path, most);
    list.replaceChildren(...found.map(({item, places}, i) => {
      const option = element('li');
      option.id = 'finder-' + i;
      option.setAttribute('role', 'option');
      const name = element('span', 'path');
      name.append(fuzzy.marked(item.path, places));
      const all = store.total(item.n);
      const chip = element('span', 'chip ' + store.quality(store.done(item.n), all), all === 0 ? '–' : store.percent(store.done(item.n), all) + '%');
      option.append(name, chip);
      option.addEventListener('click', () => go(i));
      return option;
    }));
    status.textContent = found.length === 0 ? 'No file fits.' : found.length === most ? 'The ' + most + ' best matches' : '';
    choose(0);
  }
  function go(i) {
    if (!found[i]) return;
    dialog.close();
    page.navigate(page.hashOf(found[i].item.path, line));
  }
  input.addEventListener('input', search);
  input.addEventListener('keydown', event => {
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8};
    if (Object.hasOwn(steps, event.key)) choose(chosen + steps[event.key]);
    else if (event.key === 'Enter') go(chosen);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close();
  });

  return {
    open() {
      input.value = '';
      dialog.showModal();
      search();
      input.focus();
    },
    saw(file) {
      if (seen.includes(file)) seen.splice(seen.indexOf(file), 1);
      seen.unshift(file);
    },
  };
})();
