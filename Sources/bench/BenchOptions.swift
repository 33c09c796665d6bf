import CommandLineSupport
import Compute
import Models
import Synthetic

/// The options of `bench`; where they mean the same, they have llama-bench's names.
enum BenchOptions {
  static let model = Option(
    "-m", "--model", value: "MODEL", .file,
    help: "GGUF file, or the name of a model on this machine: LFM2-350M:Q4_0 (repeatable).")
  static let synthetic = Option(
    "--synthetic", value: "SHAPE", .choice(SyntheticShape.all.map(\.name)),
    help: "A model with random weights in a published shape, made on first use (repeatable): "
      + SyntheticShape.all.map(\.name).joined(separator: ", ") + ".")
  static let quant = Option(
    "--quant", value: "TYPE", .choice(QuantizationMix.allCases.map(\.rawValue)),
    help: "Weight type of synthetic models (repeatable; default Q4_0, for images Q8_0): "
      + QuantizationMix.allCases.map(\.rawValue).joined(separator: ", ") + ".")
  static let makeSynthetic = Option(
    "--make-synthetic", value: "SHAPE",
    .choice(SyntheticShape.all.map(\.name) + SyntheticEncoder.all.map(\.name)),
    help: "Only write such a model or image encoder, to the file named by -o.")
  static let vocabulary = Option(
    "--vocabulary", value: "FILE", .file,
    help: "With --make-synthetic: take the tokenizer of this GGUF file.")
  static let listSynthetic = Flag(
    "--list-synthetic", help: "Only list the synthetic models and their sizes.")

  static let once = Flag(
    "--once",
    help: "Only load the model, read one prompt (-p, default 1) and tell the memory, as JSON.")

  private static let counts = ValueParser.integers(in: 0...(1 << 20))
  static let prompt = Option(
    "-p", "--n-prompt", value: "LIST", counts,
    help: "Prompt lengths, separated by commas (default 512; 0 for none).")
  static let generate = Option(
    "-n", "--n-gen", value: "LIST", counts,
    help: "Numbers of generated tokens (default 128; 0 for none).")
  static let depth = Option(
    "-d", "--n-depth", value: "LIST", counts,
    help: "Tokens already in the context (default 0).")
  static let threads = Option(
    "-t", "--threads", value: "LIST", .integers(in: 1...256),
    help: "Numbers of threads (default: the cores this process may use).")
  static let schema = Option(
    "--schema", value: "FILE", .file,
    help: "Also answer by this JSON Schema, sampled at temperature 1, and without it.")
  static let lookup = Flag(
    "--lookup",
    help:
      "Instead of all others, measure answers with and without prompt lookup, where they repeat "
      + "the conversation and where they do not; at most as many tokens as -n says.")
  static let profile = Flag(
    "--profile", help: "Instead of speeds, the time of every operation and its share.")
  static let image = Option(
    "--image", value: "WxH|FILE",
    ValueParser(expecting: "a size in pixels such as 512x512, or a JPEG or PNG file") {
      ImageSource($0)
    },
    help: "Instead of all others, how fast a picture of this size, or in this file, is decoded, "
      + "cut and encoded (repeatable).")
  static let projector = Option(
    "--mmproj", value: "FILE", .file,
    help: "With --image: the image encoder, or a shape to make one with random weights "
      + "(repeatable; default lfm2-vl-450m): "
      + SyntheticEncoder.all.map(\.name).joined(separator: ", ") + ".")
  static let audio = Option(
    "--audio", value: "LIST", .integers(in: 1...600),
    help: "Instead of all others, how fast sounds of so many seconds are listened to, and how fast "
      + "sound is spoken, with random weights in the shape of LFM2-Audio-1.5B.")
  static let repetitions = Option(
    "-r", "--repetitions", value: "N", .integer(in: 1...1000),
    help: "Repetitions of every measurement (default 5).")
  static let batchSize = Option(
    "-b", "--batch-size", value: "N", .integer(in: 1...4096),
    help: "Tokens per prefill step (default 192; 512 for sparse models).")
  static let kernels = Option(
    "--kernels", value: "K", .choice(KernelVariant.allCases.map(\.rawValue)),
    help: "Kernel variant (repeatable; default: the fastest here): "
      + KernelVariant.allCases.map(\.rawValue).joined(separator: ", ") + ".")
  static let cacheType = Option(
    "--cache-type", value: "TYPE", .choice(CacheType.allCases.map(\.rawValue)),
    help: "How keys and values are kept: f16 (default) or f32.")
  static let noMap = Flag("--no-mmap", help: "Read files into memory instead of mapping them.")
  static let lock = Flag(
    "--mlock", help: "Keep files in main memory; fails where the system does not allow it.")
  static let output = Option(
    "-o", "--output", value: "FORMAT", .file,
    help: "md (default), json, jsonl or csv; with --make-synthetic the file to write.")
}
