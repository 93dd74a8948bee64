'use strict';
// Folder tree with the numbers of each folder's files summed up: its rows, and the open folders.
const tree = (function () {
  // Tree of folders. A chain of folders with one folder each is one row: "src/pkg". `top` is the folder that contains all, and has no row.
  function build(files, top) {
    const root = {path: top, name: '', folders: new Map(), files: []};
    for (const file of files) {
      const names = file.path.slice(top.length).split('/');
      let folder = root;
      for (let i = 0; i + 1 < names.length; ++i) {
        if (!folder.folders.has(names[i])) {
          folder.folders.set(names[i], {path: folder.path + names[i] + '/', name: names[i] + '/', folders: new Map(), files: []});
        }
        folder = folder.folders.get(names[i]);
      }
      folder.files.push(file);
    }
    return join(root, true);
  }
  function join(folder, isTop) {
    folder.folders = Array.from(folder.folders.values(), one => join(one, false));
    folder.n = store.sum([...folder.folders.map(one => one.n), ...folder.files.map(one => one.n)]);
    folder.count = folder.files.length + folder.folders.reduce((count, one) => count + one.count, 0);
    folder.kernel = folder.files.some(one => one.kernel) || folder.folders.some(one => one.kernel);
    const [only] = folder.folders;
    if (isTop || folder.files.length > 0 || folder.folders.length !== 1) return folder;
    return {...only, name: folder.name + only.name};
  }

  // Folders that the reader opened and closed; others are open while there is room.
  const key = 'tree:' + location.pathname;
  let choice = {};
  try {
    choice = JSON.parse(page.stored(key)) ?? {};
  } catch (error) {
    choice = {};
  }
  function openFirst(root) {
    const open = new Set();
    let room = 40 - root.folders.length - root.files.length;
    let level = root.folders;
    while (level.length > 0) {
      const wanted = level.reduce((count, one) => count + one.folders.length + one.files.length, 0);
      if (wanted > room && level !== root.folders) break;
      if (wanted > room && root.folders.length > 1) break;
      room -= wanted;
      for (const one of level) open.add(one.path);
      level = level.flatMap(one => one.folders);
    }
    return open;
  }
  let byDefault = null;

  return {
    /// Returns rows {folder or file, depth, ...} of `files`, all in the folder `top`, in the order of `compare`; `all` opens every folder. The root is
    /// the folder `top`: {path, name, n, folders, files}.
    rows(files, top, compare, all) {
      const root = build(files, top);
      byDefault ??= openFirst(files.length === store.files.length ? root : build(store.files, store.prefix));
      const rows = [];
      function visit(folder, depth) {
        const items = [...folder.folders, ...folder.files];
        items.sort((a, b) => compare(a, b) || Number(!a.folders) - Number(!b.folders));
        items.forEach((item, i) => {
          const open = item.folders && (all || (Object.hasOwn(choice, item.path) ? choice[item.path] === 1 : byDefault.has(item.path)));
          rows.push({item, depth, n: item.n, folder: Boolean(item.folders), open: Boolean(open), place: i + 1, of: items.length});
          if (open) visit(item, depth + 1);
        });
      }
      visit(root, 1);
      return {root, rows};
    },
    open(path, open) {
      choice[path] = open ? 1 : 0;
      page.stored(key, JSON.stringify(choice));
    },
    openAll(open) {
      choice = {};
      const visit = folder => {
        for (const one of folder.folders) {
          choice[one.path] = open ? 1 : 0;
          visit(one);
        }
      };
      visit(build(store.files, store.prefix));
      page.stored(key, JSON.stringify(choice));
    },
  };
})();
