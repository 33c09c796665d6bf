/// Stable sorting with comparisons that can fail, and the keys that filters sort and compare by.
extension Renderer {
  func sorted<Element>(
    _ elements: [Element], by isLess: (Element, Element) throws(TemplateError) -> Bool
  ) throws(TemplateError) -> [Element] {
    guard elements.count > 1 else { return elements }
    try spend(elements.count)
    var source = elements
    var target = elements
    var width = 1
    // Merges runs of growing width, from one array into the other and back.
    while width < source.count {
      var start = 0
      while start < source.count {
        let middle = min(start + width, source.count)
        let end = min(middle + width, source.count)
        var (left, right) = (start, middle)
        for index in start..<end {
          try spend(1)
          let takesRight: Bool
          if left < middle, right < end {
            takesRight = try isLess(source[right], source[left])
          } else {
            takesRight = left == middle
          }
          target[index] = source[takesRight ? right : left]
          if takesRight { right += 1 } else { left += 1 }
        }
        start = end
      }
      swap(&source, &target)
      width *= 2
    }
    return source
  }

  /// Strings without regard to case, other values as they are.
  func foldedCase(_ value: TemplateValue) throws(TemplateError) -> TemplateValue {
    guard case .string(let string) = value else { return value }
    return .string(try changeCase(of: string, .lower))
  }

  /// The value at a path of attributes or items such as `function.name` or `0`.
  func value(
    at path: [TemplateValue], of item: TemplateValue, default fallback: TemplateValue? = nil
  ) throws(TemplateError) -> TemplateValue {
    var value = item
    for part in path {
      value = try self.item(part, of: value)
      if value.isUndefined, let fallback { return fallback }
    }
    return value
  }

  /// The parts of an `attribute` argument; whole numbers index lists.
  func path(_ attribute: TemplateValue?) throws(TemplateError) -> [TemplateValue] {
    switch attribute ?? .null {
    case .null: return []
    case .string(let string):
      return string.text.split(separator: ".", omittingEmptySubsequences: false).map { part in
        let isNumber = !part.isEmpty && part.unicodeScalars.allSatisfy(\.isASCIIDigit)
        return (isNumber ? Int(part).map { .int($0) } : nil) ?? .string(String(part))
      }
    case let other: return [other]
    }
  }
}
