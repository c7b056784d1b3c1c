"use strict";
// Places the boxes of a graph in layers, from data on top to results at the bottom.

const GAP_X = 26, GAP_Y = 44, BEND = 10;

// Orders vertices so that each comes after what it reads; an edge that closes a circle, as closed
// blocks can make one, is left out of the order.
function sortVertices(vertices, sources) {
  const state = new Map(), order = [], kept = new Map();
  for (const start of vertices) {
    if (state.has(start)) continue;
    const path = [[start, 0]];
    state.set(start, 1);
    kept.set(start, []);
    while (path.length) {
      const step = path[path.length - 1], read = sources.get(step[0]) || [];
      if (step[1] === read.length) {
        state.set(step[0], 2);
        order.push(step[0]);
        path.pop();
        continue;
      }
      const source = read[step[1]++];
      if (state.get(source) === 1) continue;
      kept.get(step[0]).push(source);
      if (!state.has(source)) {
        state.set(source, 1);
        kept.set(source, []);
        path.push([source, 0]);
      }
    }
  }
  return { order, kept };
}

// Returns the positions that are nearest to wished ones and do not overlap, in the given order.
function spread(boxes, wished) {
  const offsets = [];
  let total = 0;
  boxes.forEach((box, index) => {
    if (index) total += (boxes[index - 1].width + box.width) / 2 + GAP_X;
    offsets.push(total);
  });
  const pools = [];
  boxes.forEach((_, index) => {
    pools.push({ sum: wished[index] - offsets[index], count: 1 });
    while (pools.length > 1) {
      const last = pools[pools.length - 1], before = pools[pools.length - 2];
      if (before.sum / before.count <= last.sum / last.count) break;
      pools.pop();
      before.sum += last.sum;
      before.count += last.count;
    }
  });
  let index = 0;
  for (const pool of pools) {
    for (let number = 0; number < pool.count; number++, index++) {
      boxes[index].x = pool.sum / pool.count + offsets[index];
    }
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

// Sorts boxes of a layer by the places of their neighbours and moves them near to these.
function settle(layer, neighbours, reorder) {
  const wish = (box) => {
    const near = neighbours(box);
    return near.length ? mean(near.map((other) => other.x)) : box.x;
  };
  if (reorder) {
    const wishes = new Map(layer.map((box) => [box, wish(box)]));
    layer.sort((one, other) => wishes.get(one) - wishes.get(other));
  }
  spread(layer, layer.map(wish));
}

// Returns the boxes by vertex, with x and y of their middle, the ways of the edges and the size.
function placeGraph(vertices, sources, sizeOf) {
  const { order, kept } = sortVertices(vertices, sources);
  const boxes = new Map(), layers = [];
  const addBox = (box, level) => {
    (layers[level] = layers[level] || []).push(box);
    box.above = [];
    box.below = [];
    box.x = layers[level].length * 100;
    box.level = level;
    return box;
  };
  for (const vertex of order) {
    const level = Math.max(-1, ...kept.get(vertex).map((source) => boxes.get(source).level)) + 1;
    boxes.set(vertex, addBox({ vertex, ...sizeOf(vertex) }, level));
  }
  // Data that are read far below stand right above their first reader.
  const readers = new Map();
  for (const [vertex, read] of kept) for (const source of read) {
    readers.set(source, [...(readers.get(source) || []), vertex]);
  }
  for (const [vertex, box] of boxes) {
    const below = readers.get(vertex);
    if (kept.get(vertex).length || !below) continue;
    const level = Math.min(...below.map((reader) => boxes.get(reader).level)) - 1;
    if (level > box.level) {
      layers[box.level].splice(layers[box.level].indexOf(box), 1);
      box.level = level;
      layers[level].push(box);
    }
  }
  const edges = [];
  for (const [vertex, read] of kept) for (const source of read) {
    const target = boxes.get(vertex);
    const way = [boxes.get(source)];
    for (let level = way[0].level + 1; level < target.level; level++) {
      way.push(addBox({ width: BEND, height: 0, bend: true }, level));
    }
    way.push(target);
    for (let index = 1; index < way.length; index++) {
      way[index - 1].below.push(way[index]);
      way[index].above.push(way[index - 1]);
    }
    edges.push({ source, target: vertex, way });
  }
  layers.forEach((layer) => spread(layer, layer.map((_, index) => index * 200)));
  for (let round = 0; round < 12; round++) {
    layers.forEach((layer) => settle(layer, (box) => box.above, round < 8));
    [...layers].reverse().forEach((layer) => settle(layer, (box) => box.below, round < 8));
  }
  layers.forEach((layer) => settle(layer, (box) => box.above, false));
  let y = 0;
  for (const layer of layers) {
    const height = Math.max(...layer.map((box) => box.height), 0);
    for (const box of layer) box.y = y + height / 2;
    y += height + GAP_Y;
  }
  const all = layers.flat();
  const left = Math.min(...all.map((box) => box.x - box.width / 2));
  const right = Math.max(...all.map((box) => box.x + box.width / 2));
  return { boxes, edges, left, width: right - left, height: y - GAP_Y };
}
