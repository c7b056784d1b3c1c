"""The NumPy dialect with images: convolutions, modern networks, vision and generators."""

from __future__ import annotations

import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from .core import functions
from .np_book_helpers import chain, draw, fit, in_numpy_dialect, made, note, r, turns


def _corr2d(X, K):
    h, w = K.shape
    Y = np.zeros((X.shape[0] - h + 1, X.shape[1] - w + 1))
    for i in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            Y[i, j] = (X[i : i + h, j : j + w] * K).sum()
    return Y


def correlation_and_a_kernel_that_is_learnt():
    X = np.ones((6, 8))
    X[:, 2:6] = 0
    K = np.array([[1, -1]])
    Y = _corr2d(X, K)
    note(Y, _corr2d(X.T, K))
    conv = made(nn.Conv2D(1, kernel_size=(1, 2), use_bias=False))
    X, Y = X.reshape(1, 1, 6, 8), Y.reshape(1, 1, 6, 7)
    for i in range(4):
        with autograd.record():
            l = (conv(X) - Y) ** 2
        l.backward()
        conv.weight.data()[:] -= 3e-2 * conv.weight.grad()
        note(i, l.sum())
    note(conv.weight.data().reshape((1, 2)))
    return r


def padding_strides_and_channels():
    X = draw(8, 8)
    for options in (
        {"kernel_size": 3, "padding": 1},
        {"kernel_size": (5, 3), "padding": (2, 1)},
        {"kernel_size": 3, "padding": 1, "strides": 2},
        {"kernel_size": (3, 5), "padding": (0, 1), "strides": (3, 4)},
    ):
        Y = made(nn.Conv2D(1, **options))(X.reshape((1, 1) + X.shape))
        note(Y.shape, Y.reshape(Y.shape[2:])[0])
    X, K = draw(2, 3, 3, seed=2), draw(2, 2, 2, seed=3)
    note(sum(_corr2d(x, k) for x, k in zip(X, K)))
    K = np.stack((K, K + 1, K + 2), 0)
    note(K.shape, np.stack([sum(_corr2d(x, k) for x, k in zip(X, kernel)) for kernel in K], 0))
    X, K = draw(3, 3, 3, seed=4), draw(2, 3, 1, 1, seed=5)
    note(np.dot(K.reshape(2, 3), X.reshape(3, 9)).reshape((2, 3, 3)))
    note(npx.convolution(X[None], K, kernel=(1, 1), num_filter=2, no_bias=True))
    return r


def pooling():
    X = np.arange(16).reshape((1, 1, 4, 4))
    X = np.concatenate((X, X + 1), axis=1)
    for layer in (nn.MaxPool2D(3), nn.MaxPool2D(3, padding=1, strides=2), nn.AvgPool2D(2)):
        note(layer(X))
    note(nn.MaxPool2D((2, 3), padding=(1, 2), strides=(2, 3))(X), nn.GlobalAvgPool2D()(X))
    note(npx.pooling(X, kernel=(2, 2), pool_type="max", stride=(2, 2)))
    return r


def lenet():
    net = chain(
        nn.Conv2D(channels=3, kernel_size=5, padding=2, activation="sigmoid"),
        nn.AvgPool2D(pool_size=2, strides=2),
        nn.Conv2D(channels=4, kernel_size=3, activation="sigmoid"),
        nn.AvgPool2D(pool_size=2, strides=2),
        nn.Dense(10, activation="sigmoid"),
        nn.Dense(4),
    )
    X = draw(4, 1, 12, 12)
    Y = X
    for layer in net:
        Y = layer(Y)
        note(Y.shape)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    fit(net, lambda: loss(net(X), turns(4, 4)), batch=4, learning_rate=0.9)
    note(net(X))
    return r


def alexnet_and_vgg():
    def vgg_block(convs, channels):
        block = nn.Sequential()
        for _ in range(convs):
            block.add(nn.Conv2D(channels, kernel_size=3, padding=1, activation="relu"))
        block.add(nn.MaxPool2D(pool_size=2, strides=2))
        return block

    alex = (
        nn.Conv2D(4, kernel_size=5, strides=2, activation="relu"),
        nn.MaxPool2D(pool_size=3, strides=2),
        nn.Conv2D(5, kernel_size=3, padding=1, activation="relu"),
        nn.Dense(8, activation="relu"),
        nn.Dropout(0.0),
        nn.Dense(3),
    )
    vgg = (vgg_block(1, 3), vgg_block(2, 4), nn.Dense(6, activation="relu"), nn.Dense(3))
    X, loss = draw(2, 1, 17, 17), gluon.loss.SoftmaxCrossEntropyLoss()
    for layers in (alex, vgg):
        net = chain(*layers)
        fit(net, lambda: loss(net(X), turns(2, 3)), batch=2, learning_rate=0.1)
        note(net(X))
    return r


