"""GluonNLP: a vocabulary, a small BERT that tells two sentences apart, and an LSTM model."""

import gluonnlp as nlp

import mxnet as mx
from mxnet import autograd, gluon, nd

mx.random.seed(1)
sentences = ["gluons hold the quarks together", "words are made of letters"]
counter = nlp.data.count_tokens(" ".join(sentences).split())
vocabulary = nlp.vocab.BERTVocab(counter)
words = nd.array([vocabulary[["[CLS]", *text.split()]] for text in sentences])
encoder = nlp.model.BERTEncoder(
    units=32, hidden_size=64, num_layers=2, num_heads=4, max_length=16, dropout=0.0
)
bert = nlp.model.BERTModel(
    encoder,
    len(vocabulary),
    token_type_vocab_size=2,
    units=32,
    embed_size=32,
    use_decoder=False,
    use_classifier=False,
)
net = nlp.model.BERTClassifier(bert, num_classes=2, dropout=0.0)
net.initialize(mx.init.Normal(0.02))
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 1e-2})
loss_of = gluon.loss.SoftmaxCELoss()
types, lengths, labels = nd.zeros_like(words), nd.array([words.shape[1]] * 2), nd.array([0, 1])
losses = []
for _ in range(10):
    with autograd.record():
        loss = loss_of(net(words, types, lengths), labels)
    loss.backward()
    trainer.step(2)
    losses.append(loss.mean().asscalar())
assert losses[-1] < losses[0] / 2, losses

model, _ = nlp.model.get_model(
    "standard_lstm_lm_200", dataset_name=None, vocab=vocabulary, pretrained=False
)
model.initialize()
output, _ = model(words.T, model.begin_state(batch_size=2, func=nd.zeros))
assert output.shape == (words.shape[1], 2, len(vocabulary))
print(f"BERT of 2 layers: loss {losses[0]:.2f} to {losses[-1]:.3f}; LSTM model: {output.shape}")
