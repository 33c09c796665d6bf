import FaultServer
import Foundation
import JSON
import ModelLibrary
import TestSupport
import Testing

@Suite struct LeapModelsTests {
  private let leap: Executable

  init() throws { leap = try Executable.leap }

  private func run(_ hub: ModelHub, _ arguments: String...) throws -> Executable.Outcome {
    try leap.run(arguments, environment: hub.environment)
  }

  @Test func aModelIsPulledUsedAndRemoved() throws {
    let hub = try ModelHub()
    #expect(try run(hub, "models", "status", "Tiny-Chat").code == 1)
    let pulled = try run(hub, "models", "pull", "Tiny-Chat", "Q4_K_M")
    #expect(pulled.code == 0 && pulled.out == hub.modelPath + "\n", "\(pulled.err)")
    #expect(FileManager.default.contents(atPath: hub.modelPath) == ModelHub.data)
    #expect(hub.names == [ModelHub.file, "manifest.json"])

    let requests = hub.server.requests.count
    #expect(try run(hub, "models", "pull", "tiny-chat:q4_k_m").code == 0)
    let status = try run(hub, "models", "status", "Tiny-Chat:Q4_K_M")
    #expect(status.code == 0 && status.out == "Tiny-Chat:Q4_K_M: complete\n")
    #expect(try run(hub, "models", "path", "Tiny-Chat").out == hub.modelPath + "\n")
    let list = try run(hub, "models", "list", "--json").json.arrayValue ?? []
    #expect(list.count == 1)
    #expect(list.first?["model"] == "Tiny-Chat")
    #expect(list.first?["bytes"] == .int(ModelHub.data.count))
    #expect(try run(hub, "models", "list").out.contains("4.01 MB"))
    // The manifest's temperature of 0 is the default.
    let answer = try run(hub, "generate", "-m", "Tiny-Chat", "-p", "What is the capital of France?")
    #expect(answer.out == "The capital of France is Paris.\n", "\(answer.err)")
    #expect(try run(hub, "inspect", "Tiny-Chat:Q4_K_M", "--json").code == 0)
    #expect(hub.server.requests.count == requests)

    let removed = try run(hub, "models", "rm", "Tiny-Chat", "--json")
    #expect(try removed.json["removed"] == true)
    #expect(try run(hub, "models", "rm", "Tiny-Chat", "--json").json["removed"] == false)
    #expect(try run(hub, "models", "list").out.isEmpty)
  }

  @Test func askingAModelThatIsNotHereFetchesIt() throws {
    let hub = try ModelHub()
    let answer = try run(
      hub, "generate", "-m", "Tiny-Chat:Q4_K_M", "-p", "What is the capital of Italy?")
    #expect(answer.out == "The capital of Italy is Rome.\n")
    #expect(answer.err.contains("fetching"))
  }

  @Test func programsSeeEventsAndTheEnd() throws {
    let hub = try ModelHub { _, answer in answer.bytesPerSecond = 8_000_000 }
    let outcome = try run(hub, "models", "pull", "Tiny-Chat", "--json")
    #expect(outcome.code == 0 && outcome.err.isEmpty, "\(outcome.err)")
    let events = try outcome.out.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let fractions = events.compactMap { $0["fraction"]?.doubleValue }
    #expect(fractions.count > 2 && fractions.last == 1)
    #expect(fractions.filter { $0 == 1 }.count == 1)
    #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(events.last?["event"] == "done")
    #expect(events.last?["path"] == .string(hub.modelPath))
    #expect(events.last?["files"] == [.string(hub.modelPath)])
    #expect(events.last?["bytes"] == .int(ModelHub.data.count))
  }