def networks_in_networks_and_parallel_paths():
    def nin_block(channels, size, strides, padding):
        block = nn.Sequential()
        block.add(nn.Conv2D(channels, size, strides, padding, activation="relu"))
        block.add(nn.Conv2D(channels, kernel_size=1, activation="relu"))
        return block

    class Inception(nn.Block):
        def __init__(self, c1, c2, c4, **kwargs):
            super().__init__(**kwargs)
            self.p1 = nn.Conv2D(c1, kernel_size=1, activation="relu")
            self.p2_1 = nn.Conv2D(c2[0], kernel_size=1, activation="relu")
            self.p2_2 = nn.Conv2D(c2[1], kernel_size=3, padding=1, activation="relu")
            self.p4_1 = nn.MaxPool2D(pool_size=3, strides=1, padding=1)
            self.p4_2 = nn.Conv2D(c4, kernel_size=1, activation="relu")

        def forward(self, x):
            paths = self.p1(x), self.p2_2(self.p2_1(x)), self.p4_2(self.p4_1(x))
            return np.concatenate(paths, axis=1)

    X, loss = draw(2, 2, 9, 9), gluon.loss.SoftmaxCrossEntropyLoss()
    net = chain(nin_block(3, 3, 2, 1), Inception(2, (2, 3), 2), nn.GlobalAvgPool2D(), nn.Flatten())
    note(net(X))
    fit(net, lambda: loss(net(X), turns(2, 7)), batch=2, learning_rate=0.1)
    return r


def batch_normalization():
    def normalize(X, gamma, beta, moving_mean, moving_var, eps, momentum):
        if not autograd.is_training():
            hat = (X - moving_mean) / np.sqrt(moving_var + eps)
        else:
            axes = 0 if X.ndim == 2 else (0, 2, 3)
            mean = X.mean(axis=axes, keepdims=True)
            var = ((X - mean) ** 2).mean(axis=axes, keepdims=True)
            hat = (X - mean) / np.sqrt(var + eps)
            moving_mean = momentum * moving_mean + (1.0 - momentum) * mean
            moving_var = momentum * moving_var + (1.0 - momentum) * var
        return gamma * hat + beta, moving_mean, moving_var

    class BatchNorm(nn.Block):
        def __init__(self, features, dims, **kwargs):
            super().__init__(**kwargs)
            shape = (1, features) if dims == 2 else (1, features, 1, 1)
            self.gamma = self.params.get("gamma", shape=shape, init=init.One())
            self.beta = self.params.get("beta", shape=shape, init=init.Zero())
            self.mean, self.var = np.zeros(shape), np.ones(shape)

        def forward(self, X):
            gamma, beta = self.gamma.data(), self.beta.data()
            Y, self.mean, self.var = normalize(X, gamma, beta, self.mean, self.var, 1e-5, 0.9)
            return Y

    X, loss = draw(6, 1, 8, 8), gluon.loss.SoftmaxCrossEntropyLoss()
    for norms in ((BatchNorm(3, 4), BatchNorm(5, 2)), (nn.BatchNorm(), nn.BatchNorm())):
        net = chain(
            nn.Conv2D(3, kernel_size=5),
            norms[0],
            nn.Activation("sigmoid"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Dense(5),
            norms[1],
            nn.Dense(4),
        )
        fit(net, lambda: loss(net(X), turns(6, 4)), batch=6, learning_rate=0.5)
        note(net[1].gamma.data().reshape(-1), net[1].beta.data().reshape(-1), net(X))
    note(net[1].running_mean.data(), npx.is_np_array())
    return r


def residual_and_dense_blocks():
    class Residual(nn.Block):
        def __init__(self, channels, use_1x1conv=False, strides=1, **kwargs):
            super().__init__(**kwargs)
            self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1, strides=strides)
            self.conv2 = nn.Conv2D(channels, kernel_size=3, padding=1)
            self.conv3 = nn.Conv2D(channels, 1, strides=strides) if use_1x1conv else None
            self.bn1, self.bn2 = nn.BatchNorm(), nn.BatchNorm()

        def forward(self, X):
            Y = self.bn2(self.conv2(npx.relu(self.bn1(self.conv1(X)))))
            return npx.relu(Y + (self.conv3(X) if self.conv3 else X))

    class Dense(nn.Block):
        def __init__(self, convs, channels, **kwargs):
            super().__init__(**kwargs)
            self.net = nn.Sequential()
            for _ in range(convs):
                part = nn.Sequential()
                part.add(nn.BatchNorm(), nn.Activation("relu"))
                part.add(nn.Conv2D(channels, kernel_size=3, padding=1))
                self.net.add(part)

        def forward(self, X):
            for part in self.net:
                X = np.concatenate((X, part(X)), axis=1)
            return X

    X, loss = draw(3, 2, 6, 6), gluon.loss.SoftmaxCrossEntropyLoss()
    for layer in (Residual(3, True, 2), Dense(2, 3)):
        net = chain(layer, Residual(3, True), nn.GlobalAvgPool2D(), nn.Dense(4))
        note(layer(X).shape)
        fit(net, lambda: loss(net(X), turns(3, 4)), batch=3, learning_rate=0.05)
        note(net(X))
    return r


