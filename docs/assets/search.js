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
  const { prepare: readRows, search, terms } = globalThis.glueballRank;
  const KINDS = {
    en: { page: "page", section: "section", module: "module", class: "class", function: "function",
          method: "method", attribute: "attribute", operator: "operator" },
    zh: { page: "页面", section: "小节", module: "模块", class: "类", function: "函数", method: "方法",
          attribute: "属性", operator: "运算符" },
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
      entries = readRows(groups);
    });
    return loading;
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
    const found = entries ? search(entries, query) : [];
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
  /* The other language shows the same heading: both have the same anchors. */
  document.querySelectorAll(".gb-language").forEach((link) =>
    link.addEventListener("click", () => { link.hash = location.hash; }));
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) open(asked);
})();
