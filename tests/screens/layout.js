() => {
  const normal = getComputedStyle(document.documentElement).fontSize === "16px" && innerWidth >= 320;
  const root = document.querySelector("dialog[open] .ask") ?? document.querySelector("main");
  const found = [];
  const name = (el) => `${el.tagName.toLowerCase()}.${el.className?.baseVal ?? el.className}`
    + ` “${el.textContent.trim().replace(/\s+/g, " ").slice(0, 50)}”`;
  const px = (rect) => [rect.left, rect.top, rect.right, rect.bottom].map(Math.round).join(" ");
  // Each is asked for once.
  const once = (ask) => {
    const known = new Map();
    return (what) => known.has(what) ? known.get(what) : known.set(what, ask(what)).get(what);
  };
  const style = once((el) => getComputedStyle(el));
  const scrolls = (el) => /auto|scroll/.test(style(el).overflowX);
  // What goes on beside the screen by intent, as names that are known.
  const SIDEWAYS = ".known, .sideways";
  for (const el of [document.documentElement, document.body, root, ...root.querySelectorAll("*")]) {
    if (el !== document.documentElement && !scrolls(el) || el.matches(SIDEWAYS)) continue;
    if (el.scrollWidth > el.clientWidth + 1 && el.clientWidth) {
      found.push(`sideways: ${el.tagName.toLowerCase()}.${el.className} is ${el.scrollWidth} wide`);
    }
  }

  const clipped = once((el) => el && (style(el).clipPath !== "none" || clipped(el.parentElement)));
  const hidden = (el) => !el.checkVisibility({opacityProperty: true, visibilityProperty: true})
    || clipped(el) || el.closest(".unseen");
  // The part of a box that its scrolling and cutting ancestors let be seen.
  const seen = (el, rect) => {
    let {left, top, right, bottom} = rect;
    for (let at = el; at && at !== document.documentElement; at = at.parentElement) {
      // Without a box it cuts nothing.
      if (style(at).display === "contents") continue;
      const box = at.getBoundingClientRect();
      if (style(at).overflowX !== "visible") [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (style(at).overflowY !== "visible") [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return {left: Math.max(0, left), top: Math.max(0, top), right: Math.min(innerWidth, right),
      bottom: Math.min(innerHeight, bottom)};
  };
  const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const hit = (box) => document.elementFromPoint(...middle(box));
  // A link stretched over a row takes its taps, and hides nothing of it.
  const opaque = (el) => style(el).opacity !== "0" && (!/rgba.*, 0\)/.test(style(el).backgroundColor)
    || style(el).backgroundImage !== "none" || [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    || el.matches("svg, svg *, img"));
  const stacked = once((box) => document.elementsFromPoint(...middle(box)));
  const shown = (el, box) => stacked(box).find((at) => at.contains(el) || el.contains(at) || opaque(at));

  // A player's words: most urgent first, whole or not at all, none left out where there is room, and all of those counted.
  for (const words of document.querySelectorAll(".words")) {
    const told = [...words.children], end = words.getBoundingClientRect().bottom;
    const out = told.filter((word) => word.offsetLeft - words.offsetLeft >= words.clientWidth);
    const last = told[told.length - out.length - 1]?.getBoundingClientRect().bottom;
    if (last > end + 1) found.push(`cut: ${name(words)} by ${Math.round(last - end)}`);
    const room = end - (last ?? words.getBoundingClientRect().top);
    if (out.length && out[0].offsetHeight + 1 <= room) found.push(`dropped: ${name(out[0])} with room for ${Math.round(room)}`);
    const further = words.parentElement.querySelector(".further");
    const counted = further && !further.hidden ? parseInt(further.textContent, 10) : 0;
    if (counted !== out.length) found.push(`miscounted: ${name(words.parentElement)} ${counted} of ${out.length}`);
  }

  // Colours: what is seen of a text and of the ground below it, opacities included.
  const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const colour = once((css) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  });
  const upon = ([red, green, blue, alpha], [r, g, b, a]) => {
    const all = alpha + a * (1 - alpha);
    const mix = (top, low) => all && (top * alpha + low * a * (1 - alpha)) / all;
    return [mix(red, r), mix(green, g), mix(blue, b), all];
  };
  const light = ([...rgb]) => rgb.slice(0, 3).map((part) => part / 255)
    .map((part) => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [.2126, .7152, .0722][index], 0);
  // All that lies below a text: its ancestors, and what it is laid over.
  const below = (el, box) => {
    const stack = stacked(box);
    if (stack.includes(el)) return stack.slice(stack.indexOf(el));
    return el.parentElement ? [el, ...below(el.parentElement, box)] : [el];
  };
  const opacity = once((el) => el ? style(el).opacity * opacity(el.parentElement) : 1);
  const painted = (css, el) => {
    const [red, green, blue, alpha] = colour(css);
    return [red, green, blue, alpha * opacity(el)];
  };
  const contrast = (el, box) => {
    const layers = below(el, box);
    if (layers.some((at) => style(at).backgroundImage !== "none")) return 21;
    const ground = layers.map((at) => painted(style(at).backgroundColor, at)).reduce(upon);
    const [high, low] = [upon(painted(style(el).color, el), ground), ground].map(light).sort((a, b) => b - a);
    return (high + .05) / (low + .05);
  };
  const looked = new Set();
  const look = (el, box) => {
    if (looked.has(el)) return;
    looked.add(el);
    const size = parseFloat(style(el).fontSize);
    if (normal && size < 12.99) found.push(`tiny: ${name(el)} ${size}`);
    if (el.closest("svg, :disabled")) return;
    const least = el.closest(".score") ? 7 : 4.5, reached = contrast(el, box);
    if (reached < least - .005) found.push(`pale: ${name(el)} ${reached.toFixed(2)}`);
  };
  // A line of the board ends between words, or where a hyphen is allowed.
  const splits = (node) => {
    const range = document.createRange();
    let top = 0;
    for (let at = 0; at < node.data.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const [rect] = range.getClientRects();
      if (!rect?.width) continue;
      if (top && rect.top > top + 3 && /[\p{L}\d]{2}/u.test(node.data.slice(at - 1, at + 1))) return true;
      top = rect.top;
    }
    return false;
  };

  // Words: none is cut off without saying so, none lies under something else.
  // What takes no taps is seen all the same.
  const taken = new CSSStyleSheet();
  taken.replaceSync("* { pointer-events: auto !important }");
  document.adoptedStyleSheets.push(taken);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    if (!node.data.trim() || hidden(el)) continue;
    if (el.closest(".word, .slot, .corner, .fact, .cell, .strip, .asks, .bar") && !el.closest("bdi") && splits(node)) found.push(`split: ${name(el)}`);
    // What lies under a bar at the edge comes out when it is scrolled to.
    el.scrollIntoView({block: "center", inline: "nearest"});
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const [line] of [...range.getClientRects()].entries()) {
      // Of a text as high as the screen, each line.
      if (el.offsetHeight > innerHeight / 2) scrollBy(0, range.getClientRects()[line].top - innerHeight / 2);
      const rect = range.getClientRects()[line];
      const box = seen(el, rect);
      const [width, height] = [box.right - box.left, box.bottom - box.top];
      if (width < 2 || height < 4) continue;
      look(el, box);
      const over = shown(el, box);
      // A message lies over the question until it is read.
      const meant = over?.closest(".says") && el.closest(".middle, .asks");
      if (over && !el.contains(over) && !over.contains(el) && !meant) {
        found.push(`covered: ${name(el)} (${px(rect)}) by ${name(over)}`);
      }
      const cutter = [el, el.parentElement].some((at) => style(at).textOverflow === "ellipsis"
        || style(at).webkitLineClamp !== "none");
      // A ring or dots above a capital, which reach to the top of the line.
      if (/\p{Lu}\p{M}/u.test(node.data.normalize("NFD")) && box.top - rect.top > .5 && rect.top > 0) found.push(`beheaded: ${name(el)} by ${box.top - rect.top}`);
      let holder = el;
      while (/inline$|contents/.test(style(holder).display)) holder = holder.parentElement;
      const around = holder.getBoundingClientRect();
      if (Math.max(around.left - rect.left, rect.right - around.right) > 1 && !cutter && !el.closest(".turned, " + SIDEWAYS)) found.push(`spills: ${name(el)} (${px(rect)}) out of ${name(holder)} (${px(around)})`);
      if (rect.width - width > 2 && !cutter && !el.closest(SIDEWAYS)) {
        found.push(`cut: ${name(el)} (${px(rect)})`);
      }
    }
  }
  document.adoptedStyleSheets.pop();
  // Targets: large enough, whole on the screen once scrolled to, and what a finger there hits.
  for (const target of root.querySelectorAll("a[href], button, summary, input:not([type=hidden])")) {
    if (hidden(target) || target.closest("p:not(.links)") || target.type === "radio" || target.type === "checkbox") continue;
    target.scrollIntoView({block: "center", inline: "nearest"});
    const rect = target.getBoundingClientRect();
    const box = seen(target, rect);
    // A deal that does not fit on a television is left out.
    if (box.right < box.left && target.closest(".reads :is(.sheet, .newest)")) continue;
    const over = hit(box);
    const meant = over?.closest(".says") && target.closest(".middle");
    const reached = meant || over && (target.contains(over) || over.contains(target));
    // What lies around it may take its taps too.
    const [x, y] = middle(box);
    const wide = [[-11.5, 0], [11.5, 0], [0, -11.5], [0, 11.5]]
      .every(([right, down]) => target.contains(document.elementFromPoint(x + right, y + down)));
    if ((rect.width < 24 || rect.height < 24) && !wide) found.push(`small: ${name(target)} (${px(rect)})`);
    if (!reached) found.push(`out of reach: ${name(target)} (${px(rect)}) under ${over && name(over)}`);
  }
  // Fields to type in or choose from: an iPhone enlarges the page for smaller letters.
  const fields = "input:not([type=hidden], [type=radio], [type=checkbox], [readonly]), select, textarea:not([readonly])";
  for (const field of root.querySelectorAll(fields)) {
    if (!hidden(field)) look(field, field.getBoundingClientRect());
    if (parseFloat(style(field).fontSize) < 16) found.push(`fine: ${name(field)} ${field.name} ${style(field).fontSize}`);
  }
  // The board with letters of the usual size: every row whole at once, on small screens lower ones.
  const board = root.querySelector(".middle .board");
  if (board && normal) {
    const least = innerHeight < 350 ? 26 : innerHeight < 480 ? 28 : innerHeight < 600 ? 34 : innerWidth < 360 ? 36 : 40;
    for (const cell of board.querySelectorAll(".cell, .fact")) {
      const {height} = cell.getBoundingClientRect();
      if (height && height < least - .5) found.push(`low: ${name(cell)} (${height})`);
    }
    for (const el of [document.documentElement, ...document.querySelectorAll(".table, .top, .field, .middle")]) {
      if (el.scrollHeight > el.clientHeight + 1) {
        found.push(`scrolls: ${name(el).slice(0, 40)} ${el.scrollHeight} of ${el.clientHeight}`);
      }
    }
  }
  scrollTo(0, 0);
  for (const el of root.querySelectorAll("*")) if (el.scrollTop || el.scrollLeft) el.scrollTo(0, 0);
  return [...new Set(found)];
}
