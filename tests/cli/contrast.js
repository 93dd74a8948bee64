// The least contrast of every kind of text that is on the screen, as WCAG 2 counts it, where it is below `arguments[0]`: a function body for a browser.
// Backgrounds, inner shadows that fill a box and opacities are laid over each other from the page up to the text.
function rgba(text) {
  const numbers = text.match(/-?[\d.]+(e-?\d+)?/g).map(Number);
  const scale = text.startsWith('color(') ? 255 : 1;
  return [numbers[0] * scale, numbers[1] * scale, numbers[2] * scale, numbers[3] ?? 1];
}
const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
function luminance(color) {
  const [red, green, blue] = color.map(one => one / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
const name = one => one.tagName.toLowerCase() + Array.from(one.classList, word => '.' + word).join('');

const paper = over(rgba(getComputedStyle(document.body).backgroundColor), [255, 255, 255, 1]);
const least = new Map();  // kind of text -> [contrast, text]
const texts = document.createTreeWalker(document.querySelector('dialog[open]') ?? document.body, NodeFilter.SHOW_TEXT);
for (let text = texts.nextNode(); text; text = texts.nextNode()) {
  const holder = text.parentElement;
  if (text.data.trim() === '' || !holder.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
  if (holder.closest('.unseen, .skip, script, style, [aria-hidden=true]')) continue;
  const chain = [];
  for (let one = holder; one && one !== document.documentElement; one = one.parentElement) chain.unshift(one);
  let under = paper, behind = paper, opacity = 1;
  for (const one of chain) {
    const style = getComputedStyle(one);
    if (style.opacity !== '1') {
      if (opacity === 1) behind = under;
      opacity *= Number(style.opacity);
    }
    under = over(rgba(style.backgroundColor), under);
    const fill = /^(.*\)) 0px 0px 0px [\de.+]+px inset$/.exec(style.boxShadow);
    if (fill) under = over(rgba(fill[1]), under);
  }
  const seen = color => over([...color.slice(0, 3), opacity], behind);
  const found = contrast(seen(over(rgba(getComputedStyle(holder).color), under)), seen(under));
  const kind = chain.slice(-3).map(name).join(' > ');
  if (!least.has(kind) || least.get(kind)[0] > found) least.set(kind, [found, text.data.trim().slice(0, 30)]);
}
const low = Array.from(least).filter(([, [found]]) => found < arguments[0]).map(([kind, [found, text]]) => found.toFixed(2) + ' ' + kind + ': ' + text);
return [least.size, low];
