"""Layers and detectors as operator tests use them: symbols, gradients, types, mistakes."""

from .core import lines

PROGRAMS = {
    **lines(
        "hawkes_helpers",
        """
        likelihood(*arrays)
        slopes(lambda *a: likelihood(*a)[0], *arrays)
        mx.sym.contrib.hawkesll(name="h").list_arguments()
        mx.sym.contrib.hawkesll(name="h").list_outputs()
        """,
    ),
    **lines(
        "suppression_helpers",
        """
        nms(rows, overlap_thresh=0.3, id_index=0)
        nms(rows, overlap_thresh=0.3, id_index=0, background_id=1)
        nms(rows, overlap_thresh=0.3, id_index=0, force_suppress=True, topk=9)
        nms(rows, overlap_thresh=0.3, topk=9, valid_thresh=0.25)
        nms(rows, overlap_thresh=0.3, id_index=0, valid_thresh=0.9)
        nms(rows.astype("float64"), overlap_thresh=0.3, id_index=0, background_id=-2)
        slopes(lambda x: nms(x, overlap_thresh=0.4, id_index=0, topk=12), rows)
        """,
    ),
    **lines(
        "detection_helpers",
        """
        detect(scores, offsets, anchors, nms_threshold=0.3)
        detect(scores, offsets, anchors, nms_threshold=0.3, nms_topk=5, threshold=0.5)
        detect(scores, offsets, anchors, nms_threshold=0.2, force_suppress=True, clip=False)
        detect(scores, offsets, anchors, nms_threshold=-1, threshold=0.7)
        detect(scores, offsets, anchors, threshold=2.0)
        detect(scores[:, :1], offsets, anchors)
        """,
    ),
    **lines(
        "region_helpers",
        """
        pool((3, 2))
        pool((1, 1), 0.25)
        pool((7, 7), 1.0)
        nd.ROIPooling(image, regions, pooled_size=(2, 5), spatial_scale=0.3)
        """,
    ),
    **lines(
        "layer_helpers",
        """
        slopes(lambda x: nd.Pooling(x, (3, 3), "avg", pad=(1, 0, 2, 2)), some(1, 2, 5, 5))
        nd.Pooling(some(1, 2, 5, 5), kernel=(3, 3), stride=(2, 1, 3), pad=(1, 1, 1))
        nd.Pooling(some(1, 2, 7), kernel=(3,), stride=(2, 2), pad=(1, 5), pooling_convention="full")
        nd.Pooling(some(1, 2, 5, 5), kernel=(3, 3), pad=(1,))
        nd.Pooling(some(1, 2, 7), kernel=(3,), stride=(2, 2), pooling_convention="same")
        nd.Pooling_v1(some(1, 2, 5, 5), kernel=(3, 3), stride=(1, 2, 2), pad=(1, 1, 0, 0))
        mx.sym.Pooling(V("d"), kernel=(3, 3), pad=(1, 1, 1, 1)).infer_shape(d=(1, 2, 5, 5))
        """,
    ),
    **lines(
        "layer_helpers",
        """
        nd.FullyConnected(some(2, 3), some(4, 3), some(4), num_hidden=5)
        mx.sym.FullyConnected(V("d"), V("w"), num_hidden=5).infer_shape(d=(2, 3), w=(4, 3))
        types(mx.sym.SequenceMask(V("d"), V("n"), use_sequence_length=True), d="float16")
        types(mx.sym.SequenceMask(V("d"), V("n"), use_sequence_length=True), d="float16", n="int32")
        types(mx.sym.SequenceLast(V("d"), V("n"), use_sequence_length=True), d="float64")
        types(mx.sym.SequenceReverse(V("d"), V("n"), use_sequence_length=True), d="int32")
        mx.sym.softmax(V("d"), V("n"), use_length=True).infer_shape(d=(2, 3, 4))
        mx.sym.softmax(V("d"), V("n"), use_length=True, axis=1).infer_shape(d=(2, 3, 4))
        list(mx.operator.get_operator_arguments("Activation").types)
        list(mx.operator.get_operator_arguments("SoftmaxOutput").types)
        list(mx.operator.get_operator_arguments("Pooling").types)
        list(mx.operator.get_operator_arguments("LeakyReLU").types)
        list(mx.operator.get_operator_arguments("topk").types)[:5]
        list(mx.operator.get_operator_arguments("_contrib_MultiBoxPrior").types)
        slopes(lambda x: nd.UpSampling(x, scale=3, sample_type="nearest"), some(1, 2, 2, 3))
        """,
    ),
}
