import Foundation
import JSON
import Testing

/// Runs a built program, found beside the test bundle.
struct Executable {
  struct Outcome {
    /// The exit code, or -n when signal n killed the program.
    var code: Int32
    var out: String
    var err: String

    /// Standard output as one JSON document.
    var json: JSONValue { get throws { try JSONValue(parsing: out) } }
  }

  /// Where standard output goes.
  enum Destination {
    case file
    case path(String)
    /// A pipe whose reader is gone.
    case closedPipe
  }

  let path: String

  static var leap: Executable { get throws { try Executable(named: "leap") } }
  static var bench: Executable { get throws { try Executable(named: "bench") } }

  init(path: String) { self.path = path }

  private init(named name: String) throws {
    let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
    let folders =
      bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
      + [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
    let candidates = folders.map { $0.appendingPathComponent(name) }
    let url = candidates.first { url in
      let values = try? url.resourceValues(forKeys: [.isRegularFileKey])
      return values?.isRegularFile == true
        && FileManager.default.isExecutableFile(atPath: url.path)
    }
    path = try #require(url, "the program \(name) was not built").path
  }

  func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(arguments, input: input, environment: environment)
  }

  /// Runs to the end. `whileRunning` is given the process id once the program has started.
  func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    output: Destination = .file, whileRunning: (pid_t) -> Void = { _ in }
  ) throws -> Outcome {
    // Files rather than pipes: output of any length cannot block the child, and children that are
    // started at the same time cannot hold each other's pipes open.
    let folder = try TemporaryFolder()
    let files = [try folder.file("in", input.utf8), folder.path + "/out", folder.path + "/err"]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    var pipeEnds: [Int32] = [-1, -1]
    switch output {
    case .file: posix_spawn_file_actions_addopen(&actions, 1, files[1], flags, 0o600)
    case .path(let path): posix_spawn_file_actions_addopen(&actions, 1, path, flags, 0o600)
    case .closedPipe:
      pipe(&pipeEnds)
      close(pipeEnds[0])
      posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], 1)
    }
    posix_spawn_file_actions_addopen(&actions, 2, files[2], flags, 0o600)

    let process = try spawn(arguments, environment, actions)
    if case .closedPipe = output { close(pipeEnds[1]) }
    whileRunning(process)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    return Outcome(code: code, out: text(of: files[1]), err: text(of: files[2]))
  }

  private func spawn(
    _ arguments: [String], _ environment: [String: String],
    _ actions: posix_spawn_file_actions_t
  ) throws -> pid_t {
    var variables = ProcessInfo.processInfo.environment
    variables["LEAP_MODEL"] = nil
    // No test asks a server but those that bring their own.
    variables["HF_HUB_OFFLINE"] = "1"
    variables.merge(environment) { $1 }
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var process: pid_t = 0
    var actions = actions
    let code = posix_spawn(&process, path, &actions, nil, &argv, &envp)
    try #require(code == 0, "\(path) could not be started (error \(code))")
    return process
  }

  private func text(of path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
