"""Random changes of images: what each image of a batch gets, and what stays as it is."""

import pytest
import torch

import mxnet as mx

FACTORS = ["random_brightness", "random_contrast", "random_saturation"]


def pictures(*shape, dtype="uint8"):
    generator = torch.Generator().manual_seed(0)
    return mx.nd.array(torch.randint(1, 100, shape, generator=generator).numpy(), dtype=dtype)


@pytest.mark.parametrize("name", FACTORS)
def test_each_image_of_a_batch_has_its_own_factor(name):
    mx.random.seed(0)
    image = pictures(4, 5, 3, dtype="float32")
    batch = mx.nd.stack(*[image] * 4)
    changed = getattr(mx.nd.image, name)(batch, 0.5, 1.5).asnumpy()
    assert len({round(float(item.std()), 4) for item in changed}) == 4


@pytest.mark.parametrize("name", ["random_flip_left_right", "random_flip_top_bottom"])
def test_each_image_of_a_batch_is_flipped_on_its_own(name):
    mx.random.seed(0)
    image = pictures(4, 5, 3)
    flipped = getattr(mx.nd.image, name.removeprefix("random_"))(image).asnumpy()
    batch = getattr(mx.nd.image, name)(mx.nd.stack(*[image] * 200)).asnumpy()
    hits = [(item == flipped).all() for item in batch]
    assert all(
        hit or (item == image.asnumpy()).all() for hit, item in zip(hits, batch, strict=True)
    )
    assert 70 < sum(hits) < 130


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("random_hue", {"min_factor": 0.1, "max_factor": 0.5}),
        ("random_saturation", {"min_factor": 0.1, "max_factor": 0.5}),
        ("random_lighting", {"alpha_std": 1}),
        ("adjust_lighting", {"alpha": (1, 2, 3)}),
    ],
)
def test_image_without_colours_stays_as_it_is(name, options):
    image = pictures(4, 5, 1)
    changed = getattr(mx.nd.image, name)(image, **options)
    assert (changed.asnumpy() == image.asnumpy()).all()


def test_no_jitter_changes_nothing():
    image = pictures(4, 5, 3)
    changed = mx.nd.image.random_color_jitter(image, 0, 0, 0, 0)
    assert (changed.asnumpy() == image.asnumpy()).all()


def test_jitter_is_repeatable_and_in_random_order():
    image = pictures(4, 5, 3, dtype="float32")
    runs = []
    for _ in range(2):
        mx.random.seed(5)
        runs.append(mx.nd.image.random_color_jitter(image, 0.3, 0.3, 0.3, 0.3).asnumpy())
    assert (runs[0] == runs[1]).all()
    assert (runs[0] != image.asnumpy()).any()


def test_inference_of_shapes_draws_nothing():
    data = mx.sym.var("data")
    jitter = mx.sym.image.random_color_jitter(data, 0.3, 0.3, 0.3, 0.3)
    torch.manual_seed(1)
    before = torch.get_rng_state()
    assert jitter.infer_shape(data=(4, 5, 3))[1] == [(4, 5, 3)]
    assert (torch.get_rng_state() == before).all()


def test_gradient_of_a_flip_is_flipped_back():
    image = pictures(2, 4, 1, dtype="float32")
    image.attach_grad()
    with mx.autograd.record():
        flipped = mx.nd.image.flip_left_right(image)
    flipped.backward(mx.nd.arange(8).reshape((2, 4, 1)))
    assert image.grad.asnumpy().ravel().tolist() == [3, 2, 1, 0, 7, 6, 5, 4]


def test_middle_column_of_an_odd_width_is_kept():
    image = pictures(2, 3, 3)
    flipped = mx.nd.image.flip_left_right(image).asnumpy()
    assert (flipped[:, ::-1] == image.asnumpy()).all()
