// Draws the graph, with blocks that open and close.

const SVG = "http://www.w3.org/2000/svg";
const CHARACTER = 7, BOLD = 8, STRIPE = 8, LINE = 17, PADDING = 9, LONGEST = 30, AT_FIRST = 40;

const shorten = (text) => (text.length > LONGEST ? text.slice(0, LONGEST - 1) + "…" : text);

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

class GraphView {
  constructor(model, onSelect) {
    this.model = model;
    this.onSelect = onSelect;
    this.svg = document.getElementById("graph");
    this.scene = document.getElementById("scene");
    this.open = new Set();
    this.selected = null;
    this.matching = null;
    this.view = { scale: 1, x: 0, y: 0 };
    this.blocks = this.listBlocks();
    this.openAtFirst();
    this.listen();
    this.draw();
    this.start();
  }

  // Nodes by block; a block is called after those around it.
  listBlocks() {
    const blocks = new Map();
    for (const node of this.model.nodes) {
      for (let depth = 1; depth <= node.blocks.length; depth++) {
        const key = JSON.stringify(node.blocks.slice(0, depth));
        if (!blocks.has(key)) blocks.set(key, { key, label: node.blocks[depth - 1], depth, nodes: [] });
        blocks.get(key).nodes.push(node);
      }
    }
    return blocks;
  }

  // Opens blocks from outside as long as the picture stays readable.
  openAtFirst() {
    const deepest = Math.max(0, ...[...this.blocks.values()].map((block) => block.depth));
    for (let depth = 1; depth <= deepest; depth++) {
      const wider = new Set(this.open);
      for (const block of this.blocks.values()) {
        if (block.depth === depth && !block.nodes.every((node) => node.isConstant)) wider.add(block.key);
      }
      const before = this.open;
      this.open = wider;
      const visible = new Set(this.model.nodes.map((node) => this.vertexOf(node)));
      if (visible.size > AT_FIRST) {
        this.open = before;
        return;
      }
    }
  }

  // Returns what stands for a node: itself, or the outermost block around it that is closed.
  vertexOf(node) {
    for (let depth = 1; depth <= node.blocks.length; depth++) {
      const key = JSON.stringify(node.blocks.slice(0, depth));
      if (!this.open.has(key)) return this.blocks.get(key);
    }
    return node;
  }

  linesOf(vertex) {
    if (vertex.nodes) {
      const parameters = vertex.nodes.reduce((sum, node) => sum + node.parameters, 0);
      const last = vertex.nodes[vertex.nodes.length - 1];
      return [vertex.label, `${vertex.nodes.length} layers, ${formatCount(parameters)} parameters`,
        formatShapes(last.shapes)];
    }
    const title = vertex.operator === "input" ? "input" : vertex.operator;
    return [vertex.details ? `${title} ${vertex.details}` : title, shortName(vertex.name), formatShapes(vertex.shapes)];
  }

  draw() {
    const vertices = new Set(), sources = new Map();
    for (const node of this.model.nodes) {
      const vertex = this.vertexOf(node);
      vertices.add(vertex);
      if (!sources.has(vertex)) sources.set(vertex, []);
      for (const number of node.inputs) {
        const source = this.vertexOf(this.model.nodes[number]);
        if (source !== vertex && !sources.get(vertex).includes(source)) sources.get(vertex).push(source);
      }
    }
    const sizeOf = (vertex) => {
      const lines = this.linesOf(vertex).filter(Boolean).map(shorten);
      const longest = Math.max(...lines.map((line, index) => line.length * (index ? CHARACTER : BOLD)));
      return { width: Math.max(90, longest + STRIPE + 2 * PADDING), height: lines.length * LINE + PADDING };
    };
    this.placed = placeGraph([...vertices], sources, sizeOf);
    this.drawn = new Map();
    this.scene.replaceChildren();
    this.edges = this.placed.edges.map((edge) => this.drawEdge(edge));
    for (const box of this.placed.boxes.values()) this.drawn.set(box.vertex, this.drawBox(box));
    this.mark();
  }

  drawEdge({ source, target, way }) {
    const first = way[0], last = way[way.length - 1];
    let x = first.x, y = first.y + first.height / 2;
    let path = `M${x},${y}`;
    for (const box of way.slice(1)) {
      const end = box === last ? box.y - box.height / 2 : box.y;
      const middle = (y + end) / 2;
      path += ` C${x},${middle} ${box.x},${middle} ${box.x},${end}`;
      x = box.x;
      y = end;
    }
    return { source, target, path: element("path", { class: "edge", d: path }, this.scene) };
  }

