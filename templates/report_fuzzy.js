'use strict';
// Fuzzy matching: the score of typed letters for a name, and the positions of the letters in the name.
const fuzzy = (function () {
  // Lower case of a text, with each letter at the position of its capital.
  const fold = text => {
    const small = text.toLowerCase();
    return small.length === text.length ? small : Array.from({length: text.length}, (_, i) => text[i].toLowerCase().slice(0, 1)).join('');
  };
  const isStart = (text, i) => i === 0 || '/_.- '.includes(text[i - 1]) || (/\p{Ll}/u.test(text[i - 1]) && /\p{Lu}/u.test(text[i]));

  // Best way to find `letters` in order in `text`: letters in a row, at the start of words and in the last part of a path count more.
  // Works back from the end: best[i] is the best score of the letters from `at` on when text[i] is the first of them.
  function match(letters, text) {
    const folded = fold(text);
    const n = letters.length;
    let from = 0;
    for (const letter of letters) {  // a quick test, because most names do not fit
      from = folded.indexOf(letter, from) + 1;
      if (from === 0) return null;
    }
    const base = text.lastIndexOf('/', text.length - 2) + 1;
    const worth = i => 1 + (isStart(text, i) ? 6 : 0) + (i >= base ? 3 : 0);
    const next = [];  // [letter][position] -> position of the next letter
    let after = null;
    for (let at = n - 1; at >= 0; --at) {
      const best = new Float64Array(text.length).fill(-Infinity);
      const choice = new Int32Array(text.length);
      let ahead = -Infinity, aheadAt = -1;  // best position of the next letter that is not directly behind this one
      for (let i = folded.length - 1; i >= 0; --i) {
        if (after && i + 2 < folded.length && after[i + 2] > ahead) {
          ahead = after[i + 2];
          aheadAt = i + 2;
        }
        if (folded[i] !== letters[at]) continue;
        if (!after) {
          best[i] = worth(i);
          continue;
        }
        const joined = i + 1 < folded.length ? after[i + 1] + 8 : -Infinity;
        const apart = ahead - 1;
        if (joined === -Infinity && apart === -Infinity) continue;
        best[i] = worth(i) + Math.max(joined, apart);
        choice[i] = joined >= apart ? i + 1 : aheadAt;
      }
      next[at] = choice;
      after = best;
    }
    let place = 0;
    for (let i = 1; i < after.length; ++i) if (after[i] > after[place]) place = i;
    if (after[place] === -Infinity) return null;
    const score = after[place] - text.length / 50;
    const places = [place];
    for (let at = 0; at + 1 < n; ++at) places.push(place = next[at][place]);
    return {score, places};
  }

  // Copy of `text` in which the letters at `places` are marked.
  function marked(text, places) {
    const result = document.createDocumentFragment();
    let at = 0;
    for (let k = 0; k < places.length;) {
      let end = k;
      while (end + 1 < places.length && places[end + 1] === places[end] + 1) ++end;
      result.append(text.slice(at, places[k]), page.element('mark', '', text.slice(places[k], places[end] + 1)));
      at = places[end] + 1;
      k = end + 1;
    }
    result.append(text.slice(at));
    return result;
  }

  return {
    /// Returns the items whose names fit the typed text, best first: [{item, places}].
    find(typed, items, name, most) {
      const letters = Array.from(fold(typed)).filter(letter => letter.trim() !== '').join('');
      if (letters === '') return items.slice(0, most).map(item => ({item, places: []}));
      const found = [];
      for (const item of items) {
        const fit = match(letters, name(item));
        if (fit) found.push({item, ...fit});
      }
      found.sort((a, b) => b.score - a.score || name(a.item).length - name(b.item).length);
      return found.slice(0, most);
    },
    marked,
  };
})();
