"""What users do with `mx.image`, image iterators, image datasets and transforms."""

from __future__ import annotations

from .core import lines

_FUNCTIONS = lines(
    "image_helpers",
    """
nears(I.imdecode(png()))
nears(I.imdecode(png(), flag=0))
nears(I.imdecode(png(), to_rgb=0))
nears(I.imdecode(png(), to_rgb=False, flag=1))
nears(I.imdecode(bytearray(png())))
nears(I.imdecode(np.frombuffer(png(), 'uint8')))
nears(I.imdecode(nd.array(np.frombuffer(png(), 'uint8'), dtype='uint8')))
I.imdecode(b'')
I.imdecode(b'nothing')
I.imdecode(None)
I.imdecode('text')
I.imread(folder + '/no.png')
(open(folder + '/a.png', 'wb').write(png(3)), nears(I.imread(folder + '/a.png')))[1]
(open(folder + '/a.png', 'wb').write(png(3)), nears(I.imread(folder + '/a.png', 0)))[1]
(open(folder + '/a.png', 'wb').write(png(3)), nears(I.imread(folder + '/a.png', to_rgb=False)))[1]
(open(folder + '/a.png', 'wb').write(png(3)), nears(I.imread(filename=folder + '/a.png', flag=1)))[1]
nears(I.imresize(im, 8, 6))
nears(I.imresize(im, 8, 6, 0)), nears(I.imresize(im, 8, 6, interp=3))
nears(I.imresize(im, w=20, h=30, interp=1))
nears(I.imresize(im.asnumpy(), 4, 4))
I.imresize(im, 0, 4)
nears(I.imresize(im[:, :, :1], 8, 6))
nears(I.imresize(fl, 8, 6))
nears(I.resize_short(im, 6)), nears(I.resize_short(im, 24, 1))
nears(I.resize_short(nd.array(picture(0, 16, 12), dtype='uint8'), 6))
nears(I.fixed_crop(im, 1, 2, 5, 4)), nears(I.fixed_crop(im, 1, 2, 5, 4, (10, 8))), nears(I.fixed_crop(im, 1, 2, 5, 4, size=(10, 8), interp=0))
nears(I.random_crop(im, (8, 8)))
nears(I.random_crop(im, (30, 8)))
nears(I.random_crop(im, (8, 8), 1)[0]), I.random_crop(im, (8, 8))[1]
nears(I.center_crop(im, (8, 6)))
nears(I.center_crop(im, (5, 5), interp=0))
nears(I.random_size_crop(im, (8, 8), (0.2, 0.8), (0.75, 1.33)))
nears(I.random_size_crop(im, (8, 8), 0.3, (0.75, 1.33)))
nears(I.random_size_crop(im, (8, 8), (0.99, 1.0), (9, 10)))
I.scale_down((640, 480), (720, 120)), I.scale_down((100, 100), (50, 60)), I.scale_down((3, 4), (10, 1))
nears(I.color_normalize(fl, nd.array([1., 2, 3]))), nears(I.color_normalize(fl, nd.array([1., 2, 3]), nd.array([2., 2, 2])))
nears(I.color_normalize(im.asnumpy().astype('float32'), np.array([1., 2, 3]), np.array([2., 2, 2])))
I.color_normalize(im, None, None)
nears(I.color_normalize(fl, None, nd.array([2.0])))
nears(I.copyMakeBorder(im, 1, 2, 3, 4))
nears(I.copyMakeBorder(im, 1, 2, 3, 4, 0, 7.0)), nears(I.copyMakeBorder(im, 1, 1, 1, 1, values=(1, 2, 3)))
nears(I.copyMakeBorder(im, 1, 1, 1, 1, type=1)), nears(I.copyMakeBorder(im, 1, 1, 1, 1, type=4))
nears(I.imrotate(fl.transpose((2, 0, 1)), 90)), nears(I.imrotate(fl.transpose((2, 0, 1)), 30, zoom_in=True))
I.imrotate(im, 30)
nears(I.imrotate(nd.stack(*[fl.transpose((2, 0, 1))] * 2), nd.array([10., 20]))), nears(I.imrotate(nd.stack(*[fl.transpose((2, 0, 1))] * 2), 45, False, True))
I.imrotate(nd.stack(*[fl.transpose((2, 0, 1))] * 2), nd.array([10., 20, 30]))
nears(I.random_rotate(fl.transpose((2, 0, 1)), (10, 10)))
I.random_rotate(fl.transpose((2, 0, 1)), (20, 10))
json.loads(I.ResizeAug(8).dumps()), json.loads(I.ForceResizeAug((8, 9)).dumps())
json.loads(I.RandomSizedCropAug((8, 8), (0.1, 1), (1, 2)).dumps())
json.loads(I.ColorNormalizeAug(nd.array([1., 2, 3]), np.array([1., 1, 1])).dumps())
json.loads(I.LightingAug(0.1, np.array([1., 2, 3]), np.eye(3)).dumps())
[type(a).__name__ for a in I.CreateAugmenter((3, 8, 8))]
[type(a).__name__ for a in I.CreateAugmenter((3, 8, 8), rand_crop=True, rand_resize=True)]
[type(a).__name__ for a in I.CreateAugmenter((3, 8, 8), mean=np.array([1., 2, 3]))]
[type(a).__name__ for a in I.CreateAugmenter((3, 8, 8), std=np.array([1., 2, 3]), inter_method=1)]
I.CreateAugmenter((3, 8, 8), rand_resize=True)
I.CreateAugmenter((3, 8, 8), mean=np.array([1., 2]))
I.CreateAugmenter((3, 8, 8), mean=[1, 2, 3])
I.CreateAugmenter((8, 8))
I.CreateAugmenter()
I.CreateAugmenter((3, 8, 8), unknown=1)
nears([a(fl) for a in I.CreateAugmenter((3, 8, 8), resize=9, mean=True, std=True)])
nears(I.ResizeAug(6)(im)), nears(I.ForceResizeAug((6, 5), 0)(im))
nears(I.RandomCropAug((5, 6))(im)), nears(I.CenterCropAug((5, 6))(im))
nears(I.RandomSizedCropAug((5, 6), min_area=0.5, ratio=(1, 1.5))(im))
nears(I.BrightnessJitterAug(0.3)(fl)), nears(I.ContrastJitterAug(0.3)(im.astype('float32'))), nears(I.SaturationJitterAug(0.3)(im.astype('float32')))
nears(I.HueJitterAug(0.3)(fl))
nears(I.ColorJitterAug(0.1, 0.2, 0.3)(fl))
nears(I.ColorJitterAug(0, 0, 0)(fl))
nears(I.LightingAug(0.1, np.array([1., 2, 3]), np.eye(3))(fl))
nears(I.RandomGrayAug(1.0)(fl)), nears(I.RandomGrayAug(0.0)(fl))
nears(I.HorizontalFlipAug(1.0)(im)), nears(I.HorizontalFlipAug(0)(im))
nears(I.CastAug()(im)), nears(I.CastAug('float16')(im))
nears(I.ColorNormalizeAug([1, 2, 3], [1, 1, 2])(fl))
nears(I.ColorNormalizeAug(nd.array([1., 2, 3]), None)(fl))
I.Augmenter(a=1)(im)
json.loads(I.Augmenter(a=1, b=[2]).dumps())
[type(a).__name__ for a in I.CreateDetAugmenter((3, 8, 8))]
[type(a).__name__ for a in I.CreateDetAugmenter((3, 8, 8), resize=9, rand_crop=0.5, rand_pad=0.5, rand_mirror=True, mean=True, std=True, brightness=.1, contrast=.1, saturation=.1, pca_noise=.1, hue=.1, rand_gray=.2)]
nears(I.DetHorizontalFlipAug(1.0)(im, np.array([[0, .1, .2, .3, .4]])))
nears(I.DetRandomCropAug()(im, np.array([[0, .1, .2, .9, .8]])))
nears(I.DetRandomPadAug()(im, np.array([[0, .1, .2, .9, .8]])))
nears(I.DetBorrowAug(I.CastAug())(im, np.array([[0, .1, .2, .9, .8]])))
nears(I.DetRandomSelectAug([I.DetHorizontalFlipAug(1.0)], 0)(im, np.array([[0, .1, .2, .9, .8]])))
I.DetBorrowAug(5)
I.DetRandomSelectAug([5])
type(I.CreateMultiRandCropAugmenter(min_object_covered=[0.1, 0.5], max_attempts=10)).__name__
I.CreateMultiRandCropAugmenter(min_object_covered=[0.1, 0.5], max_attempts=[10, 2, 3])
nears(nd.image.to_tensor(im)), nears(nd.image.resize(im, 5)), nears(nd.image.resize(im, (5, 4))), nears(nd.image.resize(im, 5, True))
nears(nd.image.crop(im, 1, 2, 3, 4)), nears(nd.image.normalize(nd.image.to_tensor(im), (0, 1, 2), (1, 2, 3)))
nears(nd.image.flip_left_right(im)), nears(nd.image.flip_top_bottom(im))
nears(nd.image.adjust_lighting(fl, alpha=(0.1, 0.2, 0.3)))
nears(mx.img.imresize(im, 3, 3)), mx.img is mx.image
sorted(n for n in dir(I) if n[0].isupper() and n.endswith(('Aug', 'Iter', 'Augmenter')))
I.RandomOrderAug([I.CastAug(), I.HorizontalFlipAug(0.5)]).dumps()
I.SequentialAug([I.CastAug(), I.CenterCropAug((3, 3))]).dumps()
[type(a).__name__ for a in I.CreateAugmenter((3, 8, 8), resize=9, rand_crop=True, rand_mirror=True, brightness=.1, hue=.1, pca_noise=.1, rand_gray=.1, mean=True, std=True)]
""",  # noqa: E501
)


