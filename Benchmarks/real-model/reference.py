"""Compares token ids and perplexity of a llama-architecture GGUF with an own forward pass in numpy.

Usage: reference.py MODEL TEXT CONTEXT TOKENS_JSON PERPLEXITY_JSON
Weights are decoded by gguf-py, the text is encoded by Hugging Face tokenizers from the vocabulary in
the file. Windows as in `leap perplexity`: the beginning token if the model uses one, then text.
"""

import json
import sys

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize
from tokenizers import Tokenizer, models, pre_tokenizers


def main(model_path, text_path, context, tokens_path, perplexity_path):
    reader = GGUFReader(model_path)
    fields = {name: field.contents() for name, field in reader.fields.items()}
    text = open(text_path, encoding="utf-8").read()

    ids = encode(fields, text)
    found = json.load(open(tokens_path))["ids"]
    if found != ids:
        place = next((i for i, (a, b) in enumerate(zip(ids, found)) if a != b), min(len(ids), len(found)))
        sys.exit(f"FAILED: token {place} differs: {ids[place:place + 5]} here, {found[place:place + 5]} there")
    print(f"tokens: {len(ids)}, all equal")

    model = Llama(reader, fields)
    front = [fields["tokenizer.ggml.bos_token_id"]] if fields.get("tokenizer.ggml.add_bos_token") else []
    room = context - len(front)
    surprises = []
    for start in range(0, len(ids), room):
        window = front + ids[start:start + room]
        logits = model.logits(np.array(window))
        rows = logits[:-1] - logits[:-1].max(axis=1, keepdims=True)
        chosen = rows[np.arange(len(window) - 1), window[1:]]
        surprises.append(np.log(np.exp(rows).sum(axis=1)) - chosen)
    expected = float(np.exp(np.concatenate(surprises).mean()))
    result = json.load(open(perplexity_path))
    ratio = result["perplexity"] / expected
    print(f"perplexity: {result['perplexity']:.4f}, reference {expected:.4f}, ratio {ratio:.5f}")
    if result["tokens"] != sum(map(len, surprises)):
        sys.exit("FAILED: another number of tokens was scored")
    if abs(ratio - 1) > 0.01:
        sys.exit("FAILED: the perplexities differ by more than 1 %")
    print("passed")


def encode(fields, text):
    vocabulary = {token: i for i, token in enumerate(fields["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ", 1)) for merge in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    splits = [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
    if fields["tokenizer.ggml.pre"] == "smollm":
        splits.insert(0, pre_tokenizers.Digits(individual_digits=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(splits)
    return tokenizer.encode(text, add_special_tokens=False).ids


class Llama:
    def __init__(self, reader, fields):
        self.weights = {
            tensor.name: dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
            for tensor in reader.tensors
        }
        self.layers = fields["llama.block_count"]
        self.heads = fields["llama.attention.head_count"]
        self.kv_heads = fields["llama.attention.head_count_kv"]
        self.epsilon = fields["llama.attention.layer_norm_rms_epsilon"]
        self.base = fields.get("llama.rope.freq_base", 10000.0)

    def norm(self, x, name):
        scale = np.sqrt((x * x).mean(axis=-1, keepdims=True) + self.epsilon)
        return x / scale * self.weights[name]

    def rotate(self, x):
        """Turns neighbouring pairs of the last axis; x is (tokens, heads, size)."""
        tokens, _, size = x.shape
        frequencies = self.base ** (-np.arange(0, size, 2) / size)
        angles = np.arange(tokens)[:, None] * frequencies
        cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
        out = np.empty_like(x)
        out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
        out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
        return out

    def attention(self, x, prefix):
        tokens = len(x)
        query, key, value = (x @ self.weights[f"{prefix}attn_{n}.weight"].T for n in "qkv")
        query = self.rotate(query.reshape(tokens, self.heads, -1))
        key = self.rotate(key.reshape(tokens, self.kv_heads, -1))
        value = value.reshape(tokens, self.kv_heads, -1)
        group = self.heads // self.kv_heads
        key, value = np.repeat(key, group, axis=1), np.repeat(value, group, axis=1)
        scores = np.einsum("qhd,khd->hqk", query, key) / np.sqrt(query.shape[-1])
        scores += np.triu(np.full((tokens, tokens), -np.inf), k=1)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = np.einsum("hqk,khd->qhd", weights, value).reshape(tokens, -1)
        return mixed @ self.weights[f"{prefix}attn_output.weight"].T

    def feed_forward(self, x, prefix):
        gate = x @ self.weights[f"{prefix}ffn_gate.weight"].T
        up = x @ self.weights[f"{prefix}ffn_up.weight"].T
        return (gate / (1 + np.exp(-gate)) * up) @ self.weights[f"{prefix}ffn_down.weight"].T

    def logits(self, ids):
        x = self.weights["token_embd.weight"][ids]
        for layer in range(self.layers):
            prefix = f"blk.{layer}."
            x = x + self.attention(self.norm(x, prefix + "attn_norm.weight"), prefix)
            x = x + self.feed_forward(self.norm(x, prefix + "ffn_norm.weight"), prefix)
        output = self.weights.get("output.weight", self.weights["token_embd.weight"])
        return (self.norm(x, "output_norm.weight") @ output.T).astype(np.float64)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5])
