import Foundation
import JSON
import Testing

@Suite struct JSONFoundationTests {
  private let sample: JSONValue = [
    "a": [1, 0, 1.5, 1.0, true, false, nil, "x"], "b": ["c": [:], "d": []], "big": .int(.max),
  ]

  @Test func valuesSurviveTheWayThroughFoundation() {
    #expect(JSONValue(any: sample.foundationObject) == sample)
  }

  @Test func foundationObjectsAreThoseOfJSONSerialization() throws {
    let object = sample.foundationObject
    #expect(JSONSerialization.isValidJSONObject(object))
    let data = try JSONSerialization.data(withJSONObject: object)
    let back = try JSONSerialization.jsonObject(with: data)
    // JSONSerialization writes the double 1.0 as 1.
    #expect(
      JSONValue(any: back) == [
        "a": [1, 0, 1.5, 1, true, false, nil, "x"], "b": ["c": [:], "d": []], "big": .int(.max),
      ])
  }

  @Test func booleansAndNumbersAreNotMixedUp() throws {
    let values: [(Any, JSONValue)] = [
      (true, true), (false, false), (1, 1), (0, 0), (1.0, 1.0), (NSNumber(value: true), true),
      (NSNumber(value: false), false), (NSNumber(value: 1), 1), (NSNumber(value: 0), 0),
      (NSNumber(value: 1.0), 1.0), (NSNumber(value: Float(0.5)), 0.5),
      (NSNumber(value: Int8(1)), 1),
      (NSNumber(value: UInt64.max), .double(Double(UInt64.max))), (Float(0.25), 0.25),
      (UInt8(7), 7), (Int64(-7), -7), (UInt64.max, .double(Double(UInt64.max))),
      (NSNull(), nil), ("x", "x"), (NSString("y"), "y"),
    ]
    for (any, value) in values { #expect(JSONValue(any: any) == value, "\(type(of: any)) \(any)") }
    let parsed = try JSONSerialization.jsonObject(with: Data("[true,false,1,0,1.5,null]".utf8))
    #expect(JSONValue(any: parsed) == [true, false, 1, 0, 1.5, nil])
  }

  @Test func whatIsNoJSONIsNil() {
    #expect(JSONValue(any: Data()) == nil)
    #expect(JSONValue(any: Date()) == nil)
    #expect(JSONValue(any: Double.nan) == nil)
    #expect(JSONValue(any: NSNumber(value: Double.infinity)) == nil)
    #expect(JSONValue(any: [1, Data()] as [Any]) == nil)
    #expect(JSONValue(any: ["a": Data()] as [String: Any]) == nil)
    #expect(JSONValue(any: [1: 2]) == nil)
  }

  @Test func keysOfDictionariesAreSorted() {
    let value = JSONValue(any: ["b": 1, "a": ["z": 1, "y": 2], "C": 3] as [String: Any])
    #expect(value?.text() == #"{"C":3,"a":{"y":2,"z":1},"b":1}"#)
  }

  @Test func numbersThatJSONLacksBecomeNull() {
    let object = JSONValue.array([.double(.nan), 1]).foundationObject
    #expect(JSONSerialization.isValidJSONObject(object))
    #expect(JSONValue(any: object) == [nil, 1])
  }

  @Test func endlessNestingIsRefused() {
    var any: Any = 1
    for _ in 0..<513 { any = [any] }
    #expect(JSONValue(any: any) == nil)
  }
}
