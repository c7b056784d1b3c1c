"""Data sets, loaders, images, iterators and metrics in the NumPy dialect."""

from __future__ import annotations

from . import core

_SETUP = "np_data_use_helpers"

PROGRAMS = (
    core.lines(
        _SETUP,
        """
        outline(digits(folder)[3])
        outline(digits(folder, train=False)[-1])
        outline(digits(folder, kind=datasets.FashionMNIST)[1:4])
        outline(digits(folder, kind=Letters)[1])
        outline(Photographs(folder)[1])
        outline(digits(folder).transform_first(lambda image: image.astype('float32') / 255)[2])
        outline(digits(folder).transform_first(transforms.ToTensor())[2])
        outline(digits(folder).transform(lambda image, label: (image, label + 1))[2])
        len(digits(folder).filter(lambda sample: sample[1] < 3))
        outline(digits(folder).take(3)[1])
        load(digits(folder))
        load(digits(folder), last_batch='discard')
        load(digits(folder), num_workers=1)
        load(digits(folder), num_workers=1, thread_pool=True)
        load(digits(folder).transform_first(transforms.ToTensor()), num_workers=1)
        load(digits(folder).transform_first(transforms.Compose([transforms.Resize(14), transforms.ToTensor()])))
        load(data.ArrayDataset(count(6, 3), count(6)))
        load(data.ArrayDataset(onp.ones((6, 3)), onp.arange(6)))
        load(data.ArrayDataset(onp.ones((6, 3), 'float32'), list(range(6))))
        load(data.ArrayDataset(count(6, 3)), last_batch='rollover')
        load(data.SimpleDataset([(np.ones(2), i) for i in range(4)]))
        load(data.SimpleDataset([onp.ones(2) * i for i in range(4)]))
        load(data.SimpleDataset([1.5, 2.5, 3.5]))
        load(data.SimpleDataset([1, 2, 3]), batchify_fn=lambda items: np.array(items))
        outline(data.dataloader.default_batchify_fn([(np.ones(2), 1), (np.zeros(2), 2)]))
        outline(data.dataloader.default_mp_batchify_fn([(np.ones(2), 1), (np.zeros(2), 2)]))
        outline(data.dataloader.default_batchify_fn([onp.ones(2), onp.zeros(2)]))
        trained(folder, False)
        trained(folder, True)
        stored(folder)
        outline(gluon.utils.split_and_load(np.ones((4, 2)), [mx.cpu(0), mx.cpu(0)]))
        outline(gluon.utils.split_data(np.ones((5, 2)), 2, even_split=False))
        """,
        title="loading: ",
    )
    | core.lines(
        _SETUP,
        """
        outline(transforms.Cast('float16')(picture))
        outline(transforms.ToTensor()(picture))
        outline(transforms.ToTensor()(np.stack([picture, picture])))
        outline(transforms.Normalize((0.1, 0.2, 0.3), (0.5, 0.6, 0.7))(planes))
        outline(transforms.CenterCrop((4, 6))(picture))[:3]
        outline(transforms.Resize((5, 6))(picture))[:3]
        outline(transforms.RandomFlipLeftRight()(picture))
        outline(transforms.RandomResizedCrop((4, 4))(picture))[:3]
        outline(transforms.RandomBrightness(0.0)(picture))
        outline(transforms.Compose([transforms.ToTensor(), transforms.Normalize(0, 1)])(picture))
        transforms.ToTensor()(picture.asnumpy())
        outline(image.imread(images(folder) + '/a.png'))
        outline(image.imdecode(read(folder)))
        outline(image.imdecode(read(folder), flag=0))
        outline(image.fixed_crop(picture, 1, 2, 4, 5))
        outline(image.center_crop(picture, (4, 4))[0])
        outline(image.imresize(picture, 5, 6))[:3]
        outline(image.resize_short(picture, 6))[:3]
        outline(image.color_normalize(planes, np.array(0.5), np.array(2.0)))
        [outline(step(picture))[:3] for step in image.CreateAugmenter((3, 6, 6), resize=8, mean=True, std=True)]
        batches(image.ImageIter(2, (3, 6, 6), path_imglist=images(folder) + '/list.lst', path_root=folder, aug_list=[image.CenterCropAug((6, 6))]))
        batches(mx.io.NDArrayIter(onp.arange(12.0).reshape(6, 2), onp.arange(6.0), batch_size=4))
        kept(embedding(folder).idx_to_vec)
        kept(embedding(folder).get_vecs_by_tokens('b'))
        updated(embedding(folder))
        """,
        title="images: ",
    )
    | core.lines(
        _SETUP,
        """
        measured(metric.TopKAccuracy(2), classes, scores)
        measured(metric.F1(), truths, chances)
        measured(metric.MCC(), truths, chances)
        measured(metric.MAE(), count(4), count(4) * 1.5)
        measured(metric.MSE(), count(4), count(4) * 1.5)
        measured(metric.RMSE(), count(4), count(4) * 1.5)
        measured(metric.CrossEntropy(), classes, scores)
        measured(metric.NegativeLogLikelihood(), classes, scores)
        measured(metric.PearsonCorrelation(), count(4), np.array([1.0, 0.5, 2.0, 4.0]))
        measured(metric.PCC(), classes, scores)
        measured(metric.CustomMetric(lambda label, pred: float((label == pred.argmax(1)).mean())), classes, scores)
        outline(gluon.loss.SoftmaxCrossEntropyLoss()(scores, classes))
        outline(gluon.loss.L2Loss()(scores, scores * 2))
        outline(gluon.loss.SigmoidBCELoss()(scores, scores))
        """,
        title="measuring: ",
    )
)
