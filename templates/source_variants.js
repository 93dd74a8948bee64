'use strict';
// Variants pop-over of a kernel, a func or a template: the coverage of each variant or instantiation.
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

  const runs = one => one.runs > 0 ? columns.format(one.runs) : one.device && one.ran > 0 ? '–' : '0';

  function row(one, path, shown) {
    const knows = one.statements !== undefined;
    const cells = shown.names ? [['', one.name ? element('code', '', one.name) : '–']] : [];
    if (shown.kernels) cells.push(['', element('code', '', one.runs)]);
    if (shown.devices) cells.push(one.device);
    if (!shown.kernels) cells.push(runs(one));
    if (shown.statements) cells.push(knows ? share(one.ran, one.statements) : '–');
    if (shown.branches) cells.push(knows ? share(one.taken, one.branches) : '–');
    if (shown.statements) cells.push(knows ? missing(path, one.missing) : '');
    return cells;
  }

  return function SourceVariants(model, path, line) {
    const {kind, listed} = model.variantsOf(line);
    const isTemplate = kind === 'template';
    const shown = {
      names: listed.some(one => one.name), kernels: kind === 'func', devices: listed.some(one => one.device),
      statements: listed.some(one => one.statements !== undefined), branches: listed.some(one => one.branches > 0),
    };
    const noun = isTemplate ? 'instantiation' : 'variant';
    const head = shown.names ? [isTemplate ? 'Instantiation' : 'Variant'] : [];
    if (shown.kernels) head.push('Kernel');
    if (shown.devices) head.push('Device');
    if (!shown.kernels) head.push(isTemplate ? 'Calls' : 'Launches');
    if (shown.statements) head.push('Statements');
    if (shown.branches) head.push('Branches');
    if (shown.statements) head.push('Missing');
    const parts = [heading(line, listed.length + ' ' + noun + (listed.length === 1 ? '' : 's')), element('div', 'wide', table(head, listed.map(one => row(one, path, shown))))];
    if (!isTemplate && model.contexts) parts.push(element('p', '', 'What all tests ran, not only the chosen ones.'));
    if (!shown.statements) parts.push(element('p', '', 'The imported report does not say which lines each of them ran.'));
    return parts;
  };
})();
