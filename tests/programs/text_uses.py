"""Programs with texts: counting tokens, vocabularies, vectors of tokens, WikiText."""

from __future__ import annotations

import os
import warnings

import mxnet as mx
from mxnet import nd

from .core import functions, lines
from .text_published_helpers import (
    C,
    E,
    V,
    count,
    load,
    published,
    put,
    sha1,
    state,
    the,
    watched,
    zipped,
)


def a_published_file_in_the_folder(folder):
    name = "glove.6B.50d.txt"
    put("glove/" + name, the)
    known = V(C(["the", "zz"]))

    class Smaller(E.GloVe):
        pretrained_file_name_sha1 = {}

    with published(E.GloVe, {name: sha1(the)}):
        r = [
            watched(lambda: E.create("glove", pretrained_file_name=name, embedding_root=folder)),
            watched(lambda: E.GloVe(name, folder, nd.ones, known)),
            watched(lambda: E.GloVe(name, folder, vocabulary=known, unknown_token="of")),
            watched(lambda: Smaller(name, folder)),
        ]
    return r


def a_published_archive_in_the_folder(folder):
    archive = zipped(wiki_simple_vec=b"2 2\n" + the)
    names = {"wiki.simple.vec": sha1(b"2 2\n" + the)}
    put("fasttext/wiki.simple.zip", archive)
    with published(E.FastText, names, {"wiki.simple.zip": sha1(archive)}):
        r = [watched(lambda: E.FastText(embedding_root=folder))]
        put("fasttext/wiki.simple.vec", "something 1 2\n")
        r += [watched(lambda: E.create("fasttext", embedding_root=folder))]
    r += [sorted(os.listdir(os.path.join(folder, "fasttext")))]
    return r


def an_archive_without_the_file(folder):
    archive = zipped(other_vec=the)
    put("fasttext/wiki.simple.zip", archive)
    with published(E.FastText, {"wiki.simple.vec": sha1(the)}, {"wiki.simple.zip": sha1(archive)}):
        r = state(E.FastText(embedding_root=folder))
    return r


def a_class_of_the_user(folder):
    class Mine(E._TokenEmbedding):
        pretrained_file_name_sha1 = {"mine.vec": sha1(the)}

        def __init__(self, embedding_root, init_unknown_vec=nd.zeros, vocabulary=None, **kwargs):
            Mine._check_pretrained_file_names("mine.vec")
            super().__init__(**kwargs)
            path = Mine._get_pretrained_file(embedding_root, "mine.vec")
            self._load_embedding(path, " ", init_unknown_vec)
            if vocabulary is not None:
                self._build_embedding_for_vocabulary(vocabulary)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        r = [E.register(Mine) is Mine]
    put("mine/mine.vec", the)
    r += [E.get_pretrained_file_names("mine"), state(E.create("Mine", embedding_root=folder))]
    r += [state(E.create("mine", embedding_root=folder, vocabulary=V(C(["of", "x"]))))]
    r += [Mine._get_pretrained_file(folder, "mine.vec") == os.path.join(folder, "mine", "mine.vec")]
    return r


def vectors_as_weights_of_a_layer():
    counter = count("the cat\nthe dog and the cat", counter_to_update=C())
    vocabulary = V(counter, min_freq=2, reserved_tokens=["<pad>"])
    path = put("v.txt", "the 1 2 3\ncat 4 5 6\nbird 7 8 9\n")
    vectors = E.CustomEmbedding(path, vocabulary=vocabulary)
    layer = mx.gluon.nn.Embedding(len(vocabulary), vectors.vec_len)
    layer.initialize()
    layer.weight.set_data(vectors.idx_to_vec)
    indices = vocabulary.to_indices(["cat", "dog", "<pad>", "the"])
    return [vocabulary.idx_to_token, layer(nd.array(indices))]


def nearest_tokens():
    e = load("king 1 0 1\nqueen 1 0.9 1\nman 0 0 1\nwoman 0 0.9 1\n")
    x = nd.dot(nd.array([[-1, 1, 1]]), e.get_vecs_by_tokens(["man", "woman", "king"])).reshape(
        (-1,)
    )
    w = e.idx_to_vec
    cos = nd.dot(w, x) / ((nd.sum(w * w, axis=1) + 1e-9).sqrt() * nd.sum(x * x).sqrt())
    best = nd.topk(cos, k=2, ret_typ="indices").asnumpy().astype("int32")
    return [e.idx_to_token[int(i)] for i in best]


