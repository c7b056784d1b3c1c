"""Programs about `gluon.data.vision`: datasets of image files, and misuse of transforms."""

from __future__ import annotations

from .core import lines

PROGRAMS = {
    **lines(
        "vision_folder_helpers",
        """
        dataset.synsets
        [(path[len(root):].replace(os.sep, "/"), label) for path, label in dataset.items]
        len(dataset)
        dataset[0]
        dataset[-1]
        dataset[3][0].shape, dataset[3][1]
        dataset[4]
        vision.ImageFolderDataset(root, flag=0)[1]
        vision.ImageFolderDataset(root, transform=lambda x, y: (x.shape, y + 10))[2]
        vision.ImageFolderDataset(root, 1, lambda x, y: (T.ToTensor()(x), y))[1]
        vision.ImageFolderDataset(root + "/nothing")
        dataset.take(2)[1][1]
        dataset.transform_first(T.Resize(2))[0]
        [label for _, label in dataset]
        """,
    ),
    **lines(
        "vision_record_helpers",
        """
        len(dataset) + 0
        dataset[0][0], dataset[0][1]
        dataset[2][1]
        dataset[-1][1]
        dataset[3]
        vision.ImageRecordDataset(name + ".rec", 0)[1]
        vision.ImageRecordDataset(name + ".rec", transform=lambda x, y: (x.shape, y * 2))[1]
        dataset.transform_first(T.ToTensor())[1][0]
        """,
    ),
    **lines(
        "vision_helpers",
        """
        T.ToTensor()(image)
        T.ToTensor()(image.asnumpy())
        T.ToTensor()(image[:, :, 0])
        T.ToTensor()(image.astype("float64"))
        T.Normalize((0.1, 0.2), 1)(tensor)
        T.Normalize(0.1, (0.2, 0.3, 0.4))(tensor)
        T.Normalize(0.1, 0.2)(nd.ones((2, 4, 4)))
        T.Normalize(2, 3)(nd.full((1, 2, 2), 7, dtype="int32"))
        T.Normalize()(nd.ones((3, 2)))
        T.Cast("int8")(image)
        T.Cast(np.float64)(image)
        T.Cast("none")(image)
        T.Resize(0)(image)
        T.Resize(3, interpolation=9)(image)
        T.Resize(3)(image.astype("int32"))
        T.Resize([3, 2])(image)
        T.Resize((3, 2, 1))(image)
        T.CropResize(1, 2, 3, 4)(image)
        T.CropResize(1, 2, 9, 4)(image)
        T.CropResize(1, 2, 0, 4)(image)
        T.CenterCrop(2)(image)
        T.CenterCrop([4, 3])(image)
        T.CenterCrop((4, 3, 2))(image)
        T.CenterCrop(3)(image.asnumpy())
        T.RandomFlipLeftRight()(image[:, :, 0])
        T.RandomBrightness(0)(image)
        T.RandomBrightness(0.5)._args
        T.Rotate(30)(image)
        T.Rotate(30)(tensor).shape
        T.Rotate(30, True, True)(tensor)
        T.Rotate("left")(tensor)
        T.Rotate(30)(tensor[0])
        T.Rotate(nd.array([30]))(tensor)
        T.Rotate(nd.array([30]))(batch.astype("float32"))
        T.RandomRotation((30, 0))
        T.RandomRotation((30, 30))
        T.RandomRotation((0, 30), rotate_with_proba=1.5)
        T.RandomRotation((0, 30), rotate_with_proba=-0.5)
        T.RandomRotation((0, 30), rotate_with_proba=0)(image)
        T.RandomRotation((0, 30))(image)
        T.RandomRotation((0, 30), True, True)(tensor)
        T.RandomRotation(30)
        T.RandomApply(T.Resize(3), p=0)(image)
        T.RandomApply(T.Resize(3), p=1)(image)
        T.Compose([T.Resize(3), lambda x: x[:2], T.ToTensor()])(image)
        T.Compose([])(image)
        len(T.Compose([T.Resize(3), T.ToTensor(), T.CenterCrop(2)]))
        T.Compose([T.Resize(3), T.ToTensor()])[0][1]
        T.Compose([T.Resize(4), T.CenterCrop(2), T.ToTensor(), T.Normalize(0.5, 0.5)])(image)
        T.ToTensor()(batch).shape
        T.Resize(3)(batch).shape
        T.ToTensor()(mx.sym.var("x")).list_outputs()[0].split("_", 1)[1]
        T.Normalize(0.5, 0.2)(T.ToTensor()(mx.sym.var("x"))).infer_shape(x=(4, 5, 3))[1]
        T.Resize((7, 8))(mx.sym.var("x")).infer_shape(x=(4, 5, 3))[1]
        T.Resize(7, True)(mx.sym.var("x")).infer_shape(x=(4, 5, 3))[1]
        T.ToTensor()(mx.sym.var("x")).eval(x=image)[0]
        """,
    ),
}
