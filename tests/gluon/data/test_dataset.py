"""Datasets; what the original does with them is in `tests/programs/data.py`."""

from __future__ import annotations

import pickle

import pytest

import mxnet as mx
from mxnet.gluon import data


class Squares(data.Dataset):
    def __getitem__(self, idx):
        return idx * idx

    def __len__(self):
        return 4


def test_iteration_ends_with_the_length():
    assert list(Squares()) == [0, 1, 4, 9]
    assert list(Squares().transform(lambda x: x + 1, lazy=False)) == [1, 2, 5, 10]


def test_datasets_can_be_pickled():
    dataset = data.ArrayDataset(mx.nd.ones((3, 2)), [1, 2, 3]).transform_first(abs).take(2)
    restored = pickle.loads(pickle.dumps(dataset))
    assert len(restored) == 2
    assert restored[1][0].asnumpy().tolist() == [1, 1]


@pytest.fixture
def records(tmp_path):
    writer = mx.recordio.MXIndexedRecordIO(str(tmp_path / "a.idx"), str(tmp_path / "a.rec"), "w")
    for number in range(40):
        writer.write_idx(number, b"%d" % number * (number + 1))
    writer.close()
    return data.RecordFileDataset(str(tmp_path / "a.rec"))


@pytest.mark.parametrize("workers", [0, 2, 4])
@pytest.mark.parametrize("thread_pool", [False, True])
def test_record_files_are_read_by_workers(records, workers, thread_pool):
    assert records[3] == b"3333"
    loader = data.DataLoader(
        records, 3, batchify_fn=list, num_workers=workers, thread_pool=thread_pool
    )
    for _ in range(2):
        assert [record for batch in loader for record in batch] == [
            b"%d" % number * (number + 1) for number in range(40)
        ]


def test_record_files_can_be_pickled(records):
    assert pickle.loads(pickle.dumps(records))[2] == b"222"
    assert (records.filename.endswith("a.rec"), records.idx_file.endswith("a.idx")) == (True, True)


def test_a_downloaded_dataset_has_to_say_how(tmp_path):
    with pytest.raises(NotImplementedError):
        data.dataset._DownloadedDataset(str(tmp_path), None)


def test_a_downloaded_dataset(tmp_path):
    class Two(data.dataset._DownloadedDataset):
        def _get_data(self):
            self._data, self._label = mx.nd.arange(4).reshape((2, 2)), [5, 6]

    plain = Two(str(tmp_path / "new" / "folder"), None)
    assert (tmp_path / "new" / "folder").is_dir()
    assert plain[1][1] == 6
    changed = Two(str(tmp_path), lambda x, y: (x * 2, -y))
    (batch, label), *_ = data.DataLoader(changed, 2)
    assert batch.asnumpy().tolist() == [[0, 2], [4, 6]]
    assert label.asnumpy().tolist() == [-5, -6]
