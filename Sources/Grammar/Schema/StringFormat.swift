/// The values of the keyword "format" that are kept, as regular expressions.
struct StringFormat {
  let pattern: String
  var maximumLength: Int?

  /// Returns nil for names that JSON Schema does not define: they are notes, as `int32` is. Defined
  /// formats that are not kept are refused.
  init?(_ name: String, _ path: SchemaPath) throws(GrammarError) {
    switch name {
    case "date": pattern = "^(\(Self.date))$"
    case "time": pattern = "^\(Self.time)$"
    case "date-time": pattern = "^(\(Self.date))T\(Self.time)$"
    case "uuid":
      pattern = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
    case "ipv4": pattern = "^\(Self.ipv4)$"
    case "ipv6": pattern = "^(\(Self.ipv6))$"
    case "hostname":
      pattern = "^\(Self.label)(\\.\(Self.label))*$"
      maximumLength = 253
    case "email":
      pattern = "^\(Self.mailbox)@\(Self.label)(\\.\(Self.label))+$"
      maximumLength = 254
    case "uri": pattern = "^\(Self.scheme):\(Self.hierarchy)(\\?\(Self.query))?(#\(Self.query))?$"
    case "duration": pattern = "^P(\(Self.duration))$"
    case "idn-email", "idn-hostname", "uri-reference", "iri", "iri-reference", "uri-template",
      "json-pointer", "relative-json-pointer", "regex":
      throw .unsupported(
        path: path.description, keyword: "format", reason: "the format '\(name)' cannot be kept")
    default: return nil
    }
  }

  private static let date: String = {
    let year = "(000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})"
    // Divisible by 4 but not by 100, or by 400.
    let leapYear =
      "(\\d\\d(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)"
    let longMonth = "(0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])"
    let shortMonth = "(0[469]|11)-(0[1-9]|[12]\\d|30)"
    let february = "02-(0[1-9]|1\\d|2[0-8])"
    return "\(year)-(\(longMonth)|\(shortMonth)|\(february))|\(leapYear)-02-29"
  }()

  private static let time =
    "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)"

  private static let octet = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
  private static let ipv4 = "\(octet)(\\.\(octet)){3}"

  /// Eight groups of digits, of which "::" replaces one run; the last two may be an IPv4 address.
  private static let ipv6: String = {
    let group = "[0-9a-fA-F]{1,4}"
    let tail = "(\(group):\(group)|\(ipv4))"
    var forms = ["(\(group):){6}\(tail)", "::(\(group):){0,5}\(tail)"]
    for before in 1...5 {
      forms.append("\(group)(:\(group)){\(before - 1)}::(\(group):){0,\(5 - before)}\(tail)")
    }
    forms.append("(\(group)(:\(group)){0,5})?::\(group)")
    forms.append("(\(group)(:\(group)){0,6})?::")
    return forms.joined(separator: "|")
  }()

  private static let label = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
  private static let mailbox: String = {
    let atom = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,20}"
    return "\(atom)(\\.\(atom)){0,2}"
  }()

  private static let scheme = "[a-zA-Z][a-zA-Z0-9+.-]{0,19}"
  private static let character = "([a-zA-Z0-9._~!$&'()*+,;=:@-]|%[0-9a-fA-F]{2})"
  private static let query = "([a-zA-Z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-fA-F]{2})*"
  private static let hierarchy: String = {
    let name = "([a-zA-Z0-9._~!$&'()*+,;=-]|%[0-9a-fA-F]{2})"
    let authority = "(\(name)*@)?(\(name)+|\\[(\(ipv6))\\])(:\\d{0,5})?"
    return "(//\(authority)(/\(character)*)*|/(\(character)+(/\(character)*)*)?|"
      + "\(character)+(/\(character)*)*)"
  }()

  private static let duration =
    "\\d{1,9}W|(\\d{1,9}Y(\\d{1,9}M(\\d{1,9}D)?)?|\\d{1,9}M(\\d{1,9}D)?|\\d{1,9}D)"
    + "(T(\\d{1,9}H(\\d{1,9}M(\\d{1,9}S)?)?|\\d{1,9}M(\\d{1,9}S)?|\\d{1,9}S))?"
    + "|T(\\d{1,9}H(\\d{1,9}M(\\d{1,9}S)?)?|\\d{1,9}M(\\d{1,9}S)?|\\d{1,9}S)"
}