  @Test func whatGoesWrongIsOneSentence() throws {
    let hub = try ModelHub()
    for (arguments, code, word): ([String], Int32, String) in [
      (["models", "pull", "Absent"], 1, "Absent"),
      (["models", "pull", "Tiny-Chat:Q9_9"], 1, "Q9_9"),
      (["models", "pull", "no name"], 1, "no model's name"),
      (["models", "pull", "\(hub.server.url)/nothing.json"], 1, "nothing.json"),
      (["models", "pull", "ftp://127.0.0.1/x.json"], 1, "127.0.0.1"),
      (["models", "pull"], 2, "MODEL"), (["models", "pull", "a:b", "c"], 2, "twice"),
      (["models", "path", "Tiny-Chat"], 1, "pull"), (["models", "frobnicate"], 2, "frobnicate"),
      (["models", "search", "nothing like this"], 1, "nothing like this"),
      (["generate", "-m", "modle.gguf", "-p", "x"], 1, "no file at modle.gguf"),
      (["generate", "-m", "modle", "-p", "x"], 1, "no file at modle"),
    ] {
      let outcome = try leap.run(arguments, environment: hub.environment)
      #expect(outcome.code == code, "\(arguments): \(outcome.err)")
      #expect(outcome.err.contains(word), "\(outcome.err)")
      #expect(outcome.out.isEmpty)
      #expect(outcome.err.split(separator: "\n").filter { $0.hasPrefix("leap: ") }.count == 1)
    }
    // Slips in file names ask nobody.
    #expect(!hub.server.requests.contains { $0.path.contains("modle") })
  }

  @Test func whatArrivesDamagedIsNoModel() throws {
    let hub = try ModelHub { _, answer in
      answer.headers.append(("X-Linked-ETag", "\"" + String(repeating: "0", count: 64) + "\""))
    }
    let outcome = try run(hub, "models", "pull", "Tiny-Chat")
    #expect(outcome.code == 1 && outcome.err.contains("SHA-256"), "\(outcome.err)")
    #expect(hub.names == ["manifest.json"])
    #expect(try run(hub, "models", "status", "Tiny-Chat").code == 1)
  }

  @Test func severalAreRemovedInEitherSpellingFromAFolderOfOnesOwn() throws {
    let hub = try ModelHub()
    let folder = hub.folder.path + "/other"
    let names = ["One-Q4_0", "Two-Q8_0", "Three-Q4_K_M", "Kept-Q4_0"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in names {
      try ModelHub.data.write(to: URL(fileURLWithPath: "\(folder)/\(name).gguf"))
    }
    let list = try run(hub, "models", "list", "--dir", folder, "--json").json.arrayValue
    #expect(list?.count == names.count)
    let removed = try run(
      hub, "models", "rm", "one", "q4_0", "Two:Q8_0", "Three", "Absent:F16", "--dir", folder,
      "--json")
    #expect(removed.code == 0, "\(removed.err)")
    let answers = try removed.out.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(answers.map { $0["removed"] } == [true, true, true, false])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains("Kept-Q4_0.gguf"))
    #expect(try run(hub, "models", "list", "--dir", folder, "--json").json.arrayValue?.count == 1)
    #expect(try run(hub, "models", "rm").code == 2)
  }

  @Test func benchMeasuresModelsOfThisMachineByName() throws {
    let hub = try ModelHub()
    let bench = try Executable.bench
    let arguments = ["--once", "-m", "Tiny-Chat:Q4_K_M"]
    let absent = try bench.run(arguments, environment: hub.environment)
    #expect(absent.code == 1 && absent.err.contains("leap models pull Tiny-Chat:Q4_K_M"))
    #expect(hub.server.requests.isEmpty)
    #expect(try run(hub, "models", "pull", "Tiny-Chat").code == 0)
    #expect(try bench.run(arguments, environment: hub.environment).code == 0)
  }

  @Test func offlineAsksNobody() throws {
    let hub = try ModelHub()
    let environment = hub.environment.merging(["HF_HUB_OFFLINE": "1"]) { $1 }
    let outcome = try leap.run(["models", "pull", "Tiny-Chat"], environment: environment)
    #expect(outcome.code == 1 && outcome.err.contains("HF_HUB_OFFLINE"))
    #expect(hub.server.requests.isEmpty)
  }

  @Test func theReleasedModelsAreKnownWithoutAsking() throws {
    let hub = try ModelHub()
    let all = try run(hub, "models", "search", "--json").json.arrayValue ?? []
    #expect(all.count == KnownModel.all.count && all.count > 20)
    #expect(Set(all.compactMap { $0["model"]?.stringValue }).count == all.count)
    let some = try run(hub, "models", "search", "2.5-1.2b-inst")
    #expect(some.out.contains("LFM2.5-1.2B-Instruct") && some.out.contains("top_k 50"))
    #expect(try run(hub, "models", "search", "audio", "--json").json.arrayValue?.count == 3)
    #expect(hub.server.requests.isEmpty)
  }

