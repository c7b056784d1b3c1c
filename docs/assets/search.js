/* The search: loads the indices as scripts when it is opened first, so that it works from files. */
(function () {
  "use strict";
  const finder = document.getElementById("gb-finder");
  if (!finder) return;
  const input = finder.querySelector(".gb-finder__input");
  const list = finder.querySelector(".gb-finder__list");
  const note = finder.querySelector(".gb-finder__note");
  const language = finder.dataset.language;
  const base = finder.dataset.base.replace(/\/$/, "");
  const HAN = /[\u3400-\u9fff]/;
  const SHOWN = 24;
  const KINDS = {
    en: { page: "page", section: "section", class: "class", function: "function",
          method: "method", operator: "operator" },
    zh: { page: "页面", section: "小节", class: "类", function: "函数", method: "方法",
          operator: "运算符" },
  }[language];
  let entries = null;
  let loading = null;
  let selected = -1;

  function load(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${base}/search/index-${name}.js`;
      script.onload = () => resolve(window.glueballIndex[name]);
      script.onerror = () => reject(new Error(`cannot load ${script.src}`));
      document.head.append(script);
    });
  }

  function prepare() {
    loading ??= Promise.all([load(language), load("reference")]).then((groups) => {
      entries = groups.flatMap((rows, group) =>
        rows.map(([address, title, page, kind, text]) => ({
          address, title, page, kind, text, isOwn: group === 0,
          lowTitle: title.toLowerCase(), lowText: text.toLowerCase(),
          words: title.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean),
        })));
    });
    return loading;
  }

  /* Latin text counts by words, Chinese by the characters that stand together. */
  function terms(query) {
    return query.toLowerCase().match(/[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+/g) ?? [];
  }

  function pairs(term) {
    return Array.from({ length: term.length - 1 }, (_, i) => term.slice(i, i + 2));
  }

  function count(text, term) {
    let found = 0;
    for (let at = text.indexOf(term); at >= 0 && found < 6; at = text.indexOf(term, at + 1)) found++;
    return found;
  }

  function inTitle(entry, term) {
    if (entry.lowTitle === term) return 400;
    if (entry.words.includes(term)) return 160;
    if (entry.words.some((word) => word.startsWith(term))) return 110;
    return entry.lowTitle.includes(term) ? (HAN.test(term) ? 150 : 60) : 0;
  }

  function termScore(entry, term) {
    const score = inTitle(entry, term) + 6 * count(entry.lowText, term);
    if (score || !HAN.test(term) || term.length < 3) return score;
    const parts = pairs(term).map((pair) => inTitle(entry, pair) / 4 + count(entry.lowText, pair));
    return parts.every(Boolean) ? parts.reduce((sum, part) => sum + part, 0) : 0;
  }

  /* Objects by their exact names come first, then pages, then sections; what contains all words. */
  const BOOST = { class: 60, function: 50, operator: 45, page: 40, section: 10, method: 0 };
  function score(entry, query, words) {
    let total = 0;
    for (const word of words) {
      const part = termScore(entry, word);
      if (!part) return 0;
      total += part;
    }
    if (entry.title === query) total += 1500;
    else if (entry.lowTitle === query.toLowerCase()) total += 1000;
    else if (entry.lowTitle.startsWith(query.toLowerCase())) total += 80;
    const isNamed = words.some((word) => entry.lowTitle.includes(word));
    if (isNamed) total += BOOST[entry.kind] - Math.min(entry.title.length, 40) / 4;
    return total + (entry.isOwn ? 8 : 0);
  }

  function search(query) {
    const words = terms(query);
    if (!words.length) return [];
    return entries
      .map((entry, order) => ({ entry, order, points: score(entry, query, words) }))
      .filter((found) => found.points > 0)
      .sort((a, b) => b.points - a.points || a.order - b.order)
      .slice(0, SHOWN)
      .map((found) => found.entry);
  }

  function excerpt(entry, words) {
    const at = Math.min(...words.map((word) => entry.lowText.indexOf(word)).filter((i) => i >= 0));
    const from = Number.isFinite(at) ? Math.max(0, at - 40) : 0;
    return (from ? "… " : "") + entry.text.slice(from, from + 150);
  }

  function highlighted(text, words) {
    const fragment = document.createDocumentFragment();
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    for (const part of text.split(new RegExp(`(${escaped.join("|")})`, "i"))) {
      const isHit = words.includes(part.toLowerCase());
      const node = document.createElement(isHit ? "mark" : "span");
      node.textContent = part;
      fragment.append(node);
    }
    return fragment;
  }

  function element(name, className, content) {
    const node = document.createElement(name);
    node.className = className;
    node.append(content);
    return node;
  }

  function row(entry, words, index) {
    const link = element("a", "gb-hit", "");
    link.href = `${base}/${entry.address}`;
    const head = element("span", "gb-hit__head", "");
    head.append(element("strong", `gb-hit__title gb-hit__title--${entry.kind}`,
                        highlighted(entry.title, words)));
    head.append(element("small", "gb-hit__kind", KINDS[entry.kind]));
    link.append(head, element("span", "gb-hit__page", pageOf(entry)),
                element("span", "gb-hit__text", highlighted(excerpt(entry, words), words)));
    const item = element("li", "gb-hit__item", link);
    item.id = `gb-hit-${index}`;
    item.setAttribute("role", "option");
    return item;
  }

  /* An object is shown with the module or class that has it. */
  function pageOf(entry) {
    const anchor = entry.address.split("#")[1] ?? "";
    return anchor.startsWith("mxnet.") ? anchor : entry.page;
  }

  function show() {
    const query = input.value.trim();
    const found = entries ? search(query) : [];
    list.replaceChildren(...found.map((entry, index) => row(entry, terms(query), index)));
    input.setAttribute("aria-expanded", String(found.length > 0));
    note.textContent = found.length ? "" : query
      ? `${finder.dataset.nothing} “${query}”` : finder.dataset.waiting;
    select(found.length ? 0 : -1);
  }

  function select(index) {
    const items = list.children;
    items[selected]?.removeAttribute("aria-selected");
    selected = items.length ? (index + items.length) % items.length : -1;
    items[selected]?.setAttribute("aria-selected", "true");
    items[selected]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[selected]?.id ?? "");
  }

  function open(query) {
    if (!finder.open) finder.showModal();
    if (query !== undefined) input.value = query;
    input.select();
    return prepare().then(show, (error) => { note.textContent = error.message; });
  }

  const MOVES = { ArrowDown: 1, ArrowUp: -1 };
  input.addEventListener("input", () => prepare().then(show));
  input.addEventListener("keydown", (event) => {
    if (event.key in MOVES) {
      event.preventDefault();
      select(selected + MOVES[event.key]);
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      list.children[selected]?.querySelector("a").click();
    }
  });
  list.addEventListener("click", (event) => {
    if (event.target.closest("a")) finder.close();
  });
  finder.addEventListener("click", (event) => {
    if (event.target === finder) finder.close();
  });
  finder.querySelector("[data-gb-close]").addEventListener("click", () => finder.close());
  document.querySelectorAll("[data-gb-find]").forEach((button) =>
    button.addEventListener("click", () => open()));
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    const isShortcut = (event.key === "k" && (event.ctrlKey || event.metaKey)) ||
      (event.key === "/" && !isTyping);
    if (isShortcut && !finder.open) {
      event.preventDefault();
      event.stopPropagation();
      open();
    }
  }, true);
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) open(asked);
})();