_ITERATORS = lines(
    "image_file_helpers",
    """
walk(II(path_imglist=lst, path_root=folder))
walk(II(path_imglist=lst2, path_root=folder, label_width=2))
walk(II(path_imgrec=rec))
walk(II(path_imgrec=rec, path_imgidx=idx))
walk(II(path_imgrec=rec, path_imgidx=idx, shuffle=True))
walk(II(path_imgrec=rec, shuffle=True))
walk(II(path_imglist=lst, path_root=folder, shuffle=True))
walk(II(path_imgrec=rec, path_imgidx=idx, path_imglist=lst))
walk(II(imglist=imglist, path_root=folder))
walk(II(imglist=[[[1, 2], 'im/0.png'], [[3, 4], 'im/1.png']], path_root=folder, label_width=2))
walk(II(imglist=[(1, 'im/0.png')] * 4, path_root=folder))
walk(II(imglist=imglist, path_root=folder, last_batch_handle='discard'))
walk(II(imglist=imglist, path_root=folder, last_batch_handle='roll_over'), 3)
walk(II(imglist=imglist, path_root=folder, part_index=1, num_parts=2))
walk(II(path_imgrec=rec, path_imgidx=idx, part_index=1, num_parts=2))
walk(II(imglist=imglist, path_root=folder, data_name='d', label_name='l'))
walk(II(imglist=imglist, path_root=folder, dtype='float16', resize=9))
walk(II(imglist=imglist, path_root=folder, dtype='int32', resize=9))
walk(II(imglist=imglist, path_root=folder, aug_list=[I.ForceResizeAug((8, 8))]))
walk(II(imglist=imglist, path_root=folder, aug_list=[]))
walk(II(imglist=imglist, path_root=folder, mean=True, std=True, resize=10))
walk(II(imglist=imglist, path_root=folder, rand_crop=True, rand_mirror=True))
walk(II(imglist=[[0.0, 'im/none.png']], path_root=folder))
II()
II(path_imglist=folder + '/none.lst', path_root=folder)
II(path_imgrec=folder + '/none.rec')
I.ImageIter(2, (8, 8), imglist=imglist)
I.ImageIter(2, (1, 8, 8), imglist=imglist, path_root=folder).next().data[0].shape
I.ImageIter(2, (3, 8), imglist=imglist)
(lambda it: [it.next().pad, it.next().pad])(II(imglist=imglist, path_root=folder))
(lambda it: [it.next(), it.next(), it.next()])(II(imglist=imglist, path_root=folder))
(lambda it: nears(it.next_sample()))(II(imglist=imglist, path_root=folder))[0]
(lambda it: [nears(it.read_image('im/1.png'))] if False else len(it.read_image('im/1.png')) > 50)(II(imglist=imglist, path_root=folder))
(lambda it: nears(it.imdecode(png(1))))(II(imglist=imglist, path_root=folder))
(lambda it: nears(it.augmentation_transform(fl)))(II(imglist=imglist, path_root=folder))
(lambda it: nears(it.postprocess_data(fl)))(II(imglist=imglist, path_root=folder))
(lambda it: it.check_data_shape((8, 8)))(II(imglist=imglist, path_root=folder))
(lambda it: (it.check_valid_image([nd.array([])])))(II(imglist=imglist, path_root=folder))
[len(list(II(path_imgrec=rec))), II(path_imgrec=rec).batch_size]
walk(DI(path_imgrec=drec))
walk(DI(path_imgrec=drec, path_imgidx=didx, shuffle=True))
walk(DI(imglist=detlist, path_root=folder))
walk(DI(imglist=detlist, path_root=folder, rand_mirror=True, mean=True))
walk(DI(path_imgrec=drec, last_batch_handle='discard'))
DI(path_imgrec=drec).label_shape, DI(imglist=detlist, path_root=folder).label_shape
(lambda a, b: (a.sync_label_shape(b), a.label_shape, b.label_shape)[1:])(DI(path_imgrec=drec), DI(imglist=detlist[:1], path_root=folder))
(lambda a: (a.reshape((3, 6, 7), (5, 6)), a.provide_data[0].shape, a.provide_label[0].shape)[1:])(DI(path_imgrec=drec))
(lambda a: a.reshape((3, 6, 7), (1, 6)))(DI(path_imgrec=drec))
(lambda a: a.reshape((3, 6, 7), (5, 2)))(DI(path_imgrec=drec))
(lambda a: (a.reshape(data_shape=(3, 6, 7)), a.next().data[0].shape)[1])(DI(path_imgrec=drec))
[len(list(DI(path_imgrec=drec).draw_next(waitKey=None, window_name=None)))]
[mx.io.PrefetchingIter(II(path_imgrec=rec)).next().data[0].shape, mx.io.ResizeIter(II(path_imgrec=rec), 5).next().pad]
""",  # noqa: E501
)


