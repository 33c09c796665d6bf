import Foundation

/// The time that `strftime_now` tells.
struct TemplateClock: Sendable {
  let now: Date
  let timeZone: TimeZone

  /// The time in the format of `strftime`, in English.
  func formatted(_ format: String) -> String {
    let parts = DateParts(now, timeZone)
    var result = ""
    var scalars = format.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "%", var letter = scalars.popFirst() else {
        result.unicodeScalars.append(scalar)
        continue
      }
      var flag: Unicode.Scalar?
      if letter == "-" || letter == "_" || letter == "^", let next = scalars.popFirst() {
        flag = letter
        letter = next
      }
      guard let text = parts.text(letter, flag: flag) else {
        result += "%" + (flag.map { String($0) } ?? "") + String(letter)
        continue
      }
      result += flag == "^" ? text.uppercased() : text
    }
    return result
  }
}

/// A moment's date (proleptic Gregorian) and time in a time zone.
private struct DateParts {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int
  /// 0 is Sunday.
  let weekday: Int
  /// From 1.
  let dayOfYear: Int
  let seconds: Int
  let offset: Int

  init(_ date: Date, _ timeZone: TimeZone) {
    seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    offset = timeZone.secondsFromGMT(for: date)
    let (local, overflow) = seconds.addingReportingOverflow(offset)
    let time = overflow ? 0 : local
    let secondOfDay = time.modulo(86_400)
    let days = (time - secondOfDay) / 86_400
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
    weekday = (days + 4).modulo(7)

    // Days are counted from March 1 of year 0, so that leap days end their years.
    let shifted = days + 719_468
    let dayOfEra = shifted.modulo(146_097)
    let era = (shifted - dayOfEra) / 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayFromMarch = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayFromMarch + 2) / 153
    day = dayFromMarch - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let isLeap = year.modulo(4) == 0 && (year.modulo(100) != 0 || year.modulo(400) == 0)
    dayOfYear = month <= 2 ? dayFromMarch - 305 : dayFromMarch + (isLeap ? 61 : 60)
  }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private var weekdayName: String { Self.weekdays[weekday] }
  private var monthName: String { Self.months[month - 1] }
  private var hourOfHalfDay: Int { hour % 12 == 0 ? 12 : hour % 12 }

  /// The text of a conversion; nil where there is no such conversion.
  func text(_ letter: Unicode.Scalar, flag: Unicode.Scalar?) -> String? {
    func number(_ value: Int, _ width: Int, pad: String = "0") -> String {
      let digits = String(value)
      if flag == "-" { return digits }
      let pad = flag == "_" ? " " : pad
      return String(repeating: pad, count: max(0, width - digits.utf8.count)) + digits
    }
    func composed(_ letters: String, separator: String) -> String {
      letters.unicodeScalars.map { text($0, flag: nil) ?? "" }.joined(separator: separator)
    }
    switch letter {
    case "a": return String(weekdayName.prefix(3))
    case "A": return weekdayName
    case "b", "h": return String(monthName.prefix(3))
    case "B": return monthName
    case "c": return composed("abeTY", separator: " ")
    case "C": return number(year / 100, 2)
    case "d": return number(day, 2)
    case "D", "x": return composed("mdy", separator: "/")
    case "e": return number(day, 2, pad: " ")
    case "f": return "000000"
    case "F": return composed("Ymd", separator: "-")
    case "g": return number(weekYear.modulo(100), 2)
    case "G": return number(weekYear, 1)
    case "H": return number(hour, 2)
    case "I": return number(hourOfHalfDay, 2)
    case "j": return number(dayOfYear, 3)
    case "k": return number(hour, 2, pad: " ")
    case "l": return number(hourOfHalfDay, 2, pad: " ")
    case "m": return number(month, 2)
    case "M": return number(minute, 2)
    case "n": return "\n"
    case "p": return hour < 12 ? "AM" : "PM"
    case "P": return hour < 12 ? "am" : "pm"
    case "r": return composed("IMS", separator: ":") + " " + (hour < 12 ? "AM" : "PM")
    case "R": return composed("HM", separator: ":")
    case "s": return String(seconds)
    case "S": return number(second, 2)
    case "t": return "\t"
    case "T", "X": return composed("HMS", separator: ":")
    case "u": return String(weekday == 0 ? 7 : weekday)
    case "U": return number((dayOfYear + 6 - weekday) / 7, 2)
    case "V": return number(week, 2)
    case "w": return String(weekday)
    case "W": return number((dayOfYear + 6 - (weekday + 6) % 7) / 7, 2)
    case "y": return number(year.modulo(100), 2)
    case "Y": return number(year, 1)
    // Python's clock does not know its time zone here, and so leaves both out.
    case "z", "Z": return ""
    case "%": return "%"
    default: return nil
    }
  }

  // MARK: Weeks by ISO 8601, which begin on Monday and belong to the year of their Thursday

  private var thursday: DateParts {
    let days = 4 - (weekday == 0 ? 7 : weekday)
    let noon = Double(seconds + offset) + Double(days) * 86_400
    return DateParts(Date(timeIntervalSince1970: noon), .gmt)
  }

  private var weekYear: Int { thursday.year }
  private var week: Int { (thursday.dayOfYear - 1) / 7 + 1 }
}

extension Int {
  /// The remainder that is never negative.
  fileprivate func modulo(_ divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
