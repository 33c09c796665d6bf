/// Character classes as Python's `str` methods see them.
extension Unicode.Scalar {
  var isASCIIDigit: Bool { ("0"..."9").contains(self) }

  /// `str.isspace`: Unicode white space, and the four information separators.
  var isPythonSpace: Bool {
    switch value {
    case 0x20, 0x09...0x0D, 0x1C...0x1F: true
    case ..<0x80: false
    default: properties.isWhitespace
    }
  }

  /// A line boundary of `str.splitlines`.
  var isPythonLineBreak: Bool {
    switch value {
    case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// `str.isalpha`: the letter categories.
  var isPythonAlpha: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }

  /// `str.isdecimal`: characters that form decimal numbers.
  var isPythonDecimal: Bool { properties.numericType == .decimal }
  /// `str.isdigit`: decimals, and digits such as superscripts.
  var isPythonDigit: Bool {
    properties.numericType == .decimal || properties.numericType == .digit
  }
  /// `str.isnumeric`: everything with a numeric value.
  var isPythonNumeric: Bool { properties.numericType != nil }
  /// `str.isalnum`.
  var isPythonAlphanumeric: Bool { isPythonAlpha || isPythonNumeric }

  /// `str.isprintable`: what `repr` shows as it is.
  var isPythonPrintable: Bool {
    if value < 0x7F { return value >= 0x20 }
    return switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      false
    default: true
    }
  }

  var isPythonUpper: Bool { properties.isUppercase }
  var isPythonLower: Bool { properties.isLowercase }
  var isPythonTitle: Bool { properties.generalCategory == .titlecaseLetter }
  var isPythonCased: Bool { isPythonUpper || isPythonLower || isPythonTitle }
}