  @Test func controlCStopsAtOnceAndTheNextPullGoesOn() throws {
    let hub = try ModelHub { request, answer in
      if request.rangeStart == nil { answer.stallAfter = 2_000_000 }
    }
    var stopped = ContinuousClock.now
    let outcome = try leap.run(
      ["models", "pull", "Tiny-Chat"], environment: hub.environment
    ) { process in
      let start = ContinuousClock.now
      while hub.partBytes < 2_000_000, start.duration(to: .now) < .seconds(20) { usleep(5_000) }
      stopped = .now
      kill(process, SIGINT)
    }
    #expect(outcome.code == 130)
    #expect(stopped.duration(to: .now) < .seconds(2))
    #expect(outcome.err.contains("kept"))
    #expect(hub.partBytes == 2_000_000)
    let status = try run(hub, "models", "status", "tiny-chat")
    #expect(status.code == 1 && status.out == "tiny-chat:Q4_K_M: incomplete, 49 %\n")
    #expect(
      try run(hub, "models", "prune", "--dry-run", "--json").json["files"]?.arrayValue?.isEmpty
        == false)
    #expect(try run(hub, "models", "pull", "Tiny-Chat").code == 0)
    #expect(hub.server.requests.last?.rangeStart == 2_000_000)
    #expect(FileManager.default.contents(atPath: hub.modelPath) == ModelHub.data)
    #expect(try run(hub, "models", "prune", "--json").json["files"]?.arrayValue?.isEmpty == true)
  }

  /// X4, with the size that a process may write in place of a disk's: in units of 1,024 bytes.
  @Test(arguments: [8, 40, 1_950, 3_870, 3_916]) func aFullDiskKeepsWhatArrived(
    _ blocks: Int
  ) throws {
    let hub = try ModelHub()
    let shell = Executable(path: "/bin/bash")
    let outcome = try shell.run(
      "-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" models pull Tiny-Chat", leap.path,
      environment: hub.environment)
    #expect(outcome.code == 1 && outcome.err.contains("too little room"), "\(outcome.err)")
    #expect(hub.partBytes == blocks << 10)
    #expect(!hub.names.contains(ModelHub.file))
    #expect(try run(hub, "models", "pull", "Tiny-Chat").code == 0)
    #expect(hub.server.requests.last?.rangeStart == blocks << 10)
    #expect(FileManager.default.contents(atPath: hub.modelPath) == ModelHub.data)
  }

  /// X8. `LEAP_LONG_TESTS` makes it 500 rounds.
  @Test func killedAtAnyTimeItGoesOnAndIsExact() throws {
    let isLong = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == "1"
    let hub = try ModelHub { _, answer in answer.bytesPerSecond = 16_000_000 }
    var (finished, resumed, random) = (0, 0, SystemRandomNumberGenerator())
    for round in 0..<(isLong ? 500 : 20) {
      let before = hub.server.requests.count
      let outcome = try leap.run(
        ["models", "pull", "Tiny-Chat"], environment: hub.environment
      ) { process in
        usleep(UInt32.random(in: 0...300_000, using: &random))
        kill(process, SIGKILL)
      }
      #expect(outcome.code == -9 || outcome.code == 0, "round \(round): \(outcome.err)")
      resumed +=
        hub.server.requests.dropFirst(before).filter { $0.rangeStart != nil }.isEmpty ? 0 : 1
      guard let content = FileManager.default.contents(atPath: hub.modelPath) else { continue }
      #expect(content == ModelHub.data, "round \(round)")
      finished += 1
      #expect(try run(hub, "models", "rm", "Tiny-Chat", "-y").code == 0)
    }
    #expect(try run(hub, "models", "pull", "Tiny-Chat").code == 0)
    #expect(FileManager.default.contents(atPath: hub.modelPath) == ModelHub.data)
    // No temporary file of a killed writer is left for good.
    #expect(try run(hub, "models", "prune").code == 0)
    #expect(hub.names == [ModelHub.file, "manifest.json"])
    print("killed downloads: \(resumed) resumed, \(finished) were finished, all exact")
  }
}
