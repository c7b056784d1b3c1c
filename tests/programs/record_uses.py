"""What users do with record files and their index files."""

from __future__ import annotations

from .core import lines

PROGRAMS = lines(
    "record_helpers",
    """
(write([b'', b'a', b'ab', b'abc', b'abcd', b'abcde']), text(read()))[1]
(write([magic, b'a' + magic, magic * 3, b'abcd' + magic + b'xy']), text(read()))[1]
(write([magic, b'abcd' + magic * 2]), open(P(), 'rb').read().hex())[1]
(write([b'x' * 1000003]), [len(i) for i in read()], os.path.getsize(P()))[1:]
(write([]), read(), os.path.getsize(P()))[1:]
(write([b'a']), write([b'b']), text(read()))[2]
R.MXRecordIO(P('none'), 'r')
R.MXRecordIO(P(), 'x')
R.MXRecordIO(P(), 'rb')
(write([b'a']), R.MXRecordIO(P(), 'r').write(b'x'))
R.MXRecordIO(P(), 'w').read()
R.MXRecordIO(P(), 'w').write('text')
R.MXRecordIO(P(), 'w').write(5)
(write([b'a', b'bb']), (lambda r: [text(r.read()), r.tell() if False else r.reset(), text(r.read())])(R.MXRecordIO(P(), 'r')))[1]
(lambda w: (w.write(b'a'), w.close(), w.close(), w.is_open))(R.MXRecordIO(P(), 'w'))[1:]
(lambda w: (w.write(b'a'), w.close(), w.write(b'b')))(R.MXRecordIO(P(), 'w'))
(lambda w: (w.write(b'a'), w.reset(), w.write(b'b'), w.close(), text(read())))(R.MXRecordIO(P(), 'w'))[-1]
(write([b'a']), (lambda r: (r.close(), r.read()))(R.MXRecordIO(P(), 'r')))
(write([b'a']), (lambda r: (r.close(), r.open(), text(r.read())))(R.MXRecordIO(P(), 'r'))[-1])[1]
(write([b'a']), (lambda r: [text(r.read()), r.read(), r.read()])(R.MXRecordIO(P(), 'r')))[1]
(write([b'abcdefgh']), open(P(), 'r+b').truncate(12), text(read()))
(write([b'abcdefgh', b'x']), open(P(), 'r+b').truncate(6), text(read()))
(open(P(), 'wb').write(b'0123456789abcdef'), read())
(open(P(), 'wb').write(b''), read())[1]
(iwrite([(3, b'c'), (1, b'a')]), (lambda r: [r.keys, text(r.read_idx(1)), text(r.read_idx(3)), text(r.read())])(R.MXIndexedRecordIO(P('a.idx'), P(), 'r')))[1]
(iwrite([('x', b'c'), ('y', b'a')], str), (lambda r: [r.keys, text(r.read_idx('y'))])(R.MXIndexedRecordIO(P('a.idx'), P(), 'r', str)))[1]
(iwrite([(1, b'c')]), R.MXIndexedRecordIO(P('a.idx'), P(), 'r').read_idx(2))
(iwrite([(1, b'c'), (1, b'd')]), (lambda r: [r.keys, text(r.read_idx(1)), text(r.idx)])(R.MXIndexedRecordIO(P('a.idx'), P(), 'r')))[1]
(iwrite([(1, b'c'), (2, b'dddddd')]), open(P('a.idx')).read())[1]
(iwrite([(1, b'c')]), os.remove(P('a.idx')), R.MXIndexedRecordIO(P('a.idx'), P(), 'r').keys)
(iwrite([(1, b'c')]), open(P('a.idx'), 'w').write('bad'), R.MXIndexedRecordIO(P('a.idx'), P(), 'r').keys)
(iwrite([(1, b'c')]), open(P('a.idx'), 'w').write('1\\t4\\n') and None, R.MXIndexedRecordIO(P('a.idx'), P(), 'r').read_idx(1))
(iwrite([(1, b'c')]), open(P('a.idx'), 'w').close(), R.MXIndexedRecordIO(P('a.idx'), P(), 'r').keys)[-1]
(iwrite([(1, b'c'), (2, b'd')]), (lambda r: (r.seek(2), text(r.read()), r.tell() if False else 0))(R.MXIndexedRecordIO(P('a.idx'), P(), 'r')))[1]
(iwrite([(1, b'c'), (2, b'd')]), (lambda r: r.write_idx(3, b'x'))(R.MXIndexedRecordIO(P('a.idx'), P(), 'r')))
(lambda w: w.seek(1))(R.MXIndexedRecordIO(P('a.idx'), P(), 'w'))
(lambda w: w.read_idx(1))(R.MXIndexedRecordIO(P('a.idx'), P(), 'w'))
(lambda w: [w.write(b'abc'), w.keys, w.tell()])(R.MXIndexedRecordIO(P('a.idx'), P(), 'w'))
(iwrite([(1, b'c'), (2, b'd')]), pickle.loads(pickle.dumps(R.MXIndexedRecordIO(P('a.idx'), P(), 'r'))).read_idx(2).decode())[-1]
(write([b'a', b'b']), pickle.loads(pickle.dumps(R.MXRecordIO(P(), 'r'))).read().decode())[-1]
R.pack(H(0, 4, 2574, 0), b'abc').hex()
R.pack(H(0, 4.5, 2574, 1), b'').hex()
R.pack(H(5, [1, 2, 3], 7, 8), b'abc').hex()
R.pack(H(0, np.array([1.5, 2], 'float64'), 7, 8), b'abc').hex()
R.pack(H(0, (1, 2), 7, 8), b'x').hex()
R.pack(H(0, np.float32(3), 7, 8), b'x').hex()
R.pack(H(0, np.array([]), 7, 8), b'x').hex()
R.pack(H(0, 'a', 7, 8), b'x')
R.pack(H(0, 1, 'a', 8), b'x')
R.pack(H(0, 1, 2 ** 64, 8), b'x')
R.pack((0, 1.0, 2, 3), b'x').hex()
R.pack(H(0, 1, 2, 3), 'text')
text(R.unpack(R.pack(H(0, 4, 2574, 0), b'abc')))
text(R.unpack(R.pack(H(0, [1, 2.5], 2574, 0), b'abc'))[1]), R.unpack(R.pack(H(0, [1, 2.5], 2574, 0), b'abc'))[0].label, R.unpack(R.pack(H(0, [1, 2.5], 2574, 0), b'abc'))[0].flag
R.unpack(b'abc')
R.unpack(R.pack(H(0, [1, 2.5], 2574, 0), b'')[:26])
str(H(0, 1, 2, 3)), H._fields, H(0, 1, 2, 3)._replace(label=9)
nears(R.unpack_img(R.pack_img(H(0, 1, 2, 3), picture(), img_fmt='.png'))[1])
nears(R.unpack_img(R.pack_img(H(0, 1, 2, 3), picture(), 9, '.png'), 0)[1])
nears(R.unpack_img(R.pack_img(H(0, [1, 2], 2, 3), picture(), quality=100, img_fmt='.jpg'), iscolor=1)[1])[:3]
R.unpack_img(R.pack_img(H(0, [1, 2], 2, 3), picture(), quality=100, img_fmt='.jpg'))[0].label
R.pack_img(H(0, 1, 2, 3), picture(), img_fmt='.xyz')
R.pack_img(H(0, 1, 2, 3), picture(), quality=9, img_fmt='png')
R.unpack_img(R.pack(H(0, 1, 2, 3), b'junk'))[1]
(iwrite([(0, b'one'), (5, b'two')]), [d.decode() for d in mx.gluon.data.RecordFileDataset(P())], mx.gluon.data.RecordFileDataset(P())[-2].decode())[1:]
(iwrite([(0, b'one'), (5, b'two')]), os.remove(P('a.idx')), mx.gluon.data.RecordFileDataset(P()))
(write([b'one']), len(mx.gluon.data.RecordFileDataset(P())))
(write([b'a']), R.MXRecordIO(P(), 'r').flag, R.MXRecordIO(P(), 'r').writable)[1:]
""",  # noqa: E501
)
