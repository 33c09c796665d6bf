import JSON

extension JSONValue {
  /// The value as templates see it. What the caller passes does not count against the limits of
  /// memory; its nesting is limited, because printing and comparing follow it.
  func templateValue(isData: Bool, limits: TemplateLimits) throws(TemplateError) -> TemplateValue {
    try templateValue(isData: isData, remaining: limits.nesting, limits: limits)
  }

  private func templateValue(
    isData: Bool, remaining: Int, limits: TemplateLimits
  ) throws(TemplateError) -> TemplateValue {
    guard remaining > 0 else {
      throw TemplateError(
        .limit, "the context is nested deeper than \(limits.nesting) levels", at: .start)
    }
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let text): return .string(TemplateString(text, isData: isData))
    case .object(let object):
      var keys: [TemplateValue] = []
      var values: [TemplateValue] = []
      keys.reserveCapacity(object.count)
      values.reserveCapacity(object.count)
      for (key, value) in object.members {
        keys.append(.string(TemplateString(key, isData: true)))
        values.append(
          try value.templateValue(isData: true, remaining: remaining - 1, limits: limits))
      }
      return .mapping(MappingValue(keys: keys, values: values, allocation: nil))
    case .array(let elements):
      var items: [TemplateValue] = []
      items.reserveCapacity(elements.count)
      for element in elements {
        items.append(
          try element.templateValue(isData: true, remaining: remaining - 1, limits: limits))
      }
      return .list(ListValue(items, allocation: nil))
    }
  }
}
