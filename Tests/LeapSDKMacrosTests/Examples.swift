import Foundation
import LeapSDKMacros

// Types in the shapes that client code has. That they compile is a part of the tests.

/// Every type that needs no declaration of its own.
@Generatable("All of them")
struct Primitives: Equatable {
  let text: String
  let flag: Bool
  let int: Int
  let int8: Int8
  let int16: Int16
  let int32: Int32
  let int64: Int64
  let uint: UInt
  let uint8: UInt8
  let uint16: UInt16
  let uint32: UInt32
  let uint64: UInt64
  let float: Float
  let double: Double
  let cgFloat: CGFloat
  let decimal: Decimal
  let date: Date
  let data: Data
  let url: URL
  let uuid: UUID
}

@Generatable("Collections in collections")
struct Collections: Equatable {
  let list: [String]
  let grid: [[Int]]
  let long: Array<Array<Bool>>
  let unique: Set<String>
  let scores: [String: Double]
  let byName: Dictionary<String, [Int]>
  let holes: [Int?]
  let maybe: [String]?
  let longMaybe: Optional<Int>
  let twice: Int??
  let parenthesised: (String)
}

enum Outer {
  @Generatable("The whole")
  struct Whole: Equatable {
    @Guide("Comes first") let main: Part
    let others: [Part]
    let spare: Part?
    let byName: [String: Inner.Deep]

    enum Inner {
      @Generatable struct Deep: Equatable { let level: Int }
    }
  }

  @Generatable("A part")
  struct Part: Equatable { let name: String }
}

@Generatable
enum Kind: String { case plain, `default`, spelled = "spelled \"out\"" }

@Generatable("How hot")
enum Heat: String, CaseIterable { case mild, hot }

@Generatable("A dish")
struct Dish: Equatable {
  let kind: Kind
  @Guide("Ask the cook") let heat: Heat?
  let all: [Heat]
}

@Generatable("Names in JSON")
struct Renamed: Equatable {
  @Guide("snake") let firstName: String
  let plain: Int
  var `class`: String
  var cached = 0

  enum CodingKeys: String, CodingKey {
    case firstName = "first_name"
    case plain
    case `class` = #"a "class""#
  }
}

@Generatable("What is stored and what is not")
struct Mixed: Equatable {
  static let shared = 1
  static var count: Int { 2 }
  let a, b: Int
  let c: String, d: Bool
  var inferred = 1.5
  var spelled: Int = 2
  var computed: Int { a + b }
  var both: Int {
    get { a }
    set { _ = newValue }
  }
  var observed: Int { didSet { _ = observed } }
  private let hidden: String
  fileprivate var alsoHidden: Int?
  func method() {}
  struct Nested {}

  var isConsistent: Bool { hidden.isEmpty == (alsoHidden == nil) }
}

@Generatable("A class")
final class Engine {
  let name: String
  private(set) var power: Double?
  lazy var label = name + "!"
  init(name: String) { self.name = name }
}

@Generatable("An open class")
class Vehicle: Codable {
  var wheels: Int
  init(wheels: Int) { self.wheels = wheels }
}

@Generatable("A tree")
final class Node {
  let label: String
  let children: [Node]
  init(label: String, children: [Node]) {
    self.label = label
    self.children = children
  }
}

@Generatable("A folder")
struct Folder: Equatable {
  let name: String
  let folders: [Folder]
  let parent: Owner?
}

@Generatable("An owner")
struct Owner: Equatable { let owned: [String: Folder] }

@Generatable("A forest")
struct Forest {
  @Guide("The tallest") let first: Node
  let rest: [Node]
}

@Generatable("A pair")
struct Pair<First: GeneratableValue, Second> where Second: GeneratableType {
  let first: First
  let second: [Second]
}

typealias Label = [String]?

@Generatable("Aliases")
public struct Aliases: Equatable {
  let label: Label
  public let text: Swift.String
  let id: Foundation.UUID
}

@Generatable(
  """
  Two lines:
    "quoted" \\ back
  """)
struct Described {
  @Guide("joined " + #"with "plus""#) let text: String
  @Guide("tab\t, 日本, 👩‍👩‍👧, \u{7}") let other: Int
}

@available(macOS 99, iOS 99, *)
@Generatable("Later")
struct Later { let text: String }

@Generatable("Nothing") struct Nothing {}

@Generatable("Already Codable, in LEAP's way")
struct Slogan: Codable, Identifiable {
  @Guide("The words") let slogan: String
  var id: String { slogan }
}

/// A conformance written by hand.
struct ByHand: Codable, Equatable {
  var celsius: Double
}

extension ByHand: GeneratableType {
  static var typeDescription: String { "A temperature" }
  static func jsonSchema() throws -> String {
    """
    {"type": "object", "properties": {"celsius": {"$ref": "#/$defs/C"}},
      "required": ["celsius"], "$defs": {"C": {"type": "number", "minimum": -273.15}}}
    """
  }
}

struct Broken: GeneratableType {
  static var typeDescription: String { "" }
  static func jsonSchema() throws -> String { "{" }
}

@Generatable("Weather")
struct Weather: Equatable {
  @Guide("outside") let temperature: ByHand
}

@Generatable("Cannot work")
struct HoldsBroken { let parts: [Broken] }
