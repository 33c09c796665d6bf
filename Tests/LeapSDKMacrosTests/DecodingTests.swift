import Foundation
import LeapSDKMacros
import Testing

private func decode<T: Decodable>(_ type: T.Type, _ json: String) throws -> T {
  try JSONDecoder().decode(type, from: Data(json.utf8))
}

/// Texts that follow the schemas decode with the default decoder.
@Suite struct DecodingTests {
  @Test func collections() throws {
    let value = try decode(
      Collections.self,
      """
      {"list": ["a"], "grid": [[1, 2], []], "long": [[true]], "unique": ["a", "a"],
        "scores": {"a": 1, "b": 2.5}, "byName": {"x": [1]}, "holes": [1, null], "twice": null,
        "parenthesised": "p"}
      """)
    #expect(value.grid == [[1, 2], []])
    #expect(value.unique == ["a"])
    #expect(value.scores == ["a": 1, "b": 2.5])
    #expect(value.holes == [1, nil])
    #expect(value.maybe == nil)
  }

  @Test func allPrimitivesButDates() throws {
    let json = """
      {"text": "t", "flag": true, "int": -1, "int8": -128, "int16": 32767, "int32": 0,
        "int64": 9223372036854775807, "uint": 0, "uint8": 255, "uint16": 0, "uint32": 4294967295,
        "uint64": 1, "float": 1.5, "double": 1e10, "cgFloat": 2, "decimal": 0.1,
        "date": "2026-03-14T15:09:26Z", "data": "SGk=", "url": "https://example.org/a?b=c",
        "uuid": "8F14E45F-CEEA-467F-A1A1-2F6D2B1E3C4D"}
      """
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let value = try decoder.decode(Primitives.self, from: Data(json.utf8))
    #expect(value.data == Data("Hi".utf8))
    #expect(value.decimal == Decimal(string: "0.1"))
    #expect(value.url.host == "example.org")
    #expect(value.date.timeIntervalSince1970 == 1_773_500_966)
    #expect(throws: DecodingError.self) { try decode(Primitives.self, json) }
  }

  @Test func nestedTypesAndEnums() throws {
    let whole = try decode(
      Outer.Whole.self,
      #"{"main": {"name": "m"}, "others": [{"name": "o"}], "byName": {"d": {"level": 3}}}"#)
    #expect(whole.main == Outer.Part(name: "m"))
    #expect(whole.byName["d"]?.level == 3)
    let dish = try decode(
      Dish.self, #"{"kind": "spelled \"out\"", "heat": "hot", "all": ["mild"]}"#)
    #expect(dish == Dish(kind: .spelled, heat: .hot, all: [.mild]))
  }

  @Test func renamedAndMixedProperties() throws {
    let renamed = try decode(
      Renamed.self, #"{"first_name": "f", "plain": 1, "a \"class\"": "c"}"#)
    #expect(renamed.firstName == "f")
    #expect(renamed.cached == 0)
    let mixed = try decode(
      Mixed.self,
      """
      {"a": 1, "b": 2, "c": "c", "d": true, "inferred": 0.5, "spelled": 3, "observed": 4,
        "hidden": ""}
      """)
    #expect(mixed.isConsistent && mixed.computed == 3 && mixed.inferred == 0.5)
  }

  @Test func classesTreesAndGenerics() throws {
    #expect(try decode(Engine.self, #"{"name": "V8"}"#).power == nil)
    #expect(try decode(Vehicle.self, #"{"wheels": 3}"#).wheels == 3)
    let tree = try decode(
      Node.self, #"{"label": "a", "children": [{"label": "b", "children": []}]}"#)
    #expect(tree.children.first?.label == "b")
    let pair = try decode(Pair<[Int], Heat>.self, #"{"first": [1], "second": ["hot"]}"#)
    #expect(pair.first == [1] && pair.second == [.hot])
  }

  @Test func encodingGivesTheSameNamesAsTheSchema() throws {
    let data = try JSONEncoder().encode(Dish(kind: .plain, heat: nil, all: [.hot]))
    #expect(try decode(Dish.self, String(decoding: data, as: UTF8.self)).kind == .plain)
  }
}
