'use strict';
// Tests of contexts: the phases of a test, in host code and on devices, are contexts of one test.
const tests = (function () {
  const outside = 'outside tests (import, collection)';
  const element = page.element;
  let known = null;  // {list, of}

  async function load() {
    if (known) return known;
    const [testNames, devices, of, runs] = await Promise.all([store.names(), store.devices(), store.tests(), store.runs()]);
    const list = [];
    devices.forEach((name, id) => {
      const device = name || page.host;
      const test = list[of[id]] ??= {id: of[id], name: testNames[of[id]], contexts: [], devices: [], list: runs[of[id]] ?? [], files: 0, statements: 0};
      test.contexts.push(id);
      if (!test.devices.includes(device)) test.devices.push(device);
    });
    for (const test of list) {
      test.files = test.list.length / 2;
      for (let i = 1; i < test.list.length; i += 2) test.statements += test.list[i];
      test.devices.sort((a, b) => Number(a !== page.host) - Number(b !== page.host) || names.compare(a, b));
    }
    known = {list, of: of.map(id => list[id])};
    return known;
  }

  // Short form of a long text, cut in the middle: the end of a name tells more.
  const shortened = (text, size) => text.length <= size ? text : text.slice(0, Math.ceil(size * .45)) + '…' + text.slice(text.length - Math.floor(size * .55) + 1);
  /// Label of a test: its name, and its file in grey.
  function label(test, size = 120, withFile = true) {
    const result = document.createDocumentFragment();
    const cut = test.name.indexOf('::');
    const name = test.name === '' ? outside : cut < 0 ? test.name : test.name.slice(cut + 2);
    const shown = element('span', test.name === '' ? 'quiet' : 'test-name', shortened(name, size));
    result.append(shown);
    if (cut >= 0 && withFile) result.append(' ', element('span', 'quiet', shortened(test.name.slice(0, cut), size)));
    return result;
  }
  /// Chips for the devices of a test, unless it only ran host code.
  function devices(test) {
    if (test.devices.length === 1 && test.devices[0] === page.host) return [];
    return test.devices.map(device => element('span', 'chip ' + (device === page.host ? 'none' : 'kernel'), device));
  }
  const title = test => test.name === '' ? outside : test.name;
  return {
    load, label, devices, title, shortened,
    /// Returns the tests of some contexts, each once, sorted.
    sorted: ids => Array.from(new Set(Array.from(ids, id => known.of[id]))).sort(names.by(test => test.name)),
    byName: name => known.list.find(test => test.name === name),
    /// "test" or "context": not every context is one of a test. Call it after load().
    get noun() { return known?.list.some(({name}) => name.includes('::') || /(^|\.)test/i.test(name)) ? 'test' : 'context'; },
    count: n => n + ' ' + tests.noun + (n === 1 ? '' : 's'),
  };
})();
