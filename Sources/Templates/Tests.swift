/// A test: what `input is name(arguments)` answers.
typealias ValueTest =
  @Sendable (Renderer, TemplateValue, Arguments) throws(TemplateError) -> Bool

/// The tests by name.
enum Tests {
  static func named(_ name: String) -> ValueTest? { table[name] }

  private static let table: [String: ValueTest] = {
    var table = kindTests.merging(valueTests) { first, _ in first }
    let comparisons: [(Comparison, names: [String])] = [
      (.equal, ["eq", "equalto", "=="]),
      (.notEqual, ["ne", "!="]),
      (.less, ["lt", "lessthan", "<"]),
      (.lessOrEqual, ["le", "<="]),
      (.greater, ["gt", "greaterthan", ">"]),
      (.greaterOrEqual, ["ge", ">="]),
      (.in, ["in"]),
    ]
    for (comparison, names) in comparisons {
      for name in names { table[name] = test(comparison, name) }
    }
    return table
  }()

  private static func test(_ comparison: Comparison, _ name: String) -> ValueTest {
    { renderer, input, arguments throws(TemplateError) in
      let bound = try arguments.bind(name, ["other"], required: 1, renderer)
      return try renderer.compare(comparison, input, bound[0] ?? .null)
    }
  }

  /// Tests for what kind of value something is.
  private static let kindTests: [String: ValueTest] = [
    "defined": kind("defined") { !$0.isUndefined },
    "undefined": kind("undefined") { $0.isUndefined },
    "none": kind("none") { $0.isNull },
    "boolean": kind("boolean") { $0.isBoolean },
    "true": kind("true") { $0.isBoolean && $0.isTrue },
    "false": kind("false") { $0.isBoolean && !$0.isTrue },
    "integer": kind("integer") { $0.integer != nil && !$0.isBoolean },
    "float": kind("float") { $0.integer == nil && $0.number != nil },
    "number": kind("number") { $0.number != nil },
    "string": kind("string") { if case .string = $0 { true } else { false } },
    "mapping": kind("mapping") { if case .mapping = $0 { true } else { false } },
    "sequence": kind("sequence") { $0.isSequence },
    "iterable": kind("iterable") { $0.isIterable },
    "callable": kind("callable") { $0.isCallable },
    "escaped": kind("escaped") { if case .string(let text) = $0 { text.isMarkup } else { false } },
  ]

  private static func kind(
    _ name: String, _ test: @escaping @Sendable (TemplateValue) -> Bool
  ) -> ValueTest {
    { renderer, input, arguments throws(TemplateError) in
      _ = try arguments.bind(name, [], renderer)
      return test(input)
    }
  }

  private static let valueTests: [String: ValueTest] = [
    "divisibleby": { renderer, input, arguments throws(TemplateError) in
      let bound = try arguments.bind("divisibleby", ["num"], required: 1, renderer)
      let remainder = try renderer.apply(.modulo, input, bound[0] ?? .null)
      return try renderer.areEqual(remainder, .int(0))
    },
    "odd": { renderer, input, arguments throws(TemplateError) in
      _ = try arguments.bind("odd", [], renderer)
      return try renderer.areEqual(try renderer.apply(.modulo, input, .int(2)), .int(1))
    },
    "even": { renderer, input, arguments throws(TemplateError) in
      _ = try arguments.bind("even", [], renderer)
      return try renderer.areEqual(try renderer.apply(.modulo, input, .int(2)), .int(0))
    },
    "lower": { renderer, input, arguments throws(TemplateError) in
      try renderer.call(.islower, of: try renderer.text(of: input), arguments).isTrue
    },
    "upper": { renderer, input, arguments throws(TemplateError) in
      try renderer.call(.isupper, of: try renderer.text(of: input), arguments).isTrue
    },
    "sameas": { renderer, input, arguments throws(TemplateError) in
      let bound = try arguments.bind("sameas", ["other"], required: 1, renderer)
      return try renderer.areSame(input, bound[0] ?? .null)
    },
    "filter": { renderer, input, arguments throws(TemplateError) in
      _ = try arguments.bind("filter", [], renderer)
      guard case .string(let name) = input else { return false }
      return Filters.named(name.text) != nil
    },
    "test": { renderer, input, arguments throws(TemplateError) in
      _ = try arguments.bind("test", [], renderer)
      guard case .string(let name) = input else { return false }
      return Tests.named(name.text) != nil
    },
  ]
}

extension TemplateValue {
  var isBoolean: Bool {
    if case .bool = self { return true }
    return false
  }

  /// Whether the value has a length and items; undefined counts, as in Jinja2.
  fileprivate var isSequence: Bool {
    switch self {
    case .undefined, .string, .list, .tuple, .mapping, .range: true
    case .object, .null, .bool, .int, .double: false
    }
  }

  fileprivate var isIterable: Bool {
    switch self {
    case .undefined, .string, .list, .tuple, .mapping, .range: true
    case .object(let object): object.isIterable
    case .null, .bool, .int, .double: false
    }
  }

  fileprivate var isCallable: Bool {
    switch self {
    case .undefined: true
    case .object(let object): object.isCallable
    default: false
    }
  }
}

extension Renderer {
  /// Python's `is`: one and the same object. Values that Python shares count as the same when they
  /// are equal and of one type.
  fileprivate func areSame(
    _ left: TemplateValue, _ right: TemplateValue
  ) throws(TemplateError) -> Bool {
    switch (left, right) {
    case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)):
      left === right
    case (.mapping(let left), .mapping(let right)): left === right
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.string, .string), (.null, .null), (.object, .object): try areEqual(left, right)
    default: false
    }
  }
}
