'use strict';
// Cells of a row of the index: names with their links, and numbers with a bar.
const cells = (function () {
  const element = page.element;

  // Name of a file. A path that is too long is cut at its beginning, not at its end.
  function name(row) {
    const cell = element('td', 'name');
    const line = element('div', 'entry');
    cell.append(line);
    if (row.depth) {
      cell.style.setProperty('--depth', row.depth - 1);
      const twist = element('span', 'twist', row.folder ? (row.open ? '▾' : '▸') : '');
      twist.setAttribute('aria-hidden', 'true');
      line.append(twist);
    }
    const link = element('a', 'path');
    link.tabIndex = -1;
    const text = element('bdi');
    text.dir = 'ltr';
    link.append(text);
    line.append(link);
    if (row.folder) {
      link.href = page.hashOf(row.item.path);
      text.append(page.pathText(row.item.name));
      line.append(element('span', 'quiet', columns.format(row.item.count)));
      return cell;
    }
    const file = row.file;
    const shown = file.path.slice(row.depth ? file.path.lastIndexOf('/') + 1 : store.prefix.length);
    const base = shown.lastIndexOf('/') + 1;
    link.href = page.hashOf(file.path, row.line);
    for (const [className, part] of [['folder', shown.slice(0, base)], ['base', shown.slice(base)]]) {
      if (part === '') continue;
      const span = element('span', className);
      span.append(page.pathText(part));
      text.append(span);
    }
    cell.title = file.path;
    if (file.kernel) {
      const chip = element('span', 'chip kernel', 'kernel');
      chip.title = 'Some of it ran in a kernel';
      line.append(chip);
    }
    return cell;
  }
  // Name of the file in tables of functions, quiet after the first of consecutive functions of a file.
  function file(row, again) {
    const cell = name(row);
    cell.classList.add('of-file');
    cell.classList.toggle('again', again);
    return cell;
  }
  function region(row, noun) {
    const cell = element('td', 'name region');
    const link = element('a', row.name ? '' : 'quiet', row.name || '(no ' + noun + ')');
    link.tabIndex = -1;
    link.href = page.hashOf(row.file.path, row.line);
    cell.title = link.textContent;
    if (row.kind !== 0) {
      cell.append(link);
      return cell;
    }
    const line = element('div', 'entry');
    const chip = element('span', 'chip none', 'func');
    chip.title = 'A func, which kernels call';
    line.append(link, chip);
    cell.append(line);
    return cell;
  }
  function state(row) {
    const cell = element('td', 'state');
    cell.append(page.stateChip(store.kernelState(row.state, row.kind)));
    return cell;
  }
  /// Cells of the columns `list`; `row` has `n`, and the data for columns of rows.
  function numbers(list, row) {
    const result = [];
    for (const column of list) {
      if (column.name) continue;
      if (column.id === 'state') {
        result.push(row.state === undefined ? element('td', 'state') : state(row));
        continue;
      }
      const text = column.ofRow && row.fired === undefined ? '' : column.text(column.ofRow ? row : row.n);
      const cell = element('td', columns.classOf(column) + (columns.isNothing(text) ? ' zero' : ''));
      cell.append(text === '0' && column.all ? element('span', 'unseen', text) : text);  // no zeros beside what is to be seen
      if (column.titleOf && text) cell.title = column.titleOf(row);
      result.push(cell);
    }
    const cell = element('td', 'meter-cell');
    cell.append(columns.bar(row.n));
    return [...result, cell];
  }

  return {file, name, region, numbers};
})();