def _corner_to_center(boxes):
    x1, y1, x2, y2 = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    return np.stack(((x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1), axis=-1)


def bounding_boxes_and_anchors():
    boxes = np.array([[60.0, 45, 378, 516], [400, 112, 655, 493]])
    note(_corner_to_center(boxes))
    X = draw(1, 3, 6, 8)
    Y = npx.multibox_prior(X, sizes=[0.75, 0.5, 0.25], ratios=[1, 2, 0.5])
    note(Y.shape, Y.reshape(6, 8, 5, 4)[2, 3], type(Y).__name__)

    def iou(a, b):
        area = lambda x: (x[:, 2] - x[:, 0]) * (x[:, 3] - x[:, 1])
        low = np.maximum(a[:, None, :2], b[:, :2])
        high = np.minimum(a[:, None, 2:], b[:, 2:])
        inter = (high - low).clip(min=0)
        inter = inter[:, :, 0] * inter[:, :, 1]
        return inter / (area(a)[:, None] + area(b) - inter)

    truth = np.array([[0, 0.1, 0.08, 0.52, 0.92], [1, 0.55, 0.2, 0.9, 0.88]])
    anchors = np.array(
        [
            [0, 0.1, 0.2, 0.3],
            [0.15, 0.2, 0.4, 0.4],
            [0.63, 0.05, 0.88, 0.98],
            [0.66, 0.45, 0.8, 0.8],
            [0.57, 0.3, 0.92, 0.9],
        ]
    )
    found = iou(anchors, truth[:, 1:])
    note(found, found.argmax(axis=1), found.max(axis=0))
    labels = npx.multibox_target(
        np.expand_dims(anchors, axis=0), np.expand_dims(truth, axis=0), np.zeros((1, 3, 5))
    )
    note(*labels)
    anchors = np.array(
        [
            [0.1, 0.08, 0.52, 0.92],
            [0.08, 0.2, 0.56, 0.95],
            [0.15, 0.3, 0.62, 0.91],
            [0.55, 0.2, 0.9, 0.88],
        ]
    )
    scores = np.array([[0] * 4, [0.9, 0.8, 0.7, 0.1], [0.1, 0.2, 0.3, 0.9]])
    output = npx.multibox_detection(
        np.expand_dims(scores, axis=0),
        np.zeros((1, 16)),
        np.expand_dims(anchors, axis=0),
        nms_threshold=0.5,
    )
    note(output)
    for row in output[0].asnumpy():
        note(int(row[0]))
    return r


def a_tiny_detector():
    def down(channels):
        block = nn.Sequential()
        block.add(nn.Conv2D(channels, kernel_size=3, padding=1), nn.BatchNorm(in_channels=channels))
        block.add(nn.Activation("relu"), nn.MaxPool2D(2))
        return block

    def flat(x):
        return npx.batch_flatten(x.transpose(0, 2, 3, 1))

    class TinySSD(nn.Block):
        def __init__(self, classes, **kwargs):
            super().__init__(**kwargs)
            self.classes = classes
            for i in range(2):
                setattr(self, f"part_{i}", down(3 + i))
                setattr(self, f"class_{i}", nn.Conv2D(4 * (classes + 1), kernel_size=3, padding=1))
                setattr(self, f"box_{i}", nn.Conv2D(16, kernel_size=3, padding=1))

        def forward(self, X):
            anchors, classes, boxes = [], [], []
            for i, sizes in enumerate(([0.2, 0.272], [0.37, 0.447])):
                X = getattr(self, f"part_{i}")(X)
                anchors.append(npx.multibox_prior(X, sizes=sizes, ratios=[1, 2, 0.5]))
                classes.append(flat(getattr(self, f"class_{i}")(X)))
                boxes.append(flat(getattr(self, f"box_{i}")(X)))
            classes = np.concatenate(classes, axis=1)
            classes = classes.reshape(classes.shape[0], -1, self.classes + 1)
            return np.concatenate(anchors, axis=1), classes, np.concatenate(boxes, axis=1)

    net = made(TinySSD(1))
    X = draw(2, 3, 12, 12)
    Y = np.array([[[0, 0.1, 0.1, 0.5, 0.6]], [[0, 0.4, 0.3, 0.9, 0.9]]])
    of_class, of_box = gluon.loss.SoftmaxCrossEntropyLoss(), gluon.loss.L1Loss()
    anchors, classes, boxes = net(X)
    note(anchors.shape, classes.shape, boxes.shape)

    def loss():
        anchors, classes, boxes = net(X)
        offsets, masks, labels = npx.multibox_target(anchors, Y, classes.transpose(0, 2, 1))
        return of_class(classes, labels) + of_box(boxes * masks, offsets * masks)

    fit(net, loss, batch=2, learning_rate=0.2, wd=5e-4)
    anchors, classes, boxes = net(X)
    scores = npx.softmax(classes).transpose(0, 2, 1)
    found = npx.multibox_detection(scores, boxes, anchors)
    note(found.shape, (found[0, :, 0] >= 0).any())
    return r


def augmentation_style_and_segmentation():
    image = np.array((onp.random.RandomState(1).uniform(0, 255, (6, 8, 3))).astype("uint8"))
    T = gluon.data.vision.transforms
    out = T.Compose([T.Resize((4, 4)), T.ToTensor(), T.Normalize([0.5] * 3, [0.2] * 3)])(image)
    note(type(out).__name__, out.shape, str(out.dtype))
    note(npx.image.to_tensor(image)[:, 0, 0], npx.image.flip_left_right(image)[0, 0])

    def gram(X):
        channels, n = X.shape[1], X.size // X.shape[1]
        X = X.reshape((channels, n))
        return np.dot(X, X.T) / (channels * n)

    X = draw(1, 3, 5, 5)
    tv = 0.5 * (
        np.abs(X[:, :, 1:, :] - X[:, :, :-1, :]).mean()
        + np.abs(X[:, :, :, 1:] - X[:, :, :, :-1]).mean()
    )
    note(gram(X), tv, np.square(X - 1).mean())
    up = nn.Conv2DTranspose(3, kernel_size=4, padding=1, strides=2)
    up.initialize(init.Bilinear())
    note(up(X).shape, up(X)[0, 0, :2])
    K = draw(3, 3, seed=4)
    W = np.zeros((4, 9))
    k = np.zeros(5)
    k[:2], k[3:5] = K[0, :2], K[1, :2]
    W[0, :5], W[1, 1:6], W[2, 3:8], W[3, 4:] = k, k, k, k
    note(W, np.dot(W.T, np.ones(4)).reshape(3, 3))
    return r


def generators_and_discriminators():
    X = np.dot(draw(8, 2), np.array([[1, 2], [-0.1, 0.5]])) + np.array([1, 2])
    Z = draw(8, 2, seed=3)
    G = chain(nn.Dense(2))
    D = chain(nn.Dense(5, activation="tanh"), nn.Dense(3, activation="tanh"), nn.Dense(1))
    loss = gluon.loss.SigmoidBinaryCrossEntropyLoss()
    of_d, of_g = (
        gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05}) for net in (D, G)
    )
    ones, zeros = np.ones((8,)), np.zeros((8,))
    for _ in range(3):
        with autograd.record():
            d = (loss(D(X), ones) + loss(D(G(Z).detach()), zeros)) / 2
        d.backward()
        of_d.step(8)
        with autograd.record():
            g = loss(D(G(Z)), ones)
        g.backward()
        of_g.step(8)
        note(d.sum(), g.sum())
    note(G(Z))
    return r


