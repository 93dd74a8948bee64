'use strict';
// The order of names, and numbers as text: as Intl.Collator ('en', numeric) and Intl.NumberFormat have them. Making these costs a browser 20 ms each on a page
// that was just opened, so ASCII names are compared without.
const names = (function () {
  // What stands for letters in keys: small letters for themselves, and signs and digits, which come before them, for characters below.
  const signs = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789';
  const letters = new Map(Array.from(signs, (sign, i) => [sign, String.fromCharCode(i + 1)]));
  const plain = /^[ -~]*$/;
  const usual = /^[a-z_./-]*$/;  // has a key that is made in no time
  let collator = null;

  // Texts in the order of names, compared as browsers compare texts: digits behind their number, and last which letters are capitals. Null: not ASCII.
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
    /// For sorting: compares what has a name, and makes the key of each once. What all names begin with may be left out of them.
    by(nameOf) {
      const known = new Map();
      const keyed = one => {
        let result = known.get(one);
        if (!result) known.set(one, result = withKey(nameOf(one)));
        return result;
      };
      return (a, b) => compare(keyed(a), keyed(b));
    },
    /// "12,345" of a whole number.
    format: value => String(value).replace(/\B(?=(?:\d{3})+$)/g, ','),
  };
})();
