'use strict';
// The content of a pop-over on the variants of a kernel, or the instantiations of a template: the coverage of each.
const SourceVariants = (function () {
  const {element, heading, table} = SourcePops;

  function missing(path, ranges) {
    const cell = ['missing'];
    for (let i = 0; i < ranges.length; i += 2) {
      const [first, last] = [ranges[i], ranges[i + 1]];
      const link = element('a', '', first === last ? String(first) : first + '–' + last);
      link.href = page.hashOf(path, first, last);
      if (i > 0) cell.push(', ');
      cell.push(link);
    }
    return cell;
  }
  const share = (some, all) => all === 0 ? '–' : [some === all ? 'yes' : 'no', some + '/' + all];

  function row(one, path, shown) {
    const knows = one.statements !== undefined;
    const cells = [['', element('code', '', one.name)]];
    if (shown.devices) cells.push(one.device);
    cells.push(one.runs > 0 ? columns.format(one.runs) : one.device && one.ran > 0 ? '–' : '0');
    if (shown.statements) cells.push(knows ? share(one.ran, one.statements) : '–');
    if (shown.branches) cells.push(knows ? share(one.taken, one.branches) : '–');
    if (shown.statements) cells.push(knows ? missing(path, one.missing) : '');
    return cells;
  }

  return function SourceVariants(model, path, line) {
    const {isKernel, listed} = model.variantsOf(line);
    const shown = {devices: listed.some(one => one.device), statements: listed.some(one => one.statements !== undefined), branches: listed.some(one => one.branches > 0)};
    const noun = isKernel ? 'variant' : 'instantiation';
    const head = [isKernel ? 'Variant' : 'Instantiation', isKernel ? 'Launches' : 'Calls'];
    if (shown.devices) head.splice(1, 0, 'Device');
    if (shown.statements) head.push('Statements');
    if (shown.branches) head.push('Branches');
    if (shown.statements) head.push('Missing');
    const parts = [heading(line, listed.length + ' ' + noun + (listed.length === 1 ? '' : 's')), element('div', 'wide', table(head, listed.map(one => row(one, path, shown))))];
    if (isKernel && model.contexts) parts.push(element('p', '', 'What all tests ran, not only the chosen ones.'));
    if (!shown.statements) parts.push(element('p', '', 'The imported report does not say which lines each of them ran.'));
    return parts;
  };
})();
