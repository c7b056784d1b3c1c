// The table of layers: sorted by a click on a heading, narrowed by a search.

const MOST_ROWS = 3000;
const UNITS = ["", "K", "M", "G", "T", "P"];

function scaled(number, step, unit) {
  let rank = 0;
  while (number >= step && rank + 1 < UNITS.length) {
    number /= step;
    rank += 1;
  }
  const digits = !rank || number >= 100 ? number.toFixed(0) : number.toPrecision(3);
  return `${digits} ${UNITS[rank]}${unit && rank ? "i" : ""}${unit}`.trim();
}

const formatCount = (number) => (number === null ? "?" : scaled(number, 1000, ""));
const formatBytes = (number) => (number === null ? "?" : scaled(number, 1024, "B"));
const formatShape = (shape) => (shape === null ? "?" : shape.length ? shape.join("×") : "scalar");
const formatShapes = (shapes) => (shapes.every((shape) => shape === null) ? "" : shapes.map(formatShape).join(", "));

// Names without what all of them begin with.
function shortName(name) {
  return name.startsWith(model.prefix) ? name.slice(model.prefix.length) : name;
}

const COLUMNS = [
  { title: "layer", key: "name", look: "name", format: (name) => shortName(name) },
  { title: "operator", key: "operator", look: "text" },
  { title: "output", key: "shape", look: "text" },
  { title: "parameters", key: "parameters", format: formatCount, look: "number" },
  { title: "size of parameters", key: "parameterBytes", format: formatBytes, look: "number share" },
  { title: "size of output", key: "outputBytes", format: formatBytes, look: "number share" },
  { title: "FLOPs", key: "flops", format: formatCount, look: "number share" },
];

class LayerTable {
  constructor(model, onSelect, onSearch) {
    this.model = model;
    this.onSelect = onSelect;
    this.onSearch = onSearch;
    this.table = document.getElementById("layers");
    this.sorting = { key: null, ascending: true };
    this.selected = null;
    this.rows = this.layerRows();
    const heading = this.table.tHead.rows[0];
    for (const column of COLUMNS) {
      const cell = document.createElement("th");
      cell.textContent = column.title;
      cell.className = column.look.includes("number") ? "number" : "";
      cell.tabIndex = 0;
      cell.addEventListener("click", () => this.sortBy(column));
      cell.addEventListener("keydown", (event) => { if (event.key === "Enter") this.sortBy(column); });
      heading.append(cell);
    }
    document.getElementById("search").addEventListener("input", () => this.draw());
    document.getElementById("by-block").addEventListener("change", (event) => {
      this.rows = event.target.checked ? this.blockRows() : this.layerRows();
      this.draw();
    });
    this.draw();
  }

  layerRows() {
    return this.model.nodes.filter((node) => node.operator !== "input").map((node, place) => ({
      place, nodes: [node], name: node.name, operator: node.operator, shape: formatShapes(node.shapes),
      parameters: node.parameters, parameterBytes: node.parameterBytes, outputBytes: node.outputBytes,
      flops: node.flops,
    }));
  }

  blockRows() {
    const rows = new Map();
    for (const layer of this.layerRows()) {
      const [node] = layer.nodes, key = node.blocks.length ? JSON.stringify(node.blocks) : node.id;
      const row = rows.get(key);
      if (!row) {
        rows.set(key, node.blocks.length ? { ...layer, name: node.blocks.join(" / "), operator: "block" } : layer);
        continue;
      }
      row.nodes.push(node);
      row.shape = layer.shape;
      for (const column of ["parameters", "parameterBytes", "outputBytes", "flops"]) {
        row[column] = row[column] === null || layer[column] === null ? null : row[column] + layer[column];
      }
    }
    return [...rows.values()];
  }

  sortBy(column) {
    const { key, ascending } = this.sorting;
    const numbers = column.look.includes("number");
    this.sorting = { key: column.key, ascending: key === column.key ? !ascending : !numbers };
    this.draw();
  }

  visibleRows() {
    const wanted = document.getElementById("search").value.trim().toLowerCase();
    const rows = this.rows.filter((row) => !wanted || [row.name, row.operator, row.shape]
      .concat(row.nodes.map((node) => node.name)).some((text) => text.toLowerCase().includes(wanted)));
    const { key, ascending } = this.sorting;
    if (key) {
      const compare = (one, other) => {
        if (one === null || other === null) return (one === null) - (other === null);
        return typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true });
      };
      rows.sort((one, other) => (ascending ? 1 : -1) * compare(one[key], other[key]) || one.place - other.place);
    }
    this.onSearch(wanted ? new Set(rows.flatMap((row) => row.nodes)) : null);
    return rows;
  }

  draw() {
    const rows = this.visibleRows();
    const largest = {};
    for (const { key } of COLUMNS) largest[key] = Math.max(1, ...this.rows.map((row) => Number(row[key]) || 0));
    const body = this.table.tBodies[0];
    body.replaceChildren(...rows.slice(0, MOST_ROWS).map((row) => this.drawRow(row, largest)));
    document.getElementById("matches").textContent = rows.length === this.rows.length
      ? `${rows.length} rows` : `${rows.length} of ${this.rows.length} rows`;
    [...this.table.tHead.rows[0].cells].forEach((cell, index) => {
      const isSorted = COLUMNS[index].key === this.sorting.key;
      if (isSorted) cell.setAttribute("aria-sort", this.sorting.ascending ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
    this.mark();
  }

  drawRow(row, largest) {
    const line = document.createElement("tr");
    for (const { key, format, look } of COLUMNS) {
      const cell = line.insertCell();
      const value = row[key];
      cell.className = look;
      cell.textContent = format ? (value === 0 ? "" : format(value)) : value;
      if (typeof value === "string") cell.title = value;
      if (look.includes("share") && value) cell.style.backgroundSize = `${(100 * value) / largest[key]}% 70%`;
    }
    line.addEventListener("click", () => this.onSelect(row.nodes[0]));
    line.dataset.nodes = row.nodes.map((node) => node.id).join(" ");
    return line;
  }

  select(node) {
    this.selected = node;
    const line = this.mark();
    if (line) line.scrollIntoView({ block: "nearest" });
  }

  mark() {
    let found = null;
    for (const line of this.table.tBodies[0].rows) {
      const isSelected = this.selected !== null && line.dataset.nodes.split(" ").includes(String(this.selected.id));
      line.classList.toggle("selected", isSelected);
      if (isSelected) found = line;
    }
    return found;
  }
}