_COUNTS = lines(
    "text_helpers",
    r"""
    count(" Life is great ! \n life is good . \n")
    count(" Life is great ! \n life is good . \n", to_lower=True)
    count("a<td>b<sd>c<td>a", "<td>", "<sd>")
    count(".Life.is.great.!.|.life.is.good..|.", r"\.", r"\|")
    count(".Life.is.|.life.is..|.", ".", "|")
    count("*a*b*", "*", "\n")
    count("a1b2c", "([0-9])", "\n")
    count("a(b)c", "(", ")")
    count("a  b\n\n\nc\ta")
    count("a b", counter_to_update=C({"a": 3, "z": 1}))
    count("a b", "", "")
    count("")
    count(None)
    count("a b", None)
    """,
)

_VOCABULARIES = lines(
    "text_helpers",
    """
    state(V())
    state(V(ct))
    state(V(ct, most_freq_count=0))
    state(V(ct, most_freq_count=2))
    state(V(ct, most_freq_count=-1))
    state(V(ct, most_freq_count=2.5))
    state(V(ct, most_freq_count=100, min_freq=2))
    state(V(ct, most_freq_count="1"))
    state(V(ct, min_freq=1.5))
    state(V(ct, min_freq=0))
    state(V(None, min_freq=-1))
    state(V(ct, unknown_token="b"))
    state(V(ct, unknown_token=None, reserved_tokens=["<pad>"]))
    state(V(ct, reserved_tokens=["b", "<pad>"]))
    state(V(ct, reserved_tokens=[]))
    state(V(ct, reserved_tokens=("x", "y")))
    state(V(ct, reserved_tokens=["x", "x"]))
    state(V(ct, reserved_tokens=["<unk>"]))
    state(V(ct, reserved_tokens=[["x"]]))
    state(V(ct, most_freq_count=1, reserved_tokens=["c", "p"]))
    state(V(ct, most_freq_count=2, unknown_token="c"))
    state(V(ct, 2, 2, "<u>", ["<p>"]))
    state(V(dict(ct)))
    state(V(["a"]))
    state(V(C({1: 3, 0: 3, 5: 9})))
    state(V(C({1: 3, "a": 3})))
    state(V(C({"b": 2, "a": 2, "B": 2, "A": 2, "é": 2, "0": 2, "c": 0, "d": -1})))
    state(V(C("abbccc"), min_freq=2, reserved_tokens=["<pad>", "<bos>", "<eos>"]))
    state(pickle.loads(pickle.dumps(V(ct))))
    V(ct).to_indices("c")
    V(ct).to_indices(["c", "zz"])
    V(ct).to_indices(("c", "zz"))
    V(ct).to_indices([])
    V(ct).to_indices([["a"]])
    V(ct).to_tokens(0)
    V(ct).to_tokens([0, 1, 1])
    V(ct).to_tokens(-1)
    V(ct).to_tokens(5)
    V(ct).to_tokens([0, 5])
    V(ct).to_tokens(1.0)
    V(ct).to_tokens("1")
    V(ct).to_tokens((1, 2))
    V(ct).to_tokens(np.array([1, 2]))
    "a" in V(ct)
    setattr(V(ct), "token_to_idx", {})
    [V.__module__, E.GloVe.__module__, count.__name__]
    """,
)

