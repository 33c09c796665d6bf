import CommandLineSupport

/// Measures speed and memory of models on this computer.
@main
enum Bench {
  static func main() {
    Program(root: BenchCommand.command, version: "bench").main()
  }
}
