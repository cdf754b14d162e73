() => {
  const root = document.querySelector("dialog[open] .ask") ?? document.querySelector("main");
  const found = [];
  const name = (el) => `${el.tagName.toLowerCase()}.${el.className?.baseVal ?? el.className}`
    + ` “${el.textContent.trim().replace(/\s+/g, " ").slice(0, 50)}”`;
  const px = (rect) => [rect.left, rect.top, rect.right, rect.bottom].map(Math.round).join(" ");
  const style = (el) => getComputedStyle(el);
  const scrolls = (el) => /auto|scroll/.test(style(el).overflowX);
  // What goes on beside the screen by intent, as names that are known.
  const SIDEWAYS = ".known, .sideways";
  for (const el of [document.documentElement, document.body, root, ...root.querySelectorAll("*")]) {
    if (el !== document.documentElement && !scrolls(el) || el.matches(SIDEWAYS)) continue;
    if (el.scrollWidth > el.clientWidth + 1 && el.clientWidth) {
      found.push(`sideways: ${el.tagName.toLowerCase()}.${el.className} is ${el.scrollWidth} wide`);
    }
  }

  const hidden = (el) => !el.checkVisibility({opacityProperty: true, visibilityProperty: true})
    || style(el).clipPath !== "none" || el.closest(".unseen");
  // The part of a box that its scrolling and cutting ancestors let be seen.
  const seen = (el, rect) => {
    let {left, top, right, bottom} = rect;
    for (let at = el; at && at !== document.documentElement; at = at.parentElement) {
      if (style(at).overflowX === "visible" && style(at).overflowY === "visible") continue;
      // Without a box it cuts nothing.
      if (style(at).display === "contents") continue;
      const box = at.getBoundingClientRect();
      left = Math.max(left, box.left); right = Math.min(right, box.right);
      top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom);
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
  const shown = (el, box) => document.elementsFromPoint(...middle(box)).find((at) => at.contains(el) || el.contains(at) || opaque(at));

  // Words: none is cut off without saying so, none lies under something else.
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    if (!node.data.trim() || hidden(el)) continue;
    // What lies under a bar at the edge comes out when it is scrolled to.
    el.scrollIntoView({block: "center", inline: "nearest"});
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const box = seen(el, rect);
      const [width, height] = [box.right - box.left, box.bottom - box.top];
      if (width < 2 || height < 4) continue;
      const over = shown(el, box);
      // A message lies over the question until it is read.
      const meant = over?.closest(".says") && el.closest(".middle");
      if (over && !el.contains(over) && !over.contains(el) && !meant) {
        found.push(`covered: ${name(el)} (${px(rect)}) by ${name(over)}`);
      }
      const cutter = [el, el.parentElement].some((at) => style(at).textOverflow === "ellipsis"
        || style(at).webkitLineClamp !== "none");
      if (rect.width - width > 2 && !cutter && !el.closest(SIDEWAYS)) {
        found.push(`cut: ${name(el)} (${px(rect)})`);
      }
    }
  }
  // Targets: large enough, whole on the screen once scrolled to, and what a finger there hits.
  for (const target of root.querySelectorAll("a[href], button, summary, input:not([type=hidden])")) {
    if (hidden(target) || target.closest("p:not(.links)") || target.type === "radio" || target.type === "checkbox") continue;
    target.scrollIntoView({block: "center", inline: "nearest"});
    const rect = target.getBoundingClientRect();
    const box = seen(target, rect);
    // A deal that does not fit on a television is left out.
    if (box.right < box.left && target.closest(".reads .sheet")) continue;
    const over = hit(box);
    const meant = over?.closest(".says") && target.closest(".middle");
    const reached = meant || over && (target.contains(over) || over.contains(target));
    if (rect.width < 24 || rect.height < 24) found.push(`small: ${name(target)} (${px(rect)})`);
    if (!reached) found.push(`out of reach: ${name(target)} (${px(rect)}) under ${over && name(over)}`);
  }
  // Fields to type in or choose from: an iPhone enlarges the page for smaller letters.
  const fields = "input:not([type=hidden], [type=radio], [type=checkbox], [readonly]), select, textarea:not([readonly])";
  for (const field of root.querySelectorAll(fields)) {
    if (parseFloat(style(field).fontSize) < 16) found.push(`fine: ${name(field)} ${field.name} ${style(field).fontSize}`);
  }
  // The board on an upright phone with letters of the usual size: every row whole at once, but for
  // more than five players on the smallest.
  const board = root.querySelector(".middle .board");
  const usual = style(document.documentElement).fontSize === "16px" && innerWidth >= 360;
  const small = innerHeight < 600;
  if (board && usual && innerHeight > innerWidth && !(small && root.querySelector(".c6, .c7, .c8"))) {
    const least = small ? 34 : 40;
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
  for (const el of root.querySelectorAll("*")) if (el.scrollTop) el.scrollTop = 0;
  return [...new Set(found)];
}
