'use strict';
// The order of names, and numbers as text: as Intl.Collator ('en', numeric) and Intl.NumberFormat have them. Making these costs a browser 20 ms each on a page
// that was just opened, so ASCII names are compared without.
const names = (function () {
  const order = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
  const weights = new Uint8Array(128);
  for (let i = 0; i < order.length; ++i) weights[order.charCodeAt(i)] = weights[order[i].toUpperCase().charCodeAt(0)] = i + 1;
  const isDigit = code => code >= 48 && code <= 57;
  const plain = /^[ -~]*$/;
  let collator = null;

  // Where the digits end that begin at `from`, and where those begin that are no leading zeros.
  function digits(text, from) {
    let [first, end] = [from, from];
    while (text.charCodeAt(first) === 48) ++first;
    for (end = first; isDigit(text.charCodeAt(end)); ++end);
    return [first, end];
  }
  function comparePlain(a, b) {
    let [i, j, capitals] = [0, 0, 0];
    while (i < a.length && j < b.length) {
      const [one, other] = [a.charCodeAt(i), b.charCodeAt(j)];
      if (isDigit(one) && isDigit(other)) {
        const [first, end] = digits(a, i);
        const [otherFirst, otherEnd] = digits(b, j);
        const longer = (end - first) - (otherEnd - otherFirst);
        if (longer !== 0) return longer;
        for (let k = 0; k < end - first; ++k) {
          const larger = a.charCodeAt(first + k) - b.charCodeAt(otherFirst + k);
          if (larger !== 0) return larger;
        }
        [i, j] = [end, otherEnd];
        continue;
      }
      if (weights[one] !== weights[other]) return weights[one] - weights[other];
      capitals ||= other - one;  // of names that differ in capitals alone, small letters come first
      ++i;
      ++j;
    }
    return (a.length - i) - (b.length - j) || capitals;
  }
  return {
    compare(a, b) {
      if (plain.test(a) && plain.test(b)) return comparePlain(a, b);
      collator ??= new Intl.Collator('en', {numeric: true});
      return collator.compare(a, b);
    },
    /// "12,345" of a whole number.
    format: value => String(value).replace(/\B(?=(?:\d{3})+$)/g, ','),
  };
})();
