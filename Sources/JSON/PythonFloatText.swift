/// A double as Python's `repr` writes it: the shortest digits that give the same value back, always
/// with a fraction or an exponent (`1.0`, `1e-07`, `1e+16`), and `nan`, `inf`, `-inf`.
public func pythonFloatText(_ value: Double) -> String {
  if value.isNaN { return "nan" }
  if value.isInfinite { return value < 0 ? "-inf" : "inf" }
  if value == 0 { return value.sign == .minus ? "-0.0" : "0.0" }

  let (digits, exponent) = shortestDigits(value.magnitude)
  let sign = value < 0 ? "-" : ""
  let count = digits.count
  switch exponent {
  case 16...:
    return sign + scientific(digits, exponent)
  case 0...:
    let whole = digits.prefix(exponent + 1)
    let padding = String(repeating: "0", count: max(0, exponent + 1 - count))
    let fraction = count > exponent + 1 ? digits.dropFirst(exponent + 1) : "0"
    return "\(sign)\(whole)\(padding).\(fraction)"
  case (-4)...:
    return "\(sign)0.\(String(repeating: "0", count: -exponent - 1))\(digits)"
  default:
    return sign + scientific(digits, exponent)
  }
}

private func scientific(_ digits: String, _ exponent: Int) -> String {
  let magnitude = String(exponent.magnitude)
  let padded = magnitude.count < 2 ? "0" + magnitude : magnitude
  let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
  return "\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(padded)"
}

/// The significant digits of a positive number, and the power of ten of the first of them. Swift's
/// description holds the same shortest digits as Python's, but changes to exponents elsewhere.
private func shortestDigits(_ value: Double) -> (digits: String, exponent: Int) {
  let parts = value.description.split(separator: "e")
  let mantissa = parts[0].split(separator: ".")
  let whole = mantissa[0]
  let all = whole + (mantissa.count > 1 ? mantissa[1] : "")
  let leadingZeros = all.prefix { $0 == "0" }.count
  var digits = all.dropFirst(leadingZeros)
  while digits.last == "0" { digits.removeLast() }
  let written = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
  return (String(digits), written + whole.count - 1 - leadingZeros)
}