_RECORD_ITERATORS = lines(
    "image_record_helpers",
    """
run(RI())
run(RI(batch_size=7)), run(RI(batch_size=8))
run(RI(path_imgrec=multi, label_width=2, batch_size=2))
run(RI(data_name='d', label_name='l', batch_size=2), 1)
run(RI(num_parts=2, part_index=0)), run(RI(num_parts=2, part_index=1))
run(RI(path_imgidx=same[:-3] + 'idx'))
pix(RI())
pix(RI(mean_r=1, mean_g=2, mean_b=3, std_r=2, std_g=4, std_b=8, scale=0.5))
pix(RI(scale=1 / 255.0))
pix(RI(data_shape=(1, 12, 12)))
pix(RI(data_shape=(3, 8, 8)))
pix(RI(data_shape=(3, 8, 10)))
pix(RI(data_shape=(3, 8, 8), resize=9))
pix(RI(data_shape=(3, 20, 20)))
pix(RI(data_shape=(3, 20, 20), pad=4, fill_value=9))
pix(RI(data_shape='(3,12,12)', batch_size='2', shuffle='False'))
pix(RI(dtype='uint8'))
pix(RI(dtype='float16'))
pix(mx.io.ImageRecordUInt8Iter(path_imgrec=same, data_shape=(3, 12, 12), batch_size=3))
pix(mx.io.ImageRecordInt8Iter(path_imgrec=same, data_shape=(3, 12, 12), batch_size=3))
pix(RI(rand_mirror=False, rand_crop=False, mirror=True))
pix(RI(inter_method=0, data_shape=(3, 8, 8), resize=10))
pix(RI(max_crop_size=10, min_crop_size=10))
pix(RI(max_rotate_angle=0, rotate=90))
pix(RI(mean_img=folder + '/mean.bin'))
(run(RI(mean_img=folder + '/mean.bin')), os.path.exists(folder + '/mean.bin'))[1]
sorted(i for row in run(RI(shuffle=True, seed=3, batch_size=7), 1)[1:] for i in row[1][0])
run(RI(path_imglist=folder + '/none.lst'))
RI(data_shape=(12, 12))
RI(path_imgrec=folder + '/none.rec')
mx.io.ImageRecordIter(data_shape=(3, 12, 12), batch_size=3)
mx.io.ImageRecordIter(path_imgrec=same, batch_size=3)
run(mx.io.PrefetchingIter(RI(batch_size=4)), 1)
run(mx.io.ResizeIter(RI(batch_size=4), 3), 1)
(lambda it: [it.iter_next(), it.getlabel().asnumpy().tolist(), it.getpad(), it.getdata().shape])(RI(batch_size=4))
(lambda it: [len(list(it)), len(list(it)), it.reset(), len(list(it))])(RI(batch_size=4))
isinstance(RI(), mx.io.DataIter), isinstance(RI(), mx.io.MXDataIter)
run(mx.io.ImageDetRecordIter(path_imgrec=drec, data_shape=(3, 12, 12), batch_size=2), 1)
run(mx.io.ImageDetRecordIter(path_imgrec=drec, data_shape=(3, 12, 12), batch_size=2, label_pad_width=20, label_pad_value=-2), 1)
""",  # noqa: E501
)

