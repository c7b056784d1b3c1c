/* The ranking of the search: no document is needed, so that tests run it, too. */
(function (root) {
  "use strict";
  const HAN = /[\u3400-\u9fff]/;
  const SHOWN = 24;

  /* Makes entries of the rows of the indices; the first group is that of the reader's language. */
  function prepare(groups) {
    return groups.flatMap((rows, group) =>
      rows.map(([address, title, page, kind, text]) => ({
        address, title, page, kind, text, isOwn: group === 0,
        lowTitle: title.toLowerCase(), lowText: text.toLowerCase(), path: pathOf(address),
        stem: address.includes("#") ? "" : address.split("/").pop().replace(".html", ""),
        isRecord: /^(adr|project)\//.test(address),
        words: title.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean),
      })));
  }

  /* The full name of an object, such as mxnet.gluon.nn.dense. */
  function pathOf(address) {
    const anchor = address.split("#")[1] ?? "";
    return anchor.startsWith("mxnet.") ? anchor.toLowerCase() : "";
  }

  /* Latin text counts by words, Chinese by the characters that stand together. */
  function terms(query) {
    return query.toLowerCase().match(/[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+/g) ?? [];
  }

  /* What the API calls things of which Chinese pages speak; a search for one finds the other. */
  const ENGLISH = {
    "数组": ["ndarray"], "梯度": ["autograd", "attach_grad"], "求导": ["autograd"],
    "卷积": ["conv2d", "convolution"], "池化": ["maxpool2d", "pooling"],
    "损失": ["loss", "softmaxcrossentropyloss"], "优化": ["optimizer", "sgd"],
    "学习率": ["lr_scheduler", "learning_rate"], "训练器": ["trainer"],
    "初始化": ["initializer", "initialize"], "评价指标": ["metric", "accuracy"],
    "归一化": ["batchnorm", "layernorm"], "丢弃": ["dropout"], "全连接": ["dense"],
    "激活": ["activation"], "循环": ["lstm", "gru", "rnn"], "嵌入": ["embedding"],
    "排序": ["sort", "argsort", "topk"], "随机": ["random"], "数据集": ["dataset"],
    "加载": ["dataloader", "load_parameters"], "保存": ["save_parameters", "export"],
    "导出": ["export"], "混合化": ["hybridize", "hybridblock"], "混合精度": ["amp"],
    "量化": ["quantization"], "计算图": ["symbol"], "模型库": ["vision"],
    "检查点": ["checkpoint"], "键值存储": ["kvstore"], "性能分析": ["profiler"],
    "稀疏": ["sparse"],
  };
  const SAME = { "自动求导": "自动求梯度", "优化器": "优化算法", "优化算法": "优化器", "算子": "运算符" };

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

  /* Of an object whose name fits, the text tells no more: long texts would win over short ones. */
  function plainScore(entry, term) {
    const named = inTitle(entry, term);
    const isObject = !["page", "section"].includes(entry.kind);
    return named && isObject ? named : named + 6 * count(entry.lowText, term);
  }

  /* A Chinese term may be two, or be called otherwise elsewhere. */
  function termScore(entry, term) {
    const direct = plainScore(entry, term);
    if (!HAN.test(term)) return direct;
    const stem = term.replace(/层$/, "");
    const names = ENGLISH[stem] ?? [];
    const isObject = names.includes(lastName(entry)) && !entry.isOwn;
    const same = SAME[term] ? plainScore(entry, SAME[term]) : 0;
    const best = Math.max(direct, same, isObject ? 140 - names.indexOf(lastName(entry)) : 0);
    if (best || term.length < 3) return best;
    return stem === term ? splitScore(entry, term) : termScore(entry, stem);
  }

  /* What an object is called by itself: of modules, the last part. */
  function lastName(entry) {
    return entry.kind === "module" ? entry.path.split(".").pop() : entry.lowTitle;
  }

  function splitScore(entry, term) {
    let best = 0;
    for (let at = 2; at <= term.length - 2; at++) {
      const left = termScore(entry, term.slice(0, at));
      const right = left && termScore(entry, term.slice(at));
      if (right) best = Math.max(best, (left + right) / 3);
    }
    return best;
  }

  /* What programs call modules. */
  const SHORT = { mx: "mxnet", nd: "ndarray", np: "numpy", npx: "numpy_extension", sym: "symbol",
                  init: "initializer", viz: "visualization", kv: "kvstore" };

  /* Whether an object is what a dotted name such as mx.nd.topk or nn.Dense means. */
  function isNamed(entry, query) {
    if (!entry.path || !query.includes(".")) return false;
    const name = query.split(".").map((part) => SHORT[part] ?? part).join(".");
    return entry.path === name || entry.path.endsWith(`.${name}`);
  }

  /* Objects by their exact names come first, then pages, then sections; what contains all words. */
  const BOOST = { class: 60, module: 55, operator: 52, function: 50, page: 40, section: 10,
                  method: 0, attribute: 0 };
  function score(entry, query, words) {
    const low = query.toLowerCase();
    if (isNamed(entry, low)) return 2000 + BOOST[entry.kind];
    let total = 0;
    for (const word of words) {
      const part = termScore(entry, word);
      if (!part) return 0;
      total += part;
    }
    const isProse = entry.kind === "section";
    if (entry.title === query) total += isProse ? 300 : 1500;
    else if (lastName(entry) === low) total += isProse ? 250 : 1000;
    else if (entry.stem === low) total += 700;
    else if (entry.lowTitle.startsWith(low)) total += 80;
    if (words.some((word) => entry.lowTitle.includes(word))) {
      total += BOOST[entry.kind] - Math.min(entry.title.length, 40) / 4;
    }
    return (total + (entry.isOwn ? 8 : 0)) / (entry.isRecord ? 4 : 1);
  }

  function search(entries, query) {
    const words = terms(query);
    if (!words.length) return [];
    return entries
      .map((entry, order) => ({ entry, order, points: score(entry, query, words) }))
      .filter((found) => found.points > 0)
      .sort((a, b) => b.points - a.points || a.order - b.order)
      .slice(0, SHOWN)
      .map((found) => found.entry);
  }

  root.glueballRank = { prepare, search, terms };
})(globalThis);
