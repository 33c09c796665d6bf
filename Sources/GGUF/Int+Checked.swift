/// Arithmetic on numbers that a file gives: nil where the result does not fit.
extension Int {
  func adding(_ other: Int) -> Int? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  func multiplied(by other: Int) -> Int? {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? nil : product
  }

  /// The next multiple of a power of two.
  func rounded(upTo alignment: Int) -> Int? {
    adding(alignment - 1).map { $0 & ~(alignment - 1) }
  }
}