_DATASETS = lines(
    "image_dataset_helpers",
    """
batches(L(IF.transform_first(C([T.Resize((8, 6)), T.ToTensor()])), 2))
batches(L(IF.transform_first(C([T.Resize((8, 6)), T.ToTensor()])), 2, num_workers=2))
batches(L(IF.transform_first(T.ToTensor()), 3))
batches(L(IF, 3))
batches(L(IF.transform(lambda x, y: (T.CenterCrop(4)(x), y + 0.5)), 3))
batches(L(IR.transform_first(C([T.Cast('float32'), T.CenterCrop(6)])), 4))
batches(L(IR.transform_first(C([T.RandomResizedCrop(6), T.RandomFlipLeftRight(), T.ToTensor(), NORM])), 4))[0][0][2]
batches(L(IR.transform_first(C([T.RandomColorJitter(.1, .1, .1, .1), T.RandomLighting(.1), T.ToTensor()])), 4))[0][0][:3]
IF.synsets, len(IF), [type(i).__name__ for i in IF[0]], IF[2][1]
IF[0][0].dtype == np.uint8, IF[0][0].context, IF[0][0].shape
nears(vision.ImageFolderDataset(root, flag=0)[0])
vision.ImageFolderDataset(root, transform=lambda x, y: (x.shape, IF.synsets[y]))[2]
vision.ImageFolderDataset(folder + '/none')
vision.ImageFolderDataset(os.path.join(root, 'cat')).items
len(IR), nears(IR[3]), type(IR[3][1]).__name__
nears(vision.ImageRecordDataset(same, flag=0)[3])
vision.ImageRecordDataset(folder + '/none.rec')
vision.ImageRecordDataset(multi)
both(C([T.Resize(8), T.CenterCrop(6), T.ToTensor(), NORM]), im)
both(C([T.ToTensor(), NORM]), im)
both(C([T.Cast('float32'), T.ToTensor()]), im)
both(C([T.Resize((6, 8), interpolation=0)]), im)
both(C([T.Resize(9, keep_ratio=True), T.Cast('float32')]), im)
both(C([T.CropResize(1, 1, 6, 6, (4, 4), 1), T.ToTensor()]), im)
both(C([T.CropResize(1, 1, 6, 6), T.Cast()]), im)
both(C([T.ToTensor(), T.Normalize(0.5, 0.5), T.Cast('float16')]), im)
both(C([T.ToTensor(), T.Normalize(0, 1)]), nd.stack(im, im))
both(C([T.CenterCrop((20, 30))]), im)
both(T.Normalize(mean=(1, 2, 3), std=2), fl.transpose((2, 0, 1)))
str(C([T.Resize(8), T.ToTensor(), NORM]))
str(C([T.Resize(8), T.RandomFlipLeftRight(), T.ToTensor()]))
repr(T.RandomResizedCrop(8, (0.1, 1), (0.5, 2), 1)), repr(T.RandomColorJitter(.1)), repr(T.RandomLighting(.1)), repr(T.CenterCrop(3))
[type(t).__name__ for t in C([T.Resize(8), T.ToTensor(), NORM])]
[type(t).__name__ for t in C([T.Resize(8), T.RandomBrightness(.1), T.ToTensor()])]
sorted(C([T.Resize(8), T.ToTensor()]).collect_params())
T.ToTensor()(fl).dtype, T.ToTensor()(im).shape, float(T.ToTensor()(im).max().asscalar()) <= 1
T.ToTensor()(5)
T.ToTensor()(nd.ones((2, 2)))
T.ToTensor()(nd.ones((2, 2, 2, 2, 2)))
T.Normalize((1, 2, 3, 4), 1)(fl.transpose((2, 0, 1)))
T.Normalize(1, 0)(fl.transpose((2, 0, 1)))[0, 0, 0].asscalar() < 0
T.Resize((1, 2, 3))
T.Resize(-3)(im)
T.Resize('a')(im)
T.RandomResizedCrop(5, scale=(0, 0))(im).shape
T.RandomResizedCrop((5, 4))(im).shape, T.RandomResizedCrop((5, 4), interpolation=0)(fl).dtype
T.RandomFlipTopBottom()(im).shape, T.RandomHue(0.2)(im).dtype, T.RandomSaturation(0.2)(fl).shape
T.RandomBrightness(-1)(im).shape
T.RandomContrast('a')(im)
T.CenterCrop(None)
T.CenterCrop()
T.Cast('flat')(im)
nears(T.Resize((5, 7))(nd.stack(im, im))), nears(T.Resize((5, 7))(fl))
nears(T.Resize(6, True)(nd.array(picture(0, 20, 8), dtype='uint8')))
nears(T.CenterCrop((6, 4))(fl))
""",  # noqa: E501
)

PROGRAMS = {**_FUNCTIONS, **_ITERATORS, **_RECORD_ITERATORS, **_DATASETS}
