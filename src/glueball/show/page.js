// Brings the parts of the page together. Names come from files: they are set as text, never as HTML.

const model = JSON.parse(document.getElementById("model").textContent);

function addText(parent, name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

function showHeading() {
  document.getElementById("title").textContent = model.title;
  const inputs = model.inputs.map(({ name, shape, guessed }) => `${name} ${formatShape(shape)}${guessed ? " (guessed)" : ""}`);
  if (inputs.length > 4) inputs.splice(4, Infinity, `${inputs.length - 4} other inputs`);
  const parts = [model.files.join(", "), inputs.join(", ") || "shapes of the data are unknown"];
  document.getElementById("subtitle").textContent = parts.join(" · ");
  const { layers, parameters, parameterBytes, flops, outputBytes, peakBytes, unknown } = model.totals;
  const more = unknown && flops !== null ? "≥ " : "";
  const totals = [
    ["layers", String(layers), ""],
    ["parameters", formatCount(parameters), parameters.toLocaleString("en")],
    ["memory of parameters", formatBytes(parameterBytes), ""],
    ["FLOPs", more + formatCount(flops), "A multiply-add counts as two"],
    ["memory in prediction", more + formatBytes(peakBytes), "Data and results that are needed at a time"],
    ["memory of all results", more + formatBytes(outputBytes), "Much of it is kept in training"],
  ];
  for (const [name, value, hint] of totals) {
    const card = addText(document.getElementById("totals"), "div", "");
    addText(card, "dt", name);
    addText(card, "dd", value);
    card.title = hint;
  }
}

function showDetails(node) {
  const pane = document.getElementById("details");
  pane.replaceChildren();
  pane.hidden = node === null;
  if (!node) return;
  addText(pane, "h2", node.name);
  const close = addText(pane, "button", "×");
  close.title = "Close";
  close.addEventListener("click", () => select(null, false));
  const table = addText(pane, "table", "");
  const row = (name, value) => {
    const line = table.insertRow();
    line.insertCell().textContent = name;
    line.insertCell().textContent = value;
  };
  row("operator", node.operator);
  if (node.blocks.length) row("block", node.blocks.join(" / "));
  row("output", `${formatShapes(node.shapes) || "unknown"} ${node.dtype || ""}`);
  if (node.operator !== "input") {
    row("FLOPs", node.flops === null ? "unknown" : node.flops.toLocaleString("en"));
    row("memory", `${formatBytes(node.outputBytes)} of output, ${formatBytes(node.parameterBytes)} of parameters`);
  }
  for (const number of node.inputs) row("reads", model.nodes[number].name);
  for (const { name, shape } of node.reads) row("parameter", `${name} ${formatShape(shape)}`);
  for (const [name, value] of Object.entries(node.attributes)) row(name, value);
  if (node.blocks.length) {
    const fold = addText(pane, "a", `close the block ${node.blocks[node.blocks.length - 1]}`);
    fold.href = "#";
    fold.addEventListener("click", (event) => {
      event.preventDefault();
      graph.closeAround(node);
    });
  }
}

function select(node, reveal) {
  graph.select(node, reveal);
  table.select(node);
  showDetails(node);
}

function listen() {
  const onClick = (id, act) => document.getElementById(id).addEventListener("click", act);
  const zoom = (factor) => {
    const { width, height } = graph.size();
    graph.zoom(factor, width / 2, height / 2);
  };
  onClick("zoom-in", () => zoom(1.3));
  onClick("zoom-out", () => zoom(1 / 1.3));
  onClick("fit", () => graph.fit());
  onClick("expand", () => graph.openAll(true));
  onClick("collapse", () => graph.openAll(false));
  onClick("theme", () => {
    const root = document.documentElement;
    const isDark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") select(null, false);
    if (event.key === "/" && event.target.tagName !== "INPUT") {
      event.preventDefault();
      document.getElementById("search").focus();
    }
  });
}

let graph = null;
const highlight = (matching) => { if (graph) graph.highlight(matching); };
const table = new LayerTable(model, (node) => select(node, true), highlight);
showHeading();
graph = new GraphView(model, (node) => select(node, false));
listen();
// A link to a layer: page.html#its-name.
const wanted = decodeURIComponent(location.hash.slice(1));
if (wanted) select(model.nodes.find((node) => node.name === wanted) || null, true);
document.body.dataset.ready = String(graph.drawn.size);
