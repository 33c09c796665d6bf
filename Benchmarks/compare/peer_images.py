"""llama.cpp's image encoder (libmtmd), through the low-level API of llama-cpp-python. Runs inside
the environment `images`.

    peer_images.py MODEL MMPROJ --threads N --size WxH --flash F

Encodes a picture of pixels that change from place to place, once to warm up, and then once for every
line it reads; answers {"seconds", "tokens"} a line.
"""

import argparse
import ctypes
import json
import sys
import time

import llama_cpp as llama
from llama_cpp import mtmd_cpp as mtmd


@llama.llama_log_callback
def ignore_log(level, text, user_data):
    pass


def picture(width: int, height: int):
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            pixels += bytes((x & 255, y & 255, (x ^ y) & 255))
    return (ctypes.c_uint8 * len(pixels)).from_buffer(pixels)


def image_chunks(context, bitmap):
    text = mtmd.mtmd_default_marker()
    request = mtmd.mtmd_input_text(text=text, text_len=len(text), add_special=False,
                                   parse_special=True)
    chunks = mtmd.mtmd_input_chunks_init()
    bitmaps = (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
    if mtmd.mtmd_tokenize(context, chunks, ctypes.byref(request), bitmaps, 1) != 0:
        sys.exit("llama.cpp cannot cut the picture")
    found = [mtmd.mtmd_input_chunks_get(chunks, index)
             for index in range(mtmd.mtmd_input_chunks_size(chunks))]
    kind = mtmd.MTMD_INPUT_CHUNK_TYPE_IMAGE
    return [chunk for chunk in found if mtmd.mtmd_input_chunk_get_type(chunk) == kind]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("projector")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--size", required=True)
    parser.add_argument("--flash", type=int, default=-1)
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    llama.llama_log_set(ignore_log, ctypes.c_void_p(0))
    mtmd.mtmd_log_set(ignore_log, ctypes.c_void_p(0))
    llama.llama_backend_init()
    model = llama.llama_model_load_from_file(
        arguments.model.encode(), llama.llama_model_default_params())
    if not model:
        sys.exit(f"llama.cpp cannot load {arguments.model}")
    parameters = mtmd.mtmd_context_params_default()
    parameters.use_gpu = False
    parameters.print_timings = False
    parameters.n_threads = arguments.threads
    parameters.flash_attn_type = arguments.flash
    context = mtmd.mtmd_init_from_file(arguments.projector.encode(), model, parameters)
    if not context:
        sys.exit(f"llama.cpp cannot load {arguments.projector}")
    pixels = picture(width, height)
    bitmap = mtmd.mtmd_bitmap_init(width, height, pixels)
    chunks = image_chunks(context, bitmap)
    tokens = sum(mtmd.mtmd_input_chunk_get_n_tokens(chunk) for chunk in chunks)

    def encode() -> float:
        start = time.perf_counter()
        for chunk in chunks:
            if mtmd.mtmd_encode_chunk(context, chunk) != 0:
                sys.exit("llama.cpp cannot encode the picture")
        return time.perf_counter() - start

    encode()
    print(json.dumps({"version": llama.__version__, "tokens": tokens}), flush=True)
    for _ in sys.stdin:
        print(json.dumps({"seconds": encode(), "tokens": tokens}), flush=True)


main()