def images_from_noise():
    class Up(nn.Block):
        def __init__(self, channels, size=4, strides=2, padding=1, **kwargs):
            super().__init__(**kwargs)
            self.conv = nn.Conv2DTranspose(channels, size, strides, padding, use_bias=False)
            self.norm, self.activation = nn.BatchNorm(), nn.Activation("relu")

        def forward(self, X):
            return self.activation(self.norm(self.conv(X)))

    G = chain(Up(4, strides=1, padding=0), Up(3), nn.Conv2DTranspose(2, 4, 2, 1, use_bias=False))
    D = chain(nn.Conv2D(3, 4, 2, 1), nn.BatchNorm(), nn.LeakyReLU(0.2), nn.Conv2D(1, 4))
    Z = draw(2, 3, 1, 1)
    note(np.tanh(G(Z)).shape, D(G(Z)).shape, nn.LeakyReLU(0.4)(np.arange(-2, 1, 0.5)))
    loss = gluon.loss.SigmoidBCELoss()
    fit(
        G,
        lambda: loss(D(np.tanh(G(Z))).reshape(2, -1), np.ones((2, 25))),
        "adam",
        batch=2,
        learning_rate=0.005,
        beta1=0.5,
    )
    return r


PROGRAMS = in_numpy_dialect(functions(globals()))
