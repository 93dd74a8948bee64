'use strict';
// Order of names, and numbers as text, as in Intl.Collator ('en', numeric) and Intl.NumberFormat. Making these costs a browser 20 ms each on a page that was
// just opened, so ASCII names are compared without.
const names = (function () {
  // Characters in sort keys: letters are themselves in lower case; signs and digits, which come before letters, are control characters.
  const signs = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789';
  const letters = new Map(Array.from(signs, (sign, i) => [sign, String.fromCharCode(i + 1)]));
  const plain = /^[ -~]*$/;
  const usual = /^[a-z_./-]*$/;  // for these a key is made quickly
  let collator = null;

  // Sort key of a name, for comparison as text: digits behind their number, and last the case of its letters. Null: not ASCII.
  function keyOf(name) {
    if (usual.test(name)) return name.replaceAll('_', '\x02').replaceAll('-', '\x03').replaceAll('.', '\x09').replaceAll('/', '\x14') + '\0';
    if (!plain.test(name)) return null;
    let key = '';
    for (let i = 0; i < name.length; ++i) {
      const letter = name[i];
      key += letters.get(letter) ?? letter.toLowerCase();
      if (letter < '0' || letter > '9') continue;
      let end = i + 1;
      while (name[end] >= '0' && name[end] <= '9') ++end;
      const digits = name.slice(i, end).replace(/^0+/, '');
      key = key.slice(0, -1) + letters.get('0') + String.fromCharCode(digits.length + 1) + digits;
      i = end - 1;
    }
    return key + '\0' + name.replace(/[^A-Za-z]/g, '').replace(/[a-z]/g, ' ').trimEnd();
  }
  function compare(a, b) {
    if (a.key !== null && b.key !== null) return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
    collator ??= new Intl.Collator('en', {numeric: true});
    return collator.compare(a.name, b.name);
  }
  const withKey = name => ({name, key: keyOf(name)});
  return {
    compare: (a, b) => compare(withKey(a), withKey(b)),
    /// Comparator by name, which makes the key of each name once. A common prefix of all names may be left out of them.
    by(nameOf) {
      const known = new Map();
      const keyed = one => {
        let result = known.get(one);
        if (!result) known.set(one, result = withKey(nameOf(one)));
        return result;
      };
      return (a, b) => compare(keyed(a), keyed(b));
    },
    /// Text of a whole number: "12,345".
    format: value => String(value).replace(/\B(?=(?:\d{3})+$)/g, ','),
  };
})();
