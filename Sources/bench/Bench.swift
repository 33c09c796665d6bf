import CommandLineSupport
import Foundation

/// Measures speed and memory of models on this computer.
@main
enum Bench {
  static func main() {
    let program = Program(root: BenchCommand.command, version: "bench")
    exit(program.run(Array(CommandLine.arguments.dropFirst())))
  }
}
