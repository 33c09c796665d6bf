/// The bytes that the values of one render hold.
final class MemoryAccount {
  fileprivate(set) var used = 0
}

/// A share of a memory account, given back when its owner goes.
final class Allocation {
  private let account: MemoryAccount
  private let bytes: Int

  init(_ account: MemoryAccount, bytes: Int) {
    self.account = account
    self.bytes = bytes
    account.used += bytes
  }

  deinit { account.used -= bytes }
}
