import Foundation
import Testing

@testable import GGUF

@Suite struct FileReadingTests {
  private let content = (0..<50).map { UInt8($0) }

  /// Reads `content` through a function that gives at most `step` bytes at a time and fails with
  /// `code` at the call numbered `failingCall`.
  private func read(step: Int, failingCall: Int, code: Int32) throws -> [UInt8] {
    var position = 0
    var call = 0
    var result = [UInt8](repeating: 0xFF, count: content.count)
    try result.withUnsafeMutableBytes { buffer in
      try FileDescriptor.fill(buffer, path: "p") { target, capacity in
        call += 1
        if call == failingCall {
          errno = code
          return -1
        }
        let count = min(step, capacity, content.count - position)
        for index in 0..<count {
          target.storeBytes(of: content[position + index], toByteOffset: index, as: UInt8.self)
        }
        position += count
        return count
      }
    }
    return result
  }

  @Test(arguments: [1, 7, 49, 50, 1000]) func shortAndInterruptedReadsAreContinued(
    _ step: Int
  ) throws {
    for call in 0...51 {
      #expect(try read(step: step, failingCall: call, code: EINTR) == content)
    }
  }

  @Test func anyOtherFailureEndsTheReading() {
    for call in 1...8 {
      #expect(throws: GGUFError.systemFailure(operation: "read", path: "p", code: EIO)) {
        try read(step: 7, failingCall: call, code: EIO)
      }
    }
  }

  @Test func anEarlyEndMeansThatTheFileWasChanged() {
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(throws: GGUFError.fileChanged(path: "p")) {
      try buffer.withUnsafeMutableBytes { try FileDescriptor.fill($0, path: "p") { _, _ in 0 } }
    }
  }
}
