/// Letter case and character classes, by Unicode's full mappings as Python applies them.
extension Renderer {
  func changeCase(
    of string: TemplateString, _ method: StringMethod
  ) throws(TemplateError) -> TemplateString {
    // Whether the character before was a letter, which carries over from part to part.
    var isInWord = false
    return try mapSegments(string) { part in
      switch method {
      case .upper: return part.uppercased()
      case .lower: return part.pythonLowercased
      case .casefold:
        return part.unicodeScalars.reduce(into: "") { $0 += $1.foldedCase }
      case .swapcase:
        return part.unicodeScalars.reduce(into: "") {
          $0 += $1.isPythonUpper ? $1.properties.lowercaseMapping : $1.properties.uppercaseMapping
        }
      default:
        var result = ""
        for scalar in part.unicodeScalars {
          result +=
            isInWord ? scalar.properties.lowercaseMapping : scalar.properties.titlecaseMapping
          isInWord = method == .capitalize || scalar.isPythonCased
        }
        return result
      }
    }
  }
}

extension String {
  /// `str.lower`: a capital sigma at the end of a word becomes a final sigma.
  var pythonLowercased: String {
    guard unicodeScalars.contains("\u{3A3}") else {
      return unicodeScalars.reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    }
    let scalars = Array(unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      if scalar == "\u{3A3}" {
        let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
        let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
        let isFinal = before?.properties.isCased == true && after?.properties.isCased != true
        result += isFinal ? "\u{3C2}" : "\u{3C3}"
      } else {
        result += scalar.properties.lowercaseMapping
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// The case folding, for the characters where it is not the lower case.
  fileprivate var foldedCase: String {
    switch value {
    case 0xDF: "ss"
    case 0x1E9E: "ss"
    case 0x3C2: "\u{3C3}"
    default: properties.lowercaseMapping
    }
  }
}

extension TemplateString {
  /// The answer of a method like `isdigit`.
  func satisfies(_ method: StringMethod) -> Bool {
    let scalars = text.unicodeScalars
    switch method {
    case .isascii: return isASCII
    case .isprintable: return scalars.allSatisfy(\.isPythonPrintable)
    case .islower:
      return scalars.contains(where: \.isPythonLower)
        && !scalars.contains { $0.isPythonUpper || $0.isPythonTitle }
    case .isupper:
      return scalars.contains(where: \.isPythonUpper)
        && !scalars.contains { $0.isPythonLower || $0.isPythonTitle }
    case .istitle: return isTitle
    default: break
    }
    guard !scalars.isEmpty else { return false }
    switch method {
    case .isalnum: return scalars.allSatisfy(\.isPythonAlphanumeric)
    case .isalpha: return scalars.allSatisfy(\.isPythonAlpha)
    case .isdecimal: return scalars.allSatisfy(\.isPythonDecimal)
    case .isdigit: return scalars.allSatisfy(\.isPythonDigit)
    case .isnumeric: return scalars.allSatisfy(\.isPythonNumeric)
    case .isspace: return scalars.allSatisfy(\.isPythonSpace)
    case .isidentifier:
      return scalars.first.map { $0 == "_" || $0.properties.isXIDStart } == true
        && scalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    default: return false
    }
  }

  /// Whether capitals only begin words and small letters only follow others.
  private var isTitle: Bool {
    var isInWord = false
    var hasWord = false
    for scalar in text.unicodeScalars {
      if scalar.isPythonUpper || scalar.isPythonTitle {
        guard !isInWord else { return false }
        isInWord = true
        hasWord = true
      } else if scalar.isPythonLower {
        guard isInWord else { return false }
        hasWord = true
      } else {
        isInWord = false
      }
    }
    return hasWord
  }
}