_FILES = lines(
    "text_helpers",
    r"""
    read("a 0.1 0.2 0.3\nb 1 2 3\n")
    read("2 3\na 1 2 3\nb 1 2 3\n")
    read("2 3 \na 1 2 3 \nb 1 2 3 \n")
    read("a 1\nb 2\n")
    read("a 1 2\nb 3\nc 4 5\n")
    read("a 1 2\nb 3 4 5\n")
    read("a 1 2\na 3 4\na 5\n")
    read("a 1 2\na x y\n")
    read("a 1 2\n<unk> 9 8\nb 3 4\n<unk> 7 7\n")
    read("<unk> 1\nb 2 3\n")
    read("b 2 3\n<unk> 1 2 3\n")
    read("")
    read("\n")
    read("a 1 2\n\nb 3 4\n")
    read("a 1 2\nb 3 x\n")
    read("a b 1 2\n")
    read("a  1 2\n")
    read(" 1 2\nb 3 4\n")
    read("a 1 2")
    read("a 1 2\r\nb 3 4\r\n")
    read("a 1e3 -inf 1e400 1e300 16777217\n")
    read("1 2 3\n4 5 6\n")
    read("a 1 2\nA 3 4\n")
    read("中 1 2\né 3 4\n")
    read("\ufeffa 1 2\na\xa0b 1 2\nc\u20281 2\n")
    read("a,1,2\nb,3,4\n", elem_delim=",")
    read("a\t1\t2\n", elem_delim="\t")
    read("a\t1\t2\n")
    read("a\t1 \t2\n", elem_delim=None)
    read("a::1::2\n", elem_delim="::")
    read("a 1 2\n", elem_delim="")
    read(b"a 1 2\n\xff\xfe 3 4\n")
    read(b"a 1 2\n\xff\xfe 3 4\n", encoding="latin1")
    read(ab, encoding="nope")
    E.CustomEmbedding(os.path.join(folder, "nothing.txt"))
    E.CustomEmbedding(folder)
    E.CustomEmbedding(None)
    """,
)

_OPTIONS = lines(
    "text_helpers",
    """
    read(ab, init_unknown_vec=nd.ones)
    read(ab, init_unknown_vec=lambda shape: nd.array([7, shape]))
    read(ab, init_unknown_vec=lambda shape: nd.array([7, 8, 9]))
    read(ab, init_unknown_vec=lambda shape: 5)
    read(ab, init_unknown_vec=lambda shape: [5, 6])
    read(ab, init_unknown_vec=lambda size: nd.ones(size))
    read(ab, init_unknown_vec=None)
    read(ab, unknown_token="b")
    read(ab, unknown_token=None)
    read(ab, reserved_tokens=["q"])
    read(ab, reserved_tokens=["b"])
    read(ab, counter=C(["b", "b", "z"]))
    read(ab, foo=1)
    read(ab, vocabulary=V(C(["b", "zz"])))
    read(ab, vocabulary=V(C(["b", "zz"])), init_unknown_vec=nd.ones)
    read(ab, vocabulary=V(C(["b"]), unknown_token="<u>", reserved_tokens=["<pad>", "a"]))
    read(ab, vocabulary=V(C(["b", "zz"]), unknown_token="a"), unknown_token="b")
    read(ab, vocabulary=V(C(["A", "B"])))
    read(ab, vocabulary=C(["a"]))
    read(ab, vocabulary=load("b 1 2 3\\nc 4 5 6\\n"))
    """,
)

_VECTORS = lines(
    "text_vector_helpers",
    """
    e.get_vecs_by_tokens("a")
    e.get_vecs_by_tokens(["a"])
    e.get_vecs_by_tokens(["a", "zz", "B"])
    e.get_vecs_by_tokens("A")
    e.get_vecs_by_tokens("A", True)
    e.get_vecs_by_tokens(["A", "B", "Z"], lower_case_backup=True)
    e.get_vecs_by_tokens(("a", "b"))
    e.get_vecs_by_tokens([5])
    e.get_vecs_by_tokens([5], True)
    e.get_vecs_by_tokens([["a"]])
    [e.to_indices(["a", "q"]), e.to_tokens([1, 2]), len(e), e.vec_len]
    e.to_tokens(9)
    setattr(e, "idx_to_vec", 1)
    state(pickle.loads(pickle.dumps(e)))
    E._TokenEmbedding().vec_len
    E._TokenEmbedding(counter=ct).get_vecs_by_tokens("a")
    """,
)