  drawBox({ vertex, x, y, width, height }) {
    const kinds = ["node"];
    if (vertex.nodes) kinds.push("group");
    if (vertex.operator === "input") kinds.push("input");
    if (vertex.isOutput) kinds.push("output");
    const group = element("g", { class: kinds.join(" "), tabindex: "0", role: "button" }, this.scene);
    group.setAttribute("transform", `translate(${x - width / 2},${y - height / 2})`);
    element("rect", { class: "box", width, height, rx: 7 }, group);
    if (vertex.color) element("rect", { x: 1, y: 1, width: 5, height: height - 2, rx: 2.5, fill: vertex.color }, group);
    const lines = this.linesOf(vertex).filter(Boolean);
    lines.forEach((line, index) => {
      const look = index === 0 ? "main" : index === 1 && lines.length > 2 ? "name" : "soft";
      const text = element("text", { class: look, x: (width + (vertex.color ? STRIPE / 2 : 0)) / 2, y: PADDING / 2 + LINE * (index + 0.75) }, group);
      text.textContent = shorten(line);
    });
    element("title", {}, group).textContent = vertex.nodes ? `${vertex.label} (open it by a click)` : vertex.name;
    const act = () => (vertex.nodes ? this.toggle(vertex) : this.onSelect(vertex));
    group.addEventListener("click", () => { if (!this.moved) act(); });
    group.addEventListener("keydown", (event) => { if (event.key === "Enter") act(); });
    return group;
  }

  toggle(block) {
    const box = this.placed.boxes.get(block);
    const before = { x: box.x * this.view.scale + this.view.x, y: box.y * this.view.scale + this.view.y };
    this.open.add(block.key);
    this.draw();
    const inside = [...new Set(block.nodes.map((node) => this.vertexOf(node)))];
    const opened = inside.map((vertex) => this.placed.boxes.get(vertex));
    const top = Math.min(...opened.map((other) => other.y)), { scale } = this.view;
    this.moveTo(scale, before.x - mean(opened.map((other) => other.x)) * scale, before.y - top * scale);
  }

  openAll(isOpen) {
    this.open = new Set(isOpen ? this.blocks.keys() : []);
    this.draw();
    this.start();
  }

  // Closes the innermost open block around a node.
  closeAround(node) {
    for (let depth = node.blocks.length; depth > 0; depth--) {
      const key = JSON.stringify(node.blocks.slice(0, depth));
      if (this.open.delete(key)) break;
    }
    this.draw();
    this.center(this.vertexOf(node));
  }

  select(node, reveal) {
    this.selected = node;
    if (reveal && node) {
      for (let depth = 1; depth <= node.blocks.length; depth++) {
        this.open.add(JSON.stringify(node.blocks.slice(0, depth)));
      }
      this.draw();
      this.center(node);
    }
    this.mark();
  }

  highlight(matching) {
    this.matching = matching;
    this.mark();
  }

  mark() {
    const chosen = this.selected ? this.vertexOf(this.selected) : null;
    for (const [vertex, group] of this.drawn) {
      const isMatch = !this.matching || (vertex.nodes || [vertex]).some((node) => this.matching.has(node));
      group.classList.toggle("dimmed", !isMatch);
      group.classList.toggle("selected", vertex === chosen);
    }
    for (const { source, target, path } of this.edges) {
      path.classList.toggle("near", chosen !== null && (source === chosen || target === chosen));
    }
  }

  moveTo(scale, x, y) {
    this.view = { scale, x, y };
    this.scene.setAttribute("transform", `translate(${x},${y}) scale(${scale})`);
  }

  size() {
    const { width, height } = this.svg.getBoundingClientRect();
    return { width: width || 600, height: height || 600 };
  }

  // Shows the beginning of the graph at a size that can be read.
  start() {
    const { width } = this.size();
    const scale = Math.min(1, Math.max(0.45, (width - 30) / this.placed.width));
    const inputs = [...this.placed.boxes.values()].filter((box) => box.level === 0);
    const middle = this.placed.width * scale < width ? this.placed.left + this.placed.width / 2
      : mean(inputs.map((box) => box.x));
    this.moveTo(scale, width / 2 - middle * scale, 14);
  }

  fit() {
    const { width, height } = this.size();
    const { left, width: wide, height: high } = this.placed;
    const scale = Math.min(1.4, (width - 30) / wide, (height - 30) / high);
    this.moveTo(scale, width / 2 - (left + wide / 2) * scale, (height - high * scale) / 2);
  }

  center(vertex) {
    const box = this.placed.boxes.get(vertex), { width, height } = this.size(), { scale } = this.view;
    if (box) this.moveTo(scale, width / 2 - box.x * scale, height / 3 - box.y * scale);
  }

  zoom(factor, x, y) {
    const { scale, x: left, y: top } = this.view;
    const next = Math.min(4, Math.max(0.02, scale * factor)), ratio = next / scale;
    this.moveTo(next, x - (x - left) * ratio, y - (y - top) * ratio);
  }

  listen() {
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const place = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top);
    }, { passive: false });
    let from = null;
    this.svg.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX - this.view.x, y: event.clientY - this.view.y, startX: event.clientX, startY: event.clientY };
      this.moved = false;
    });
    window.addEventListener("pointermove", (event) => {
      if (!from) return;
      if (Math.hypot(event.clientX - from.startX, event.clientY - from.startY) > 4) this.moved = true;
      if (!this.moved) return;
      this.svg.classList.add("dragging");
      this.moveTo(this.view.scale, event.clientX - from.x, event.clientY - from.y);
    });
    window.addEventListener("pointerup", () => {
      from = null;
      this.svg.classList.remove("dragging");
    });
  }
}
