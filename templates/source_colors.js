'use strict';
// Syntax colours, computed by the browser for the part of a file that is looked at, so that they cost the report nothing.
// Kinds are the classes of style.css: k(eyword), s(tring), i (number), h (comment), f (name defined, or decorator).
const SourceColors = (function () {
  const words = text => new Set(text.split(' '));
  const pythonKeywords = words('False None True and as assert async await break class continue def del elif else except finally for from global if ' +
      'import in is lambda nonlocal not or pass raise return try while with yield');
  // Soft keywords, each with the pattern of the text behind it.
  const softKeywords = {
    match: /[ \t]*[^\s=,.:;)\]}][^\n]*:[ \t]*(?:#.*)?$/my,
    case: /[ \t]*[^\s=,.:;)\]}][^\n]*:/y,
    type: /[ \t]+[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*[ \t]*(?:\[[^\n]*\])?[ \t]*=/y,
  };
  const cKeywords = words('alignas alignof asm auto bool break case catch char char16_t char32_t char8_t class co_await co_return co_yield concept const ' +
      'const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit export extern false float ' +
      'for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast requires ' +
      'return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename ' +
      'union unsigned using virtual void volatile wchar_t while');

  const name = String.raw`[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*`;
  const number = String.raw`0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?`;
  const pythonToken = new RegExp(
      String.raw`(#[^\n]*)|([rR][bBfFtT]?|[bBfFtT][rR]?|[uU])?("""|'''|"|')|(${name})|(${number})|([@.(){}\[\]:\n])|\\\n`, 'g');
  const cToken = new RegExp(
      String.raw`(//(?:\\\n|[^\n])*|/\*[^]*?(?:\*/|$(?![^]))|^[ \t]*#[ \t]*(?:include[ \t]*<[^>\n]*>|[a-z]+))|` +
      String.raw`((?:u8|[uUL])?(?:R"([^(\s]*)\([^]*?(?:\)\3"|$(?![^]))|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?))|(${name})|` +
      String.raw`(\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)`, 'gm');

  function isEscaped(text, at, from) {
    let first = at;
    while (first > from && text[first - 1] === '\\') --first;
    return (at - first) % 2 === 1;
  }
  // End of a string; an unterminated one ends with its line, or with the text.
  function endOfString(text, from, quote) {
    const ends = quote.length === 1 ? new RegExp('[' + quote + '\n]', 'g') : new RegExp(quote, 'g');
    ends.lastIndex = from;
    for (let found; (found = ends.exec(text)) !== null;) {
      if (isEscaped(text, found.index, from)) ends.lastIndex = found.index + 1;
      else return found[0] === '\n' ? found.index : ends.lastIndex;
    }
    return text.length;
  }

  // Coloured spans of Python in order: [begin, end, kind].
  function* python(text) {
    // Stack of open parts of f-strings: their text, the expression of a replacement field, its format (text again).
    const open = [];
    let depth = 0;         // number of open brackets outside of f-strings
    let lineStart = true;  // at the start of a logical line
    let names = '';        // kind of a name if it is the next token: '', 'defined', 'decorator'
    let at = 0;
    // Spans of the text of an f-string, or of a format, to its end or to the next replacement field.
    function* fstringText(begin) {
      const {quote, raw, kind} = open.at(-1);
      const close = () => { while (open.pop().kind !== 'text'); };
      for (; at < text.length; ++at) {
        const letter = text[at];
        if (letter === '\\') {
          if (!raw && text.startsWith('N{', at + 1)) at = Math.max(at, text.indexOf('}', at));
          else if (text[at + 1] !== '{' && text[at + 1] !== '}') ++at;
        } else if (letter === '{' && text[at + 1] === '{' && kind === 'text') {
          ++at;
        } else if (letter === '{') {
          open.push({kind: 'field', depth: 0, quote, raw});
          break;
        } else if (letter === '}' && kind === 'format') {
          open.pop();
          open.pop();
          break;
        } else if (letter === '\n' && quote.length === 1) {
          close();
          break;
        } else if (text.startsWith(quote, at)) {
          at += quote.length;
          close();
          yield [begin, at, 's'];
          return;
        }
      }
      at = Math.min(at, text.length);
      if (begin < at) yield [begin, at, 's'];
      if (text[at] === '{' || text[at] === '}') ++at;
      else if (at === text.length) open.length = 0;
    }
    function* fieldSign(sign) {
      const field = open.at(-1);
      if ('([{'.includes(sign)) ++field.depth;
      else if (field.depth > 0 && ')]}'.includes(sign)) --field.depth;
      else if (sign === '}') open.pop();
      else if (sign === ':' && field.depth === 0) open.push({...field, kind: 'format'});
    }
    for (;;) {
      if (open.length > 0 && open.at(-1).kind !== 'field') {
        yield* fstringText(at);
        continue;
      }
      pythonToken.lastIndex = at;
      const found = pythonToken.exec(text);
      if (!found) return;
      const begin = found.index;
      at = pythonToken.lastIndex;
      const [, comment, prefix = '', quote, word, figure, sign] = found;
      if (comment !== undefined) {
        yield [begin, at, 'h'];
        continue;
      }
      if (sign === '\n') {
        lineStart = lineStart || (depth === 0 && open.length === 0);
        continue;
      }
      if (found[0] === '\\\n') continue;
      const expected = names;
      names = '';
      if (quote !== undefined && /[fFtT]/.test(prefix)) {
        open.push({kind: 'text', quote, raw: /[rR]/.test(prefix)});
        yield* fstringText(begin);
      } else if (quote !== undefined) {
        at = endOfString(text, at, quote);
        yield [begin, at, 's'];
      } else if (figure !== undefined) {
        yield [begin, at, 'i'];
      } else if (word !== undefined && pythonKeywords.has(word)) {
        yield [begin, at, 'k'];
        if (word === 'def' || word === 'class') names = 'defined';
      } else if (word !== undefined && expected) {
        yield [begin, at, 'f'];
        if (expected === 'decorator') names = expected;
      } else if (word !== undefined && lineStart && Object.hasOwn(softKeywords, word)) {
        softKeywords[word].lastIndex = at;
        if (softKeywords[word].test(text)) yield [begin, at, 'k'];
      } else if ((sign === '@' && lineStart) || (sign === '.' && expected === 'decorator')) {
        yield [begin, at, 'f'];
        names = 'decorator';
      } else if (sign !== undefined && open.length > 0) {
        yield* fieldSign(sign);
      } else if (sign !== undefined && '([{'.includes(sign)) {
        ++depth;
      } else if (sign !== undefined && ')]}'.includes(sign)) {
        depth = Math.max(0, depth - 1);
      }
      lineStart = false;
    }
  }

  function* c(text) {
    cToken.lastIndex = 0;
    for (let found; (found = cToken.exec(text)) !== null;) {
      const [whole, comment, string, , word, figure] = found;
      const at = cToken.lastIndex;
      if (comment !== undefined) yield [found.index, at, whole.startsWith('/') ? 'h' : 'f'];
      else if (string !== undefined) yield [found.index, at, 's'];
      else if (figure !== undefined) yield [found.index, at, 'i'];
      else if (cKeywords.has(word)) yield [found.index, at, 'k'];
    }
  }

  const languages = {python, c};

  /// Colours of `text`, computed as far as needed. `within(begin, end, use)` calls use(begin, end, kind) for each span there, in order, cut to it.
  return function SourceColors(text, language) {
    const tokens = Object.hasOwn(languages, language) ? languages[language](text) : [][Symbol.iterator]();
    const begins = [], ends = [], kinds = [];
    let read = 0;  // end of the computed part
    function readTo(offset) {
      while (read < offset) {
        const {done, value} = tokens.next();
        if (done) {
          read = Infinity;
          break;
        }
        begins.push(value[0]);
        ends.push(value[1]);
        kinds.push(value[2]);
        read = value[1];
      }
    }
    return {
      within(begin, end, use) {
        readTo(end);
        let low = 0, high = ends.length;  // binary search for the first span that ends after `begin`
        while (low < high) {
          const middle = (low + high) >> 1;
          if (ends[middle] <= begin) low = middle + 1; else high = middle;
        }
        for (; low < begins.length && begins[low] < end; ++low) use(Math.max(begin, begins[low]), Math.min(end, ends[low]), kinds[low]);
      },
    };
  };
})();