_CHANGES = lines(
    "text_update_helpers",
    """
    update("a", nd.array([9, 9]))
    update("a", nd.array([[9, 9]]))
    update(["a"], nd.array([9, 9]))
    update(["a", "b"], nd.array([[9, 9], [8, 8]]))
    update(["a", "a"], nd.array([[9, 9], [8, 8]]))
    update(["<unk>", "a"], nd.array([[9, 9], [8, 8]]))
    update("a", nd.array([9, 8], dtype="int32"))
    update(["a", "b"], nd.array([9, 9]))
    update(["a", "b"], nd.array([[9, 9]]))
    update("a", nd.array([9, 9, 9]))
    update("a", [9, 9])
    update(["a"], np.ones((1, 2)))
    update([], nd.array([[9, 9]]))
    update("zz", nd.array([9, 9]))
    update("A", nd.array([9, 9]))
    update(["a", "zz"], nd.array([[9, 9], [8, 8]]))
    update(("a", "b"), nd.array([[9, 9], [8, 8]]))
    update(("a",), nd.array([9, 9]))
    """,
)

_COMPOSITES = lines(
    "text_composite_helpers",
    """
    state(Composite(v, e1))
    state(Composite(v, [e1, e2]))
    state(Composite(v, [e2, e1]))
    state(Composite(v, [Composite(v, [e1, e2]), e1]))
    state(Composite(e1, [e2]))
    state(Composite(V(C(["a"])), load("a 1 2\\\\n", vocabulary=V(C(["b"])))))
    Composite(v, [e1, e2]).get_vecs_by_tokens(["a", "C", "c"], True)
    [Composite(v, e1).token_to_idx is v.token_to_idx, Composite(v, e1).idx_to_vec is e1.idx_to_vec]
    Composite(v, (e1, e2))
    Composite(v, [])
    Composite(v, None)
    Composite(v, [e1, v])
    Composite(None, [e1])
    """,
)

_NAMES = lines(
    "text_helpers",
    """
    E.get_pretrained_file_names("glove")
    E.get_pretrained_file_names("fasttext")
    E.get_pretrained_file_names(embedding_name="fasttext")[:3]
    [(name, len(E.get_pretrained_file_names()[name])) for name in ("glove", "fasttext")]
    E.get_pretrained_file_names("GloVe")
    E.get_pretrained_file_names("customembedding")
    E.GloVe.pretrained_file_name_sha1
    E.GloVe.pretrained_archive_name_sha1
    sorted(E.FastText.pretrained_file_name_sha1.items())[::20]
    sorted(E.FastText.pretrained_archive_name_sha1.items())[7::20]
    [E.GloVe._get_pretrained_file_url(name) for name in E.get_pretrained_file_names("glove")]
    E.FastText._get_pretrained_file_url("crawl-300d-2M.vec")
    E.create("glove", pretrained_file_name="nothing")
    E.create("fasttext", pretrained_file_name="glove.6B.50d.txt")
    E.create("nothing")
    E.create(5)
    E.create()
    E.create("glove", "glove.6B.50d.txt")
    E.create("customembedding", pretrained_file_path="x")
    E.register(int)
    """,
)

_WIKIS = lines(
    "text_wiki_helpers",
    r"""
    wiki(t)
    wiki(t, seq_len=2)
    wiki(t, seq_len=100)
    wiki(t, seq_len=0)
    wiki(t, seq_len=-1)
    wiki(t, packed=True)
    wiki(t, vocab=V(C(["the", "cat"]), reserved_tokens=["<eos>"]))
    wiki(t, vocab=V(C(["the", "cat"])))
    wiki(" a b c \n")
    wiki(" a b \n")
    wiki("")
    wiki("\n\n \n")
    wiki(" a <eos> b c \n d e f g \n")
    wiki(" a\tb  c\xa0d \r\n e f \n")
    wiki(" a b\u2028c d\x0be f \n i j k l\x1cm \n")
    wiki(b" \xff a \n b c d e \n")
    wiki(t, segment="test")
    [T.__all__, T.WikiText2.__module__, T.WikiText103.__mro__[1].__name__]
    """,
)

PROGRAMS = {
    **_COUNTS,
    **_VOCABULARIES,
    **_FILES,
    **_OPTIONS,
    **_VECTORS,
    **_CHANGES,
    **_COMPOSITES,
    **_NAMES,
    **functions(globals()),
    **_WIKIS,
}
