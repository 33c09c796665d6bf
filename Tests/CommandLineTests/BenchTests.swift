import Foundation
import GGUF
import JSON
import Synthetic
import TestSupport
import Testing

@Suite struct BenchTests {
  let bench: Executable
  let folder: TemporaryFolder
  let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path

  init() throws {
    bench = try Executable.bench
    folder = try TemporaryFolder()
  }

  private func run(_ format: String) throws -> Executable.Outcome {
    try bench.run(
      "-m", model, "-p", "4,8", "-n", "3", "-d", "0,5", "-r", "2", "-t", "1", "-o", format)
  }

  @Test func measuresEveryCombination() throws {
    let outcome = try run("json")
    #expect(outcome.code == 0, "\(outcome.err)")
    let rows = try outcome.json.arrayValue ?? []
    #expect(
      rows.map { $0["test"]?.stringValue } == [
        "pp4", "pp8", "tg3", "pp4 @ d5", "pp8 @ d5", "tg3 @ d5",
      ])
    for row in rows {
      #expect((row["avg_ts"]?.doubleValue ?? 0) > 0)
      #expect(row["samples_ts"]?.arrayValue?.count == 2)
      #expect(row["n_threads"] == 1)
      #expect(row["model_n_params"] == 6_103_424)
      let peak = row["peak_memory_bytes"]?.intValue ?? 0
      let anonymous = row["anonymous_memory_bytes"]?.intValue ?? 0
      #expect(anonymous > 100_000 && peak > anonymous + 4_000_000)
      #expect((row["read_bytes_per_second"]?.doubleValue ?? 0) > 0)
      #expect((row["first_token_seconds"]?.doubleValue ?? 0) > 0)
    }
  }

  @Test func printsEveryFormat() throws {
    let markdown = try run("md").out
    #expect(markdown.contains("| lfm2 6.1M Q4_K_M |"))
    #expect(markdown.contains("| tg3 @ d5 |") && markdown.contains("peak memory"))
    #expect(try run("csv").out.split(separator: "\n").count == 7)
    let lines = try run("jsonl").out.split(separator: "\n")
    #expect(lines.count == 6)
    for line in lines { #expect(throws: Never.self) { try JSONValue(parsing: String(line)) } }
  }

  @Test func profilesEveryOperation() throws {
    let outcome = try bench.run(
      "-m", model, "--profile", "-p", "8", "-n", "3", "-d", "5", "-t", "1", "-o", "json")
    #expect(outcome.code == 0, "\(outcome.err)")
    let rows = try outcome.json.arrayValue ?? []
    for (test, operations) in [
      ("pp8 @ d5", ["attention", "convolution", "feed-forward matrices", "output matrix"]),
      ("tg3 @ d5", ["attention", "convolution", "feed-forward matrices", "sampling"]),
    ] {
      let parts = rows.filter { $0["test"]?.stringValue == test }
      let names = parts.compactMap { $0["operation"]?.stringValue }
      for operation in operations { #expect(names.contains(operation), "\(names)") }
      let total = parts.reduce(0) { $0 + ($1["share"]?.doubleValue ?? 0) }
      #expect(abs(total - 1) < 1e-9)
      for part in parts { #expect((part["microseconds_per_token"]?.doubleValue ?? 0) > 0) }
    }
  }

  @Test func lookupIsMeasuredAgainstPlainDecoding() throws {
    let outcome = try bench.run(
      "-m", model, "--lookup", "-n", "16", "-r", "1", "-t", "1", "-o", "json")
    #expect(outcome.code == 0, "\(outcome.err)")
    let rows = try outcome.json.arrayValue ?? []
    #expect(rows.count == 4)
    for row in rows { #expect((row["tokens_per_pass"]?.doubleValue ?? 0) >= 1, "\(row)") }
  }

  @Test func aSingleRunTellsItsMemory() throws {
    let outcome = try bench.run("--once", "-m", model, "-p", "4", "-n", "2", "-t", "1")
    #expect(outcome.code == 0, "\(outcome.err)")
    #expect((try outcome.json["peak_memory_bytes"]?.intValue ?? 0) > 4_000_000)
  }

  @Test(
    arguments: [
      (["--synthetic", "lfm3"], "'--synthetic' must be one of"),
      (["-o", "pdf"], "'--output' must be one of"), (["-r", "0"], "'-r' must be"),
      (["-p", "1,x"], "'-p' must be"),
      (["--make-synthetic", "lfm2-350m"], "'--output' is missing"),
    ] as [([String], String)]) func reportsBadUsage(arguments: [String], text: String) throws
  {
    let outcome = try bench.run(arguments)
    #expect(outcome.code == 2 && outcome.out.isEmpty)
    #expect(outcome.err.contains(text), "\(outcome.err)")
  }

  @Test func reportsAMissingModel() throws {
    let outcome = try bench.run("-m", folder.path + "/missing.gguf", "-n", "0", "-p", "1")
    #expect(outcome.code == 1 && outcome.out.isEmpty)
    #expect(outcome.err.contains("missing.gguf"))
  }

  @Test func measuresPictures() throws {
    let encoder = folder.path + "/mmproj.gguf"
    try SyntheticFile(encoder: .tiny(projectionDimension: 64), mix: .F16).write(to: encoder)
    let outcome = try bench.run(
      "--image", "40x30", "--image", "900x700", "--mmproj", encoder, "-r", "2", "-o", "json")
    #expect(outcome.code == 0, "\(outcome.err)")
    let rows = try outcome.json.arrayValue ?? []
    #expect(rows.map { $0["image"] } == ["40x30", "900x700"])
    #expect(rows.map { $0["tokens"] } == [70, 1_788])
    for row in rows {
      #expect(row["encode_samples"]?.arrayValue?.count == 2)
      #expect((row["tokens_per_second"]?.doubleValue ?? 0) > 0)
    }
    #expect(rows.allSatisfy { $0["decode_seconds"] == .null })
    #expect(try bench.run("--image", "0x30").code == 2)

    let file = Fixtures.bundled("vision/preprocess/images/prime_127x251.jpg").path
    let decoded = try bench.run("--image", file, "--mmproj", encoder, "-r", "2", "-o", "json")
    let row = try #require(try decoded.json.arrayValue?.first, "\(decoded.err)")
    #expect(row["image"]?.stringValue == file && row["units"] == 1)
    #expect(row["decode_samples"]?.arrayValue?.count == 2)
    #expect((row["decode_seconds"]?.doubleValue ?? 0) > 0)
    #expect(row["tile_seconds"] == row["encode_seconds"])
    for missing in [folder.path + "/none.jpg", encoder] {
      let refused = try bench.run("--image", missing, "--mmproj", encoder)
      #expect(refused.code == 1 && refused.err.contains(missing))
    }
  }

  /// Parameter counts and sizes (in MB) of the published models.
  @Test func synthesizesThePublishedSizes() throws {
    let rows = try bench.run("--list-synthetic", "-o", "json").json.arrayValue ?? []
    let types = ["F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q4_0"]
    let published: [(name: String, parameters: Int, sizes: [Double])] = [
      ("lfm2-350m", 354_483_968, [709.1, 376.8, 291.0, 258.0, 226.9, 216.9]),
      ("lfm2-700m", 742_489_344, [1485.2, 789.2, 609.4, 535.6, 466.2, 443.9]),
      ("lfm2-1.2b", 1_170_340_608, [2340.9, 1243.9, 960.5, 841.0, 728.5, 693.4]),
      ("lfm2-2.6b", 2_569_272_320, [5139.1, 2730.6, 2108.4, 1826.6, 1561.3, 1480.7]),
      ("lfm2-8b-a1b", 8_339_930_560, [16683.2, 8866.0, 6846.6, 5917.2, 5042.4, 4731.5]),
    ]
    for model in published {
      for (type, megabytes) in zip(types, model.sizes) {
        let row = rows.first {
          $0["name"]?.stringValue == model.name && $0["quant"]?.stringValue == type
        }
        #expect(row?["parameters"]?.intValue == model.parameters, "\(model.name)")
        let found = Double(row?["bytes"]?.intValue ?? 0) / 1e6
        #expect(abs(found - megabytes) <= 0.051, "\(model.name) \(type): \(found)")
      }
    }
  }
}
